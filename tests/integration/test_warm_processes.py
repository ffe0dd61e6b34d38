"""What another process was told is stored, a warm store of this one shows at once."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from agent_memory.models.vocabulary import State
from agent_memory.store.names import storage_name
from agent_memory.store.warm.stores import warm_stores
from support.emulator import emulated_platform
from support.key_values import stores_at
from torture.process import RealIds
from torture.steps import STORE

ROOT: Final = Path(__file__).parents[2]
WRITES: Final = 20


@pytest.fixture(params=["folder", "sqlite", "platform"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    match request.param:
        case "folder":
            yield str(tmp_path / "storage")
        case "sqlite":
            yield f"sqlite:///{tmp_path}/memories.db"
        case _:
            with emulated_platform() as platform:
                yield platform.url


@asynccontextmanager
async def told_by(where: str, role: str, count: int) -> AsyncGenerator[AsyncGenerator[dict[str, Any]]]:
    """What a process in that role says, line by line, as it is told that things are stored."""
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    command = (sys.executable, "-m", "torture.process", where, role, str(count))
    process = await asyncio.create_subprocess_exec(*command, env=env, stdout=asyncio.subprocess.PIPE)

    async def lines() -> AsyncGenerator[dict[str, Any]]:
        assert process.stdout is not None
        async for line in process.stdout:
            yield json.loads(line)

    try:
        yield lines()
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_each_write_of_another_process_is_in_the_next_load(where: str) -> None:
    ids = RealIds()
    async with stores_at(where) as open_kv, warm_stores(open_kv, now=ids.now, new_id=ids.new_id) as stores:
        seen = 0
        async with told_by(where, "w0", WRITES) as lines:
            async for line in lines:
                if line["ask"] == "start":
                    continue
                snapshot = await (await stores.open(STORE)).load()
                assert snapshot.find(line["id"]) is not None
                seen += 1
        assert seen == WRITES


async def test_what_another_process_purged_is_in_no_later_load(where: str) -> None:
    ids = RealIds()
    async with stores_at(where) as open_kv, warm_stores(open_kv, now=ids.now, new_id=ids.new_id) as stores:
        purged = 0
        async with told_by(where, "purge", 5) as lines:
            async for line in lines:
                snapshot = await (await stores.open(STORE)).load()
                purged += line["ask"] == "purge"
                assert sum(head.state is State.PURGED for head in snapshot.heads.values()) >= purged
        snapshot = await (await stores.open(STORE)).load()
        assert {head.state for head in snapshot.heads.values()} == {State.PURGED}
        assert {stored.revision.memory.content for stored in snapshot.stored()} == {""}
        assert len(snapshot.heads) == purged == 5


async def test_a_store_whose_folder_was_deleted_is_empty_and_goes_on(tmp_path: Path) -> None:
    ids, where = RealIds(), str(tmp_path / "storage")
    async with stores_at(where) as open_kv, warm_stores(open_kv, now=ids.now, new_id=ids.new_id) as stores:
        for _ in range(3):
            async with told_by(where, "w0", 1) as lines:
                assert [line["ok"] async for line in lines] == [True, True]
            assert len((await (await stores.open(STORE)).load()).heads) == 1

            await asyncio.to_thread(shutil.rmtree, tmp_path / "storage" / "key_value_stores" / storage_name(STORE))

            assert (await (await stores.open(STORE)).load()).heads == {}

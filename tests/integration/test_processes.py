"""Processes that write, tidy and purge at once on every kind of storage, some of them killed: nothing is lost."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from agent_memory.store.kv import KeyValue
from support.emulator import emulated_platform
from support.key_values import stores_at
from support.postgresql import new_database
from torture.process import WORD, RealIds
from torture.steps import Ask, carry_out, our_store

pytestmark = pytest.mark.torture

ROOT: Final = Path(__file__).parents[2]
WRITERS: Final = int(os.environ.get("TORTURE_WRITERS", "4"))
EACH: Final = int(os.environ.get("TORTURE_WRITES", "25"))
KILLS: Final = int(os.environ.get("TORTURE_KILLS", "5"))


@pytest.fixture(params=["folder", "sqlite", "postgresql", "platform"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A place that several processes reach."""
    match request.param:
        case "folder":
            yield str(tmp_path / "storage")
        case "sqlite":
            yield f"sqlite:///{tmp_path}/memories.db"
        case "postgresql":
            with new_database() as url:
                yield url
        case _:
            with emulated_platform() as platform:
                yield platform.url


@pytest.fixture
def name() -> str:
    return f"mem-{uuid.uuid4().hex[:20]}"


@pytest.fixture
async def kv(where: str, name: str) -> AsyncIterator[KeyValue]:
    async with stores_at(where) as open_store:
        yield await open_store(name)


@dataclass(frozen=True)
class Started:
    """A process and the file that it writes to."""

    process: subprocess.Popen[bytes]
    out: Path

    def wait_until_begun(self) -> None:
        """Wait until it has opened its store."""
        while not self.out.stat().st_size:
            assert self.process.poll() is None
            time.sleep(0.02)

    def told(self) -> list[dict[str, Any]]:
        """What it has said until its end; a line that a kill cut off was not said."""
        assert self.process.wait(300) in (0, -signal.SIGKILL)
        lines = self.out.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]


@contextmanager
def started(where: str, name: str, role: str, count: int, folder: Path) -> Generator[Started]:
    """A process in `role` that does not outlive the block."""
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    command = [sys.executable, "-m", "torture.process", where, name, role, str(count)]
    out = folder / f"{role}.txt"
    with out.open("wb") as file, subprocess.Popen(command, env=env, stdout=file) as process:
        try:
            yield Started(process, out)
        finally:
            process.kill()


async def contents(kv: KeyValue) -> tuple[list[str], list[str]]:
    """The texts of all active memories, and the warnings."""
    texts: list[str] = []
    cursor = None
    while True:
        fields = {"maxResults": 100, "searchOptions": {"cursor": cursor} if cursor else {}}
        body = await carry_out(Ask("", "list", fields), kv, RealIds(), our_store, [])
        assert body["ok"], body
        texts += [memory["content"] for memory in body["memories"]]
        cursor = body["nextCursor"]
        if cursor is None:
            return texts, body["warnings"]


async def test_writers_beside_prune_purge_and_kills_lose_nothing_and_are_refused_nothing(
    where: str, name: str, kv: KeyValue, tmp_path: Path
) -> None:
    rng = random.Random(7)  # a repeatable choice of moments
    roles = [*((f"w{n}", EACH) for n in range(WRITERS)), ("tidy", EACH // 5), ("purge", EACH // 5)]
    with ExitStack() as stack:
        doomed = [stack.enter_context(started(where, name, f"k{n}", 10_000, tmp_path)) for n in range(KILLS)]
        steady = [stack.enter_context(started(where, name, role, count, tmp_path)) for role, count in roles]
        for one in doomed:
            await asyncio.to_thread(one.wait_until_begun)
            await asyncio.sleep(rng.uniform(0.0, 0.3))
            one.process.send_signal(signal.SIGKILL)
        lines = [line for one in (*steady, *doomed) for line in await asyncio.to_thread(one.told)]

    assert [line for line in lines if not line["ok"]] == []
    written = [line["content"] for line in lines if line["ask"] == "write" and line["ok"]]
    assert len(written) >= WRITERS * EACH
    texts, warnings = await contents(kv)
    assert set(written) <= set(texts)
    assert len(texts) == len(set(texts))
    assert warnings == []
    assert (await carry_out(Ask("", "prune"), kv, RealIds(), our_store, []))["ok"]
    values = [await kv.get(key) or b"" async for key in kv.list_keys()]
    assert not any(WORD.encode() in value for value in values)

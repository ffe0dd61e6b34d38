"""doctor on a folder of files: what a process leaves there when it dies in the middle of a write."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from apify import Configuration
from apify.storage_clients import FileSystemStorageClient

from agent_memory.store.names import storage_name
from support.key_values import stores_at
from support.world import STORE, World

NAME = storage_name(STORE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "key_value_stores" / NAME


@pytest.fixture
async def filed(tmp_path: Path, world: World) -> AsyncIterator[World]:
    """A world whose store is a folder."""
    async with stores_at(str(tmp_path)) as open_store:
        world.stores[STORE] = await open_store(NAME)
        yield world


def value_file(folder: Path, memory_id: str) -> Path:
    return only(folder, f"memory-{memory_id}.*")


def only(folder: Path, pattern: str) -> Path:
    """The one value that the pattern fits."""
    (path,) = (path for path in folder.glob(pattern) if "__metadata__" not in path.name)
    return path


def files_with(folder: Path, text: bytes) -> list[str]:
    return [path.name for path in folder.iterdir() if text in path.read_bytes()]


def leave(path: Path, value: bytes, world: World, age: int = 3600) -> Path:
    """A file that was written `age` seconds ago by the clock of `world`."""
    path.write_bytes(value)
    then = world.now.timestamp() - age
    os.utime(path, (then, then))
    return path


async def seen_by_the_sdk(tmp_path: Path, key: str) -> bool:
    client = await FileSystemStorageClient().create_kvs_client(
        name=NAME, configuration=Configuration(storage_dir=str(tmp_path))
    )
    return await client.get_value(key=key) is not None


async def test_a_value_without_a_sidecar_gets_one_and_is_not_written_again(
    filed: World, folder: Path, tmp_path: Path
) -> None:
    value = value_file(folder, await filed.remember("The port is 8080."))
    (folder / f"{value.name}.__metadata__.json").unlink()
    leave(value, value.read_bytes(), filed)
    before = value.stat()

    plan = await filed.ask("doctor")
    hidden = not await seen_by_the_sdk(tmp_path, value.name)
    mended = await filed.ask("doctor", repair=True)

    assert plan["counts"] == {"no_sidecar": 1}
    assert hidden
    assert mended["repaired"] == 1
    assert await seen_by_the_sdk(tmp_path, value.name)
    assert (value.stat().st_ino, value.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


async def test_a_sidecar_without_a_value_goes(filed: World, folder: Path) -> None:
    memory_id = await filed.remember("The port is 8080.")
    lone = leave(folder / f"memory-{memory_id}.9.forgotten.{'0' * 20}.__metadata__.json", b"{}", filed)

    assert (await filed.ask("doctor"))["counts"] == {"lone_sidecar": 1}
    assert lone.exists()
    assert (await filed.ask("doctor", repair=True))["repaired"] == 1
    assert not lone.exists()


@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
async def test_what_is_left_of_a_write_that_stands_elsewhere_or_is_torn_goes(
    filed: World, folder: Path, part: float
) -> None:
    value = value_file(folder, await filed.remember("The port is 8080."))
    whole = value.read_bytes()
    begun = leave(folder / f"{value.name}.ab12_xyz.tmp", whole[: int(len(whole) * part)], filed)
    sidecar = leave(folder / f"{value.name}.__metadata__.json.ab12_xyz.tmp", b"{", filed)

    assert (await filed.ask("doctor"))["counts"] == {"cut_short": 2}
    assert (await filed.ask("doctor", repair=True))["repaired"] == 2
    assert not begun.exists()
    assert not sidecar.exists()
    assert value.read_bytes() == whole


async def test_a_whole_revision_that_stands_nowhere_else_is_kept(filed: World, folder: Path) -> None:
    value = value_file(folder, await filed.remember("The port is 8080."))
    begun = leave(folder / f"{value.name}.ab12_xyz.tmp", value.read_bytes(), filed)
    value.unlink()
    (folder / f"{value.name}.__metadata__.json").unlink()

    body = await filed.ask("doctor", repair=True)

    assert (body["counts"], body["repaired"]) == ({"cut_short": 1}, 0)
    assert begun.exists()


async def test_a_segment_with_one_row_of_its_own_is_kept(filed: World, folder: Path) -> None:
    await filed.ask("remember", memories=[{"content": f"Port {n} is open."} for n in range(3)])
    segment = only(folder, "segment-*")
    covered = leave(folder / f"{segment.name[:-1]}0.ab12_xyz.tmp", segment.read_bytes(), filed)
    segment.unlink()
    (folder / f"{segment.name}.__metadata__.json").unlink()

    assert (await filed.ask("doctor", repair=True))["repaired"] == 0
    assert covered.exists()


async def test_a_write_that_may_be_under_way_is_left_alone(filed: World, folder: Path) -> None:
    value = value_file(folder, await filed.remember("The port is 8080."))
    begun = leave(folder / f"{value.name}.ab12_xyz.tmp", b"half a val", filed, age=2)

    assert (await filed.ask("doctor", repair=True))["counts"] == {}
    assert begun.exists()


async def test_files_of_others_are_left_alone(filed: World, folder: Path) -> None:
    await filed.remember("The port is 8080.")
    theirs = leave(folder / "report.ab12_xyz.tmp", b"draft", filed)

    assert (await filed.ask("doctor", repair=True))["counts"] == {}
    assert theirs.exists()


@pytest.mark.parametrize("action", ["purge", "prune", "doctor"])
async def test_a_purge_takes_what_a_cut_short_write_left_of_the_memory(filed: World, folder: Path, action: str) -> None:
    memory_id = await filed.remember("The secret port is 8080.")
    value = value_file(folder, memory_id)
    content = value.read_bytes()
    begun = folder / f"{value.name}.ab12_xyz.tmp"
    if action == "purge":
        leave(begun, content, filed, age=1)
    assert (await filed.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}"))["ok"]
    if action != "purge":
        leave(begun, content[:-10], filed)
        await filed.ask(action, **({"repair": True} if action == "doctor" else {}))

    assert files_with(folder, b"8080") == []

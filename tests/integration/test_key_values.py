"""What every key-value store must do, held against all of them; and that a memory store stands on each."""

import asyncio
import os
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import pytest

from agent_memory.errors import StorageUnavailableError
from agent_memory.store.kv import KeyValue
from support.emulator import emulated_platform
from support.key_values import OpenStore, stores_at
from support.postgresql import new_database
from support.world import STORE, World

ROOT: Final = Path(__file__).parents[2]
SHARED: Final = ("folder", "sqlite", "postgresql", "platform")
SCRIPTS: Final = "Grüße, Привет, שלום, مرحبا, สวัสดี, 支付服务, ありがとう, 👩‍👩‍👧, e\u0301, \ufeff\r\n\0"
VALUES: Final = {
    "nothing": b"",
    "one byte": b"\0",
    "every byte": bytes(range(256)),
    "text in many scripts": SCRIPTS.encode(),
    "what looks like JSON": b'{"a": 1}\n{"a": 2}',
    "3.9 MB": bytes(range(256)) * 15_235,
}


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with new_database() as url:
        yield url


@pytest.fixture(params=["memory", *SHARED])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where stores are: in memory, or in a place that other processes reach."""
    match request.param:
        case "folder":
            yield str(tmp_path / "storage")
        case "sqlite":
            yield f"sqlite:///{tmp_path}/stores/memories.db"
        case "postgresql":
            yield request.getfixturevalue("postgresql")
        case "platform":
            with emulated_platform() as platform:
                yield platform.url
        case name:
            yield name


@pytest.fixture
def name() -> str:
    """A store that no other test has used."""
    return f"mem-{uuid.uuid4().hex[:20]}"


@pytest.fixture
async def open_store(location: str) -> AsyncIterator[OpenStore]:
    async with stores_at(location) as opener:
        yield opener


@pytest.fixture
async def kv(open_store: OpenStore, name: str) -> KeyValue:
    return await open_store(name)


async def keys(kv: KeyValue, prefix: str = "") -> list[str]:
    return sorted([key async for key in kv.list_keys(prefix)])


async def test_a_missing_key_has_no_value(kv: KeyValue) -> None:
    assert await kv.get("missing") is None


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
async def test_a_value_comes_back_byte_for_byte(kv: KeyValue, value: bytes) -> None:
    await kv.set("key", value)
    assert await kv.get("key") == value


async def test_the_last_value_of_a_key_stays(kv: KeyValue) -> None:
    for value in (b"first", b"second, and longer", b"3rd"):
        await kv.set("key", value)
    assert await kv.get("key") == b"3rd"
    assert await keys(kv) == ["key"]


async def test_a_deleted_key_is_gone_and_may_be_deleted_again(kv: KeyValue) -> None:
    await kv.set("key", b"value")
    await kv.set("other", b"stays")
    await kv.delete("key")
    await kv.delete("key")
    assert await kv.get("key") is None
    assert await keys(kv) == ["other"]
    assert await kv.get("other") == b"stays"


async def test_the_longest_key_of_every_character_that_a_platform_allows(kv: KeyValue) -> None:
    key = ("memory-aZ09!-_.'()" * 8)[:128]
    await kv.set(key, b"value")
    assert await kv.get(key) == b"value"
    assert await keys(kv, key) == [key]


async def test_keys_that_differ_only_by_case_are_different_keys(kv: KeyValue) -> None:
    await kv.set("memory-a.1", b"lower")
    await kv.set("memory-A.1", b"upper")
    assert await kv.get("memory-a.1") == b"lower"
    assert await keys(kv, "memory-A") == ["memory-A.1"]


async def test_a_prefix_is_taken_literally(kv: KeyValue) -> None:
    for key in ("memory-a_b.1", "memory-a_b.2", "memory-a_bc.1", "memory-axb.1", "segment-1", "__manifest", "100", "1"):
        await kv.set(key, b"value")
    assert await keys(kv, "memory-a_b.") == ["memory-a_b.1", "memory-a_b.2"]
    assert await keys(kv, "memory-") == ["memory-a_b.1", "memory-a_b.2", "memory-a_bc.1", "memory-axb.1"]
    assert await keys(kv, "__") == ["__manifest"]
    assert await keys(kv, "1%") == []
    assert await keys(kv, "memory-a.b") == []
    assert len(await keys(kv)) == 8


async def test_a_listing_of_2500_keys_has_each_of_them_once(kv: KeyValue) -> None:
    wanted = [f"memory-{number:05}.1" for number in range(2_500)]
    gate = asyncio.Semaphore(16)

    async def put(key: str) -> None:
        async with gate:
            await kv.set(key, b"value")

    await asyncio.gather(*map(put, wanted), put("segment-1"))
    assert await keys(kv, "memory-") == wanted
    assert len(await keys(kv)) == 2_501


async def test_many_values_are_read_at_once_each_byte_for_byte(kv: KeyValue) -> None:
    for key, value in VALUES.items():
        await kv.set(key.replace(" ", "-"), value)
    wanted = [*(key.replace(" ", "-") for key in VALUES), "missing"]

    found = await kv.get_many(key for key in [*wanted, *wanted])

    assert found == {key.replace(" ", "-"): value for key, value in VALUES.items()} | {"missing": None}
    assert await kv.get_many([]) == {}


async def test_1100_values_are_read_at_once(kv: KeyValue) -> None:
    wanted = {f"key-{number}": b"%d" % number for number in range(1_100)}
    gate = asyncio.Semaphore(16)

    async def put(key: str) -> None:
        async with gate:
            await kv.set(key, wanted[key])

    await asyncio.gather(*map(put, wanted))
    assert await kv.get_many(wanted) == wanted


@pytest.mark.parametrize("location", ["folder"], indirect=True)
async def test_a_value_that_the_disk_refuses_among_many_is_an_error_that_names_it(
    kv: KeyValue, location: str, name: str
) -> None:
    await kv.set("key-1", b"value")
    (Path(location) / "key_value_stores" / name / "key-2").mkdir()
    with pytest.raises(StorageUnavailableError, match="key-2"):
        await kv.get_many(["key-1", "key-2"])


async def test_two_stores_know_nothing_of_each_other(open_store: OpenStore, name: str) -> None:
    one, two = await open_store(name), await open_store(f"{name}-2")
    await one.set("key", b"one")
    await two.set("key", b"two")
    await two.delete("key")
    assert await one.get("key") == b"one"
    assert await keys(two) == []


async def test_a_store_opened_again_holds_what_was_set_before(open_store: OpenStore, name: str) -> None:
    await (await open_store(name)).set("key", b"value")
    assert await (await open_store(name)).get("key") == b"value"


async def test_200_values_set_at_once_are_all_there(kv: KeyValue) -> None:
    await asyncio.gather(*(kv.set(f"key-{number}", str(number).encode()) for number in range(200)))
    values = await asyncio.gather(*(kv.get(f"key-{number}") for number in range(200)))
    assert values == [str(number).encode() for number in range(200)]
    assert len(await keys(kv)) == 200


async def test_20_stores_opened_at_once_are_all_usable(open_store: OpenStore, name: str) -> None:
    async def use(number: int) -> bytes | None:
        kv = await open_store(f"{name}-{number % 5}")
        await kv.set(f"key-{number}", str(number).encode())
        return await kv.get(f"key-{number}")

    assert await asyncio.gather(*map(use, range(20))) == [str(number).encode() for number in range(20)]


@pytest.mark.parametrize("location", SHARED, indirect=True)
async def test_processes_that_write_at_once_to_a_new_store_lose_nothing(location: str, name: str) -> None:
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    writers = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "support.key_values", location, name, writer, "50"),
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for writer in ("left", "right")
    ]
    ended = [await writer.communicate() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], ended
    async with stores_at(location) as open_store:
        kv = await open_store(name)
        for writer in ("left", "right"):
            assert len(await keys(kv, f"{writer}-")) == 50
            assert [await kv.get(f"{writer}-{number}") for number in range(50)] == [b"%d" % n for n in range(50)]


async def test_a_memory_store_remembers_updates_and_forgets(kv: KeyValue, location: str, name: str) -> None:
    world = World(stores={STORE: kv})
    one, two, three = [await world.remember(f"Note {number}: {SCRIPTS}") for number in range(3)]
    await world.ask("update", memoryId=two, content="The gateway moved to port 8443.")
    await world.ask("forget", memoryId=three)
    if location != "memory":
        async with stores_at(location) as open_store:
            world.stores[STORE] = await open_store(name)
            body = await world.ask("get", memoryIds=[one, two, three])
    else:
        body = await world.ask("get", memoryIds=[one, two, three])
    assert [memory["content"] for memory in body["memories"]] == [
        f"Note 0: {SCRIPTS}",
        "The gateway moved to port 8443.",
    ]
    assert body["notFound"] == [three]
    assert body["warnings"] == []

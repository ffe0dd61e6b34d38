"""Warm stores are opened once, and kept while there is room."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent_memory.errors import StorageUnavailableError
from agent_memory.store.keys import MANIFEST
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.names import storage_name
from agent_memory.store.warm.stores import Limits, limits_within, warm_stores
from support.warm_stores import WORLD, new_id, texts, warm, write
from support.world import STORE


async def test_a_store_is_opened_once_even_by_many_at_once() -> None:
    opened: list[str] = []

    async def open_kv(name: str) -> KeyValue:
        opened.append(name)
        await asyncio.sleep(0)
        return InMemoryKeyValue()

    async with warm_stores(open_kv, now=WORLD.clock, new_id=new_id) as stores:
        both = await asyncio.gather(*(stores.open("a") for _ in range(5)), stores.open("b"))

        assert len(set(map(id, both))) == 2
        assert opened == [storage_name("a"), storage_name("b")]


async def test_a_store_that_could_not_be_opened_is_tried_again() -> None:
    answers: list[KeyValue | None] = [None, InMemoryKeyValue()]

    async def open_kv(_: str) -> KeyValue:
        if (kv := answers.pop(0)) is None:
            raise StorageUnavailableError("no answer")
        return kv

    async with warm_stores(open_kv, now=WORLD.clock, new_id=new_id) as stores:
        with pytest.raises(StorageUnavailableError):
            await stores.open("a")
        assert texts(await (await stores.open("a")).load()) == []


async def test_the_stores_used_last_are_kept_and_what_the_others_put_off_is_written() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv, Limits(stores=2)) as stores:
        kept = await stores.open(STORE)
        await write(kept, "a")
        assert MANIFEST not in kv.values
        await stores.open("b")
        assert await stores.open(STORE) is kept
        await stores.open("c")
        assert await stores.open(STORE) is kept
        await stores.open("d")
        await stores.open("e")

        assert await stores.open(STORE) is not kept
    assert b'"memoryIds":["a"]' in kv.values[MANIFEST]


async def test_stores_beyond_the_bytes_are_let_go_but_never_the_one_used_last() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv, Limits(bytes=10_000)) as stores:
        big = await stores.open(STORE)
        await write(big, *(f"m-{n}" for n in range(20)))
        assert big.bytes > 10_000
        assert await stores.open(STORE) is big

        small = await stores.open("b")

        assert await stores.open("b") is small
        assert await stores.open(STORE) is not big


async def test_a_slow_store_does_not_keep_others_waiting() -> None:
    slow = asyncio.Event()

    class Slow(InMemoryKeyValue):
        async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
            await slow.wait()
            async for key in super().list_keys(prefix):
                yield key

    async with warm(Slow()) as stores:
        waiting = asyncio.create_task((await stores.open(STORE)).load())
        await write(await stores.open("b"), "quick")
        assert texts(await (await stores.open("b")).load()) == ["text quick"]
        assert not waiting.done()

        slow.set()
        assert texts(await waiting) == []


@pytest.mark.parametrize(("megabytes", "kept"), [(256, 53), (512, 181), (4_096, 256), (128, 32)])
def test_what_is_kept_leaves_room_for_the_process_itself(megabytes: int, kept: int) -> None:
    assert limits_within(megabytes * 1_000_000).bytes == kept * 1_000_000

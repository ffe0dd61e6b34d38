"""A warm store is as fresh as one that is read anew, whatever others write."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent_memory.errors import ConflictError
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.loading import load
from support.faulty_kv import FaultyKeyValue, YieldingKeyValue
from support.revisions import first
from support.warm_stores import WORLD, cold, texts, warm, write
from support.world import STORE


async def test_what_another_process_wrote_is_in_the_next_load() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores, warm(kv) as others:
        here, there = await stores.open(STORE), await others.open(STORE)
        for n in range(5):
            await write(there, f"one-{n}")
            await write(cold(kv), f"two-{n}", f"three-{n}")
            await write(here, f"four-{n}")

            assert len(texts(await here.load())) == len(texts(await there.load())) == 4 * (n + 1)


async def test_a_store_of_another_id_in_the_same_storage_is_refused_whenever_it_is_noticed() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        await write(cold(kv), "b")
        await kv.set(f"store-{'a' * 26}", b"{}")

        with pytest.raises(ConflictError):
            await store.load()


async def test_many_at_once_lose_nothing() -> None:
    kv = YieldingKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await asyncio.gather(*(write(store, f"m-{n}") for n in range(150)))

        assert len((await store.load()).heads) == 150
        await store.settle()
        snapshot = await store.load()
        assert len(snapshot.layout.loose) < 64
        assert len(snapshot.heads) == len((await load(kv, access=False)).heads) == 150


async def test_a_listing_that_began_before_a_write_does_not_undo_it() -> None:
    class Held(InMemoryKeyValue):
        """Lists what was there when the listing began, and answers when it is let through."""

        def __init__(self) -> None:
            super().__init__()
            self.gate = asyncio.Event()
            self.gate.set()

        async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
            keys = [key for key in self.values if key.startswith(prefix)]
            await self.gate.wait()
            for key in keys:
                yield key

    kv = Held()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        view = await store.load()
        kv.gate.clear()
        looking = asyncio.create_task(store.load())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        written = await store.commit(view, [first("b")])
        kv.gate.set()

        assert list(written.heads) == ["a", "b"]
        assert list((await looking).heads) == ["a", "b"]


async def test_a_late_listing_takes_nothing_back_that_was_read() -> None:
    kv = FaultyKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        await write(store, "b", "c")
        everything = frozenset(kv.inner.values)

        kv.unlisted = everything
        assert list((await store.load()).heads) == ["a", "b", "c"]
        kv.unlisted = frozenset()
        assert list((await store.load()).heads) == ["a", "b", "c"]


async def test_access_times_count_at_once_and_are_written_at_the_end() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a", "b")
        snapshot = await store.load()
        await store.touch(snapshot, ["a"])

        times = (await store.load()).access["a"]
        assert times
        assert not [key for key in kv.values if key.startswith("access-")]
        await store.touch(snapshot, ["a"])
        assert (await store.load()).access == {"a": times}

    assert (await load(kv, access=True)).access == {"a": times}
    async with warm(kv) as stores:
        assert (await (await stores.open(STORE)).load()).access == {"a": times}


async def test_what_others_noted_of_accesses_is_taken_up_within_seconds() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store, other = await stores.open(STORE), cold(kv)
        await write(store, "a", "b")
        await store.load()
        WORLD.wait(seconds=11)
        await other.touch(await other.load(), ["b"])

        assert set((await store.load()).access) == {"b"}

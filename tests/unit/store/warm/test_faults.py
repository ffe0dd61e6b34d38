"""A warm store is right, or says that it is not, when its storage fails."""

from contextlib import suppress
from typing import Any

import pytest

from agent_memory.errors import IncompleteError, StorageUnavailableError
from agent_memory.models.vocabulary import State
from agent_memory.store.codec import encode
from agent_memory.store.keys import MANIFEST
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.loading import in_full, load
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.snapshot import Snapshot
from support.faulty_kv import FaultyKeyValue
from support.revisions import after, first
from support.warm_stores import cold, warm, write
from support.world import STORE


async def test_a_key_without_a_value_is_damage_until_it_has_one() -> None:
    ghost = encode(first("ghost"))
    kv = FaultyKeyValue(ghosts=frozenset({str(ghost.key)}))
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        assert (await store.load()).damaged == (await load(kv, access=False)).damaged
        assert len((await store.load()).damaged) == 1

        kv.inner.values[str(ghost.key)] = ghost.line

        snapshot = await store.load()
        assert (sorted(snapshot.heads), snapshot.damaged) == (["a", "ghost"], ())


@pytest.mark.parametrize("failures", [1, 3])
async def test_a_storage_that_fails_anywhere_makes_no_load_wrong_afterwards(failures: int) -> None:
    for fails_at in range(60):
        kv = FaultyKeyValue()
        async with warm(kv) as stores:
            store = await stores.open(STORE)
            await write(store, "a", "b")
            kv.fails_at, kv.failures = len(kv.operations) + fails_at, failures
            other = cold(kv.inner)
            for n in range(3):
                await write(other, f"c-{n}")
                await write(other, f"d-{n}", f"e-{n}")
                view = await other.load()
                base = view.revisions["a"][-1]
                await other.commit(view, [after(base, content=f"update {n}")])
                await attempt(store, f"f-{n}")
            purged = await other.load()
            tombstone = after(purged.revisions["b"][0], content="", state=State.PURGED)
            await other.scrub(await other.commit(purged, [tombstone]))
            await attempt(store, "last")

            kv.fails_at = None
            assert told(await store.load()) == told(await in_full(kv.inner, await load(kv.inner, access=False)))


async def attempt(store: MemoryStore, name: str) -> None:
    with suppress(StorageUnavailableError, IncompleteError):  # any other is a fault of ours
        await write(store, name)


def told(snapshot: Snapshot) -> Any:
    keys = {i: {str(stored.key) for stored in group} for i, group in snapshot.revisions.items()}
    layout = snapshot.layout
    places = layout.loose, layout.covered, layout.moved, {n: sorted(rows) for n, rows in layout.segments.items()}
    return list(snapshot.heads.items()), keys, sorted(snapshot.damaged), places, layout.owners


async def test_rows_that_moved_to_a_segment_that_is_gone_make_a_load_incomplete_and_no_shorter() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a", "b")
        view = await store.load()
        before = set(kv.values)
        await store.scrub(await store.commit(view, [after(*view.revisions["a"], content="", state=State.PURGED)]))
        (fresh,) = (key for key in set(kv.values) - before if key.startswith("segment-"))
        assert "b" in (await store.load()).heads
        value = kv.values.pop(fresh)

        for each in (cold(kv), store, store):
            with pytest.raises(IncompleteError):
                await each.load()
        kv.values[fresh] = value
        assert "b" in (await store.load()).heads


async def test_access_times_that_could_not_be_written_are_written_later() -> None:
    kv = FaultyKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        await store.settle()
        await store.touch(await store.load(), ["a"])
        kv.fails_at = len(kv.operations)
        await store.settle()
        kv.fails_at = None
        await write(store, "b")

    assert set((await load(kv.inner, access=True)).access) == {"a"}
    assert b'"memoryIds":["b","a"]' in kv.inner.values[MANIFEST]


async def test_a_mark_that_could_not_be_written_is_said_and_written_by_the_next_write() -> None:
    kv = FaultyKeyValue(fails_at=None)
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        view = await store.load()
        kv.fails_at, kv.failures = len(kv.operations) + 1, 1

        told_of = await store.commit(view, [first("a")])

        assert "not yet tidied up" in told_of.warnings()[0]
        assert list((await store.load()).heads) == ["a"]
        await write(store, "b")
        assert [key for key in kv.inner.values if key.startswith("store-")]
        assert (await store.load()).warnings() == []

"""Warm stores: kept while there is room, fresh whatever others write, and right when the storage is not."""

import asyncio
import hashlib
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest

from agent_memory.errors import ConflictError, IncompleteError, MemoryServiceError, StorageUnavailableError
from agent_memory.models.vocabulary import State
from agent_memory.store import upkeep
from agent_memory.store.codec import Stored, encode, parse_moved
from agent_memory.store.keys import MANIFEST
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.loading import in_full, load
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.names import storage_name
from agent_memory.store.snapshot import Snapshot
from agent_memory.store.warm.stores import Limits, WarmStores, limits_within, warm_stores
from support.faulty_kv import FaultyKeyValue, YieldingKeyValue
from support.revisions import after, first
from support.world import STORE, World

WORLD = World()


def new_id() -> str:
    return uuid.uuid4().hex


@asynccontextmanager
async def warm(kv: KeyValue, limits: Limits | None = None) -> AsyncGenerator[WarmStores]:
    """Warm stores of which the one called STORE lives in `kv`, and others in memory."""
    others: dict[str, KeyValue] = {storage_name(STORE): kv}

    async def open_kv(name: str) -> KeyValue:
        return others.setdefault(name, InMemoryKeyValue())

    async with warm_stores(open_kv, now=WORLD.clock, new_id=new_id, limits=limits or Limits()) as stores:
        yield stores


def cold(kv: KeyValue, store_id: str = STORE) -> MemoryStore:
    return MemoryStore(store_id=store_id, kv=kv, now=WORLD.clock, new_id=new_id)


def texts(snapshot: Snapshot) -> list[str]:
    return [head.memory.content for head in snapshot.active()]


async def write(store: MemoryStore, *names: str) -> None:
    await store.commit(await store.load(), [first(name, f"text {name}") for name in names])


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
    try:
        await write(store, name)
    except MemoryServiceError as error:
        assert error.code in ("storage_unavailable", "incomplete")  # noqa: PT017  # any other is a fault of ours


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


class Belated(InMemoryKeyValue):
    """A note of where a segment's rows went is kept back."""

    note: tuple[str, bytes] | None = None

    async def set(self, key: str, value: bytes) -> None:
        if self.note is None and parse_moved(value):
            self.note = key, value
        else:
            await super().set(key, value)


async def test_a_note_that_lands_days_late_points_to_what_was_swept_and_stands_in_no_way() -> None:
    kv = Belated()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a", "b")
        view = await store.load()
        await store.scrub(await store.commit(view, [after(*view.revisions["a"], content="", state=State.PURGED)]))
        for name in ("c", "d", "e"):
            WORLD.now += timedelta(days=1.1)
            await cold(kv).tidy(await cold(kv).load())
            await write(store, name)
        assert kv.note is not None
        name, note = kv.note
        assert name not in kv.values
        await kv.set(name, note)

        for each in (cold(kv), store):
            assert texts(await each.load()) == ["text b", "text c", "text d", "text e"]
        async with warm(kv) as others:
            assert len(texts(await (await others.open(STORE)).load())) == 4
        await cold(kv).tidy(await cold(kv).load())
        assert name not in kv.values


async def test_purged_content_is_not_kept_in_memory() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a", "b")
        await write(store, "c")
        for purger in (cold(kv), store):
            for memory_id in ("a", "c"):
                view = await purger.load()
                group = cast("list[Stored]", view.revisions[memory_id])
                await purger.scrub(
                    await purger.commit(view, [after(*group, content="", state=State.PURGED)]),
                )
                snapshot = await store.load()
                assert {stored.revision.memory.content for stored in snapshot.revisions[memory_id]} == {""}
                assert f"text {memory_id}".encode() not in b"".join(stored.line for stored in snapshot.stored())


class Meddled(InMemoryKeyValue):
    """Somebody does something just before a segment is written; once."""

    meddle: Callable[[], Awaitable[object]] | None = None

    async def set(self, key: str, value: bytes) -> None:
        if self.meddle and key.startswith("segment-"):
            meddle, self.meddle = self.meddle, None
            await meddle()
        await super().set(key, value)


async def test_what_is_purged_while_it_is_packed_stays_purged_and_what_was_put_off_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upkeep, "PACK_FROM", 2)
    kv = Meddled()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        await write(store, "b")

        async def purge() -> None:
            view = await cold(kv).load()
            gone = after(*view.revisions["a"], content="", state=State.PURGED)
            await cold(kv).scrub(await cold(kv).commit(view, [gone]))
            await store.load()
            await kv.delete(MANIFEST)

        kv.meddle = purge

        assert await store.listed() == {"b"}
        await store.tidy(await store.load())
        assert texts(await store.load()) == ["text b"]
        assert not [key for key, value in kv.values.items() if b"text a" in value]


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


async def test_what_a_newer_version_wrote_is_refused_until_it_is_gone_and_no_write_is_called_undone_for_it() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        view = await store.load()
        key, line = of_a_newer_version(encode(first("b")))
        kv.values[key] = line

        assert "newer version" in (await refusal(store)).message
        assert (await refusal(store)).message == (await refusal(cold(kv))).message
        after_commit = await store.recheck(await store.commit(view, [first("c")]), "c")
        assert after_commit.find("c") is not None

        del kv.values[key]
        assert sorted((await store.load()).heads) == ["a", "c"]


async def refusal(store: MemoryStore) -> ConflictError:
    with pytest.raises(ConflictError) as caught:
        await store.load()
    return caught.value


def of_a_newer_version(stored: Stored) -> tuple[str, bytes]:
    """The key and the line of a revision in a format that this version does not know."""
    line = stored.line.replace(b'"format":1', b'"format":99')
    return str(replace(stored.key, hash=hashlib.sha256(line).hexdigest()[:20])), line


@pytest.mark.parametrize(("megabytes", "kept"), [(256, 53), (512, 181), (4_096, 256), (128, 32)])
def test_what_is_kept_leaves_room_for_the_process_itself(megabytes: int, kept: int) -> None:
    assert limits_within(megabytes * 1_000_000).bytes == kept * 1_000_000

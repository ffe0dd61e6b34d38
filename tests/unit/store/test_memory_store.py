"""A memory store on its key-value store: what is written when, and what upkeep may delete."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest

from agent_memory.errors import ConflictError, IncompleteError, TooLargeError
from agent_memory.models.vocabulary import State
from agent_memory.store.codec import encode
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.memory_store import MemoryStore
from support.faulty_kv import FaultyKeyValue
from support.revisions import after, first
from support.world import STORE, World


@pytest.fixture
def kv() -> InMemoryKeyValue:
    return InMemoryKeyValue()


@pytest.fixture
def world(kv: InMemoryKeyValue) -> World:
    return World(stores={STORE: kv}, tick=timedelta(milliseconds=1))


@pytest.fixture
def store(world: World) -> MemoryStore:
    return world.memory_store()


def kinds(kv: InMemoryKeyValue) -> dict[str, int]:
    """How many keys there are of each kind."""
    heads = [key.split("-")[0] for key in kv.values]
    return {kind: heads.count(kind) for kind in sorted(set(heads))}


async def test_one_revision_is_one_key_and_many_are_one_segment(store: MemoryStore, kv: InMemoryKeyValue) -> None:
    await store.commit(await store.load(), [first("a")])
    assert kinds(kv) == {"__manifest": 1, "memory": 1, "store": 1}

    await store.commit(await store.load(), [first("b"), first("c")])
    assert kinds(kv) == {"__manifest": 1, "memory": 1, "segment": 1, "store": 1}


async def test_nothing_to_add_writes_nothing(store: MemoryStore, kv: InMemoryKeyValue) -> None:
    await store.commit(await store.load(), [])
    await store.touch(await store.load(), [])

    assert kv.values == {}


async def test_a_written_key_is_never_written_again(store: MemoryStore, kv: InMemoryKeyValue) -> None:
    base = first("a")
    await store.commit(await store.load(), [base])
    before = {key: value for key, value in kv.values.items() if key.startswith("memory-")}
    await store.commit(await store.load(), [after(encode(base), content="changed")])

    assert before.items() <= kv.values.items()
    assert kinds(kv)["memory"] == 2


async def test_what_commit_answers_is_what_a_load_finds(store: MemoryStore) -> None:
    answered = await store.commit(await store.load(), [first("a"), first("b")])
    loaded = await store.load()

    assert loaded.heads == answered.heads
    assert loaded.damaged == ()


async def test_the_manifest_lists_the_newest_first_and_is_never_read(store: MemoryStore, kv: InMemoryKeyValue) -> None:
    for name in ("a", "b", "c"):
        await store.commit(await store.load(), [first(name, at=f"2026-03-01T00:00:00.00{ord(name) - 97}Z")])

    manifest = json.loads(kv.values["__manifest"])
    assert manifest["memoryIds"] == ["c", "b", "a"]
    assert (manifest["version"], manifest["truncated"], manifest["memoryStoreId"]) == (2, False, STORE)
    kv.values["__manifest"] = b'{"memoryIds": ["zzz"]}'
    assert list((await store.load()).heads) == ["a", "b", "c"]


async def test_the_manifest_has_a_cap(store: MemoryStore, kv: InMemoryKeyValue) -> None:
    await store.commit(await store.load(), [first(f"m-{n:05}", "x", index=n) for n in range(10_050)])

    manifest = json.loads(kv.values["__manifest"])
    assert (len(manifest["memoryIds"]), manifest["truncated"]) == (10_000, True)
    assert manifest["memoryIds"][0] == "m-10049"
    assert max(map(len, kv.values.values())) < 4_000_000


async def test_a_revision_that_fits_no_value_is_refused_before_anything_is_written(
    store: MemoryStore, kv: InMemoryKeyValue
) -> None:
    with pytest.raises(TooLargeError, match=r"3\.9 MB"):
        await store.commit(await store.load(), [first("a"), first("b", "x" * 3_950_000)])

    assert kv.values == {}


async def test_a_store_of_another_owner_is_refused(store: MemoryStore, world: World) -> None:
    await store.commit(await store.load(), [first("a")])
    world.stores["acme~other"] = world.stores[STORE]

    with pytest.raises(ConflictError, match="acme~other"):
        await world.memory_store("acme~other").load()


async def test_access_times_are_written_at_most_once_an_hour_and_merged_by_the_later(
    store: MemoryStore, world: World, kv: InMemoryKeyValue
) -> None:
    await store.commit(await store.load(), [first("a"), first("b")])
    for _ in range(10):
        await store.touch(await store.load(), ["a"])
    assert kinds(kv)["access"] == 1

    seen: list[str] = []
    for _ in range(30):
        world.wait(hours=1)
        await store.touch(await store.load(), ["a", "b"])
        seen.append((await store.load()).access["a"][0])
    assert seen == sorted(seen)
    assert len(set(seen)) == 30
    assert kinds(kv)["access"] <= 8


async def test_access_times_of_what_is_gone_are_dropped(store: MemoryStore, world: World, kv: InMemoryKeyValue) -> None:
    await store.commit(await store.load(), [first("a")])
    kv.values["access-0"] = b'{"ghost": ["2026-03-01T00:00:00.000Z"]}'
    for _ in range(60):
        world.wait(hours=1)
        await store.touch(await store.load(), ["a"])

    assert b"ghost" not in kv.values["access-0"]


class Vanishing(FaultyKeyValue):
    """So many listings show one key that is gone by the next."""

    def __init__(self, inner: InMemoryKeyValue, listings: int) -> None:
        super().__init__(inner)
        self.left = listings
        self.ghosts = frozenset([str(encode(first("ghost")).key)])

    async def get(self, key: str) -> bytes | None:
        if key in self.ghosts:
            self.left -= 1
            again = [str(encode(first(f"ghost-{self.left}")).key)] if self.left > 0 else []
            self.ghosts = frozenset(again)
        return await super().get(key)


async def test_a_listing_that_never_settles_is_incomplete(kv: InMemoryKeyValue, world: World) -> None:
    world.stores[STORE] = Vanishing(kv, 1_000)

    with pytest.raises(IncompleteError, match="Try again"):
        await world.memory_store().load()


async def test_a_listing_may_settle_late(kv: InMemoryKeyValue, world: World) -> None:
    world.stores[STORE] = Vanishing(kv, 15)

    assert not (await world.memory_store().load()).damaged


async def test_only_what_a_segment_has_held_for_a_day_is_deleted(
    store: MemoryStore, world: World, kv: InMemoryKeyValue
) -> None:
    for n in range(64):
        await store.commit(await store.load(), [first(f"m-{n}", f"text {n}")])
    assert kinds(kv) == {"__manifest": 1, "memory": 64, "segment": 1, "store": 1}

    for hours, left in ((0, 64), (23, 64), (2, 0)):
        world.wait(hours=hours)
        await store.tidy(await store.load())
        assert kinds(kv).get("memory", 0) == left
    assert len((await store.load()).heads) == 64


async def test_a_single_is_kept_while_its_segment_is_damaged(
    store: MemoryStore, world: World, kv: InMemoryKeyValue
) -> None:
    for n in range(64):
        await store.commit(await store.load(), [first(f"m-{n}", f"text {n}")])
    snapshot = await store.load()
    key = next(key for key in kv.values if key.startswith("segment-"))
    kv.values[key] = kv.values[key].replace(b"text 7", b"text X")
    world.wait(days=3)

    await store.tidy(snapshot)

    assert [k for k in kv.values if k.startswith("memory-")] == [str(encode(first("m-7", "text 7")).key)]
    assert len((await store.load()).heads) == 64


async def test_many_small_segments_become_few(store: MemoryStore, world: World, kv: InMemoryKeyValue) -> None:
    for batch in range(20):
        await store.commit(await store.load(), [first(f"m-{batch}-{n}", f"text {batch} {n}") for n in range(3)])
        world.wait(minutes=1)
    before = (await store.load()).heads

    for _ in range(3):
        await store.tidy(await store.load())
        world.wait(days=2)

    assert kinds(kv)["segment"] == 1
    assert (await store.load()).heads == before


async def test_tidying_packs_what_stands_alone_and_a_day_later_only_the_segment_is_left(
    store: MemoryStore, world: World, kv: InMemoryKeyValue
) -> None:
    await store.commit(await store.load(), [first(f"m-{n}", f"text {n}") for n in range(3)])
    for n in range(3, 8):
        await store.commit(await store.load(), [first(f"m-{n}", f"text {n}")])
    before = (await store.load()).heads

    await store.tidy(await store.load())
    packed = await store.load()
    world.wait(days=1, minutes=1)
    await store.tidy(packed)

    assert packed.layout.loose == frozenset()
    assert (kinds(kv).get("memory", 0), kinds(kv)["segment"]) == (0, 1)
    assert (await store.load()).heads == before


async def test_one_memory_alone_is_not_packed_again_and_again(store: MemoryStore, kv: InMemoryKeyValue) -> None:
    await store.commit(await store.load(), [first()])
    for _ in range(3):
        await store.tidy(await store.load())

    assert kinds(kv) == {"memory": 1, "store": 1, "__manifest": 1}


async def test_one_listing_after_a_write_serves_the_list_for_people_and_the_look_at_what_others_did(
    world: World,
) -> None:
    kv = FaultyKeyValue()
    world.stores[STORE] = kv
    memory_id = await world.remember("The port is 8080.")
    kv.operations.clear()

    await world.ask("update", memoryId=memory_id, content="The port is 9090.")

    verbs = [operation.split(" ")[0] for operation in kv.operations]
    assert verbs == ["list", "get", "set", "list", "set"]


class PurgedMeanwhile(InMemoryKeyValue):
    """Another writer purges a memory just before the value under one of its keys is read."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.purge: str | None = None

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        wanted = list(keys)
        if self.purge and any(f"-{self.purge}." in key for key in wanted):
            memory_id, self.purge = self.purge, None
            body = await self.world.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}")
            assert body["ok"], body
        return await super().get_many(wanted)


async def test_a_writer_sees_that_it_was_absorbed_though_the_forget_it_listed_was_purged_before_it_was_read(
    world: World,
) -> None:
    kv = PurgedMeanwhile(world)
    world.stores[STORE] = kv
    store = world.memory_store()
    snapshot = await store.commit(await store.load(), [first("a"), first("b")])
    assert (await world.ask("forget", memoryId="a"))["ok"]
    written = await store.commit(snapshot, [after(snapshot.revisions["a"][0], content="An update.")])
    kv.purge = "a"

    seen = await store.recheck(written, "a")

    assert seen.heads["a"].state.hidden
    assert seen.damaged == ()


async def test_two_purges_at_once_both_remove_their_content(store: MemoryStore, world: World) -> None:
    bulk = await world.ask("remember", memories=[{"content": f"Secret number {n}."} for n in range(3)])
    one, other, kept = [result["memoryId"] for result in bulk["results"]]
    snapshot = await store.load()
    gone = after(snapshot.revisions[one][0], state=State.PURGED)
    gone = replace(gone, memory=replace(gone.memory, content="", title=""))
    snapshot = await store.commit(snapshot, [gone])
    assert (await world.ask("purge", memoryId=other, confirm=f"DELETE {other}"))["ok"]

    await store.scrub(snapshot)

    values = world.values().values()
    assert not any(b"number 0" in value or b"number 1" in value for value in values)
    assert (await world.ask("get", memoryId=kept))["ok"]

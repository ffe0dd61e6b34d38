"""A store is a set of revisions: order, concurrency, packing and sweeping change no answer."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored, encode
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.resolve import Head, resolve
from agent_memory.store.snapshot import Snapshot, build
from support.revisions import after, first, histories
from support.world import STORE, World
from torture.many_names import different_texts, names_apart


def ancestors(start: str, known: dict[str, Stored]) -> set[str]:
    found: set[str] = set()
    waiting = list(known[start].revision.parents)
    while waiting:
        parent = waiting.pop()
        if parent not in found:
            found.add(parent)
            waiting += known[parent].revision.parents
    return found


@settings(deadline=None)
@given(histories(), st.data())
def test_the_state_of_a_memory_does_not_depend_on_the_order_of_its_revisions(
    history: list[Stored], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(history))

    assert resolve(shuffled) == resolve(history)
    assert build(shuffled).heads == build([*history, *shuffled]).heads


@settings(deadline=None)
@given(histories())
def test_a_forget_absorbs_all_that_has_not_seen_it(history: list[Stored]) -> None:
    known = {stored.key.hash: stored for stored in history}
    forgets = {h for h, stored in known.items() if stored.revision.state is State.FORGOTTEN}

    head = resolve(history)

    if head.state is State.FORGOTTEN:
        alive = [h for h in known if h not in forgets and forgets <= ancestors(h, known)]
        assert alive == []
    else:
        assert forgets <= ancestors(head.hash, known)


@settings(deadline=None)
@given(histories())
def test_nothing_concurrent_is_lost_unless_a_forget_absorbed_it(history: list[Stored]) -> None:
    known = {stored.key.hash: stored for stored in history}
    head = resolve(history)
    if head.state is State.FORGOTTEN:
        return

    forgets = {h for h, stored in known.items() if stored.revision.state is State.FORGOTTEN}
    seen = {parent for stored in history for parent in stored.revision.parents}
    for stored in history:
        superseded = stored.key.hash in seen
        absorbed = not forgets <= ancestors(stored.key.hash, known)
        assert superseded or absorbed or stored.key.hash in (head.hash, *head.conflicts)


@settings(deadline=None)
@given(histories())
def test_a_restore_that_has_seen_everything_brings_a_memory_back(history: list[Stored]) -> None:
    restored = encode(after(*history, content="back again"))

    head = resolve([*history, restored])

    assert (head.state, head.memory.content, head.conflicts) == (State.ACTIVE, "back again", ())


@settings(deadline=None)
@given(histories())
def test_a_forget_that_nobody_answered_hides_a_memory(history: list[Stored]) -> None:
    for seen in history:
        forget = encode(after(seen, state=State.FORGOTTEN))
        assert resolve([*history, forget]).state is State.FORGOTTEN


def heads(snapshot: Snapshot) -> dict[str, Head]:
    return snapshot.heads


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_interleaved_writers_lose_nothing(sizes: list[int]) -> None:
    async def scenario() -> None:
        world = World()
        store = world.memory_store()
        views = [await store.load() for _ in sizes]
        written: list[str] = []
        for writer, (size, view) in enumerate(zip(sizes, views, strict=True)):
            revisions = [first(f"m-{writer}-{n}", f"text {writer} {n}") for n in range(size)]
            await store.commit(view, revisions)
            written += [revision.memory.id for revision in revisions]

        assert set((await store.load()).heads) == set(written)

    asyncio.run(scenario())


def test_two_updates_from_the_same_view_both_stay_and_a_forget_beats_an_update() -> None:
    async def scenario() -> None:
        store = World().memory_store()
        view = await store.commit(await store.load(), [first()])
        base = view.revisions["m-1"][0]
        for text in ("one", "two"):
            await store.commit(view, [after(base, content=text)])
        both = (await store.load()).heads["m-1"]
        assert len(both.conflicts) == 1

        await store.commit(view, [after(base, state=State.FORGOTTEN)])
        await store.commit(view, [after(base, content="three")])
        assert (await store.load()).heads["m-1"].state is State.FORGOTTEN

    asyncio.run(scenario())


@settings(deadline=None, max_examples=10)
@given(st.integers(55, 140))
def test_packing_sweeping_and_merging_change_no_answer(count: int) -> None:
    async def scenario() -> None:
        world = World(tick=timedelta(seconds=1))
        kv = InMemoryKeyValue()
        world.stores[STORE] = kv
        store = world.memory_store()
        for n in range(count):
            snapshot = await store.load()
            if n % 5 == 4:
                parent = encode(first(f"m-{n - 1}", f"text {n - 1}"))
                revision = after(parent, content=f"changed {n}", state=State.FORGOTTEN if n % 3 else State.ACTIVE)
            else:
                revision = first(f"m-{n}", f"text {n}")
            await store.commit(snapshot, [revision])
        everything = await store.load()
        singles = [key for key in kv.values if key.startswith("memory-")]
        assert len(singles) == count

        await store.tidy(everything)
        assert sorted(key for key in kv.values if key.startswith("memory-")) == sorted(singles)
        world.wait(days=1.1)
        await store.tidy(await store.load())
        left = await store.load()

        assert heads(left) == heads(everything)
        assert left.revisions.keys() == everything.revisions.keys()
        assert left.damaged == ()
        for key in singles:
            assert key in kv.values or any(key in rows for rows in left.layout.segments.values())

    asyncio.run(scenario())


def test_packing_happens_at_64_loose_singles_and_keeps_them_for_a_day() -> None:
    async def scenario() -> None:
        world = World()
        kv = InMemoryKeyValue()
        world.stores[STORE] = kv
        store = world.memory_store()
        counts: list[tuple[int, int]] = []
        for n in range(65):
            await store.commit(await store.load(), [first(f"m-{n}", f"text {n}")])
            counts.append(
                (sum(k.startswith("memory-") for k in kv.values), sum(k.startswith("segment-") for k in kv.values))
            )
        assert counts[62:] == [(63, 0), (64, 1), (65, 1)]
        world.wait(days=2)
        await store.tidy(await store.load())

        assert [key for key in kv.values if key.startswith("memory-")] == [str(encode(first("m-64", "text 64")).key)]
        assert len((await store.load()).heads) == 65

    asyncio.run(scenario())


@pytest.mark.torture
def test_two_hundred_thousand_store_ids_have_names_of_their_own() -> None:
    assert different_texts(200_000) == 200_000
    assert names_apart(200_000) == 200_000

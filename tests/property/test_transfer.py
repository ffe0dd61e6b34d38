"""Export and import: nothing is lost or changed on the way, and stores that exchange exports become the same."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.models.memory import Memory
from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored, encode
from agent_memory.store.export_line import LineError, read_line
from agent_memory.store.kv import InMemoryKeyValue
from support.revisions import after, first, histories
from support.world import World

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda text: bool(text.strip("\ufeff\u200b\x00 \t\r\n")) and bool(text.strip())
)


@st.composite
def stores(draw: st.DrawFn) -> list[Stored]:
    """The revisions of up to four memories, some purged, with texts in any script."""
    known: list[Stored] = []
    for number in range(draw(st.integers(0, 4))):
        history = draw(histories(f"m-{number}", 5))
        text = after(history[-1], content=draw(TEXTS))
        known += [*history, encode(text)]
        if draw(st.integers(0, 4)) == 0:
            known.append(purge(history))
    return known


def purge(history: Sequence[Stored]) -> Stored:
    """The revision that purges a memory, as the action purge writes it."""
    revision = after(history[-1], state=State.PURGED)
    at = revision.at
    bare = Memory(id=revision.memory.id, content="", title="", created_at=at, updated_at=at)
    return encode(replace(revision, memory=bare))


def filled(world: World, revisions: Sequence[Stored]) -> World:
    async def fill() -> None:
        store = world.memory_store()
        await store.scrub(await store.add(await store.load(), revisions))

    asyncio.run(fill())
    return world


def export(world: World) -> bytes:
    body = asyncio.run(world.ask("export", status="all"))
    assert body["ok"], body
    return b"".join(world.records.values[name] for name in body["records"])


def take(world: World, lines: bytes) -> dict[str, Any]:
    """The answer to importing `lines`."""
    source = InMemoryKeyValue()
    source.values["EXPORT"] = lines
    world.sources["other"] = source
    body = asyncio.run(world.ask("import", sourceStore="other"))
    assert body["ok"], body
    return body


def contents(world: World) -> dict[str, bytes]:
    kv = world.memory_store().kv
    assert isinstance(kv, InMemoryKeyValue)
    return dict(kv.values)


@settings(deadline=None, max_examples=30)
@given(stores())
def test_what_an_empty_store_has_imported_it_exports_byte_for_byte(revisions: list[Stored]) -> None:
    lines = export(filled(World(), revisions))

    copy = World()
    take(copy, lines)

    assert export(copy) == lines


@settings(deadline=None, max_examples=20)
@given(stores())
def test_importing_twice_changes_nothing_more(revisions: list[Stored]) -> None:
    lines = export(filled(World(), revisions))
    copy = World()
    take(copy, lines)
    before = contents(copy)

    body = take(copy, lines)

    assert contents(copy) == before
    assert body["revisions"] == 0
    assert body["message"].startswith("Nothing changed")


@settings(deadline=None, max_examples=30)
@given(stores(), st.data())
def test_stores_that_took_in_each_others_exports_export_the_same(revisions: list[Stored], data: st.DataObject) -> None:
    sides = [filled(World(), [s for s in revisions if data.draw(st.booleans())]) for _ in range(2)]
    lines = [export(world) for world in sides]

    take(sides[0], lines[1])
    take(sides[1], export(sides[0]) if data.draw(st.booleans()) else lines[0])

    assert export(sides[0]) == export(sides[1])


@settings(deadline=None, max_examples=20)
@given(stores(), st.randoms(use_true_random=False))
def test_the_order_of_the_lines_does_not_matter(revisions: list[Stored], rng: Any) -> None:
    lines = export(filled(World(), revisions))
    shuffled = lines.splitlines(keepends=True)
    rng.shuffle(shuffled)

    copy = World()
    take(copy, b"".join(shuffled))

    assert export(copy) == lines


LINE = export(filled(World(), [encode(first())]))


@settings(deadline=None, max_examples=300)
@given(JSON, st.sampled_from(["agentMemoryExport", "id", "revisions", "key", "revision", "memory", "metadata", "at"]))
def test_any_json_in_any_place_of_a_line_is_read_or_refused_with_a_reason(value: Any, place: str) -> None:
    line = json.loads(LINE)
    row = line["revisions"][0]
    for part in (line, row, row["revision"], row["revision"]["memory"]):
        if place in part:
            part[place] = value

    assert reading(line)


def reading(line: Any) -> str:
    """`read`, or the reason why not; any other exception is a bug."""
    try:
        revisions, _ = read_line(line)
    except LineError as error:
        return str(error)
    return "read" if len(revisions) == 1 else ""

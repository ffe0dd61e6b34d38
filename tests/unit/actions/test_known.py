"""What a text or a key stands for is the same whether it was noted little by little or all at once."""

from dataclasses import replace
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.actions.common.known import KNOWN, Known
from agent_memory.models.revision import Origin
from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored, encode
from agent_memory.store.snapshot import Snapshot, build
from support.revisions import after, first

TEXTS = ("one", "two", "three")
KEYS: Final[tuple[str, ...]] = ("k-1", "k-2")


@st.composite
def revisions(draw: st.DrawFn) -> list[Stored]:
    """Memories of few texts and keys, some of them changed, forgotten or purged."""
    found: list[Stored] = []
    for number in range(draw(st.integers(1, 5))):
        at = f"2026-03-0{draw(st.integers(1, 3))}T00:00:00.000Z"
        keys: dict[str, str] = dict.fromkeys(draw(st.lists(st.sampled_from(KEYS), unique=True)), "asked")
        born = replace(first(f"m-{number}", draw(st.sampled_from(TEXTS)), at), origin=Origin(at=at, keys=keys))
        found.append(encode(born))
        if draw(st.booleans()):
            state, text = draw(st.sampled_from(list(State))), draw(st.sampled_from(TEXTS))
            found.append(encode(after(found[-1], content=text, state=state)))
    return found


def answers(known: Known, snapshot: Snapshot) -> list[str | None]:
    digests = {head.dedupe for head in snapshot.heads.values()}
    heads = [
        *(twin for d in sorted(digests) for twin in known.twins(d, snapshot)),
        *(known.bound(key, snapshot) for key in KEYS),
    ]
    return [head and head.memory.id for head in heads]


def expected(snapshot: Snapshot) -> list[str | None]:
    twins: dict[str, list[str]] = {}
    for head in snapshot.active():
        twins.setdefault(head.dedupe, []).insert(0, head.memory.id)
    bound = {key: head.memory.id for head in snapshot.heads.values() for key in head.origin.keys}
    digests = {head.dedupe for head in snapshot.heads.values()}
    return [*(twin for digest in sorted(digests) for twin in twins.get(digest, [])), *(bound.get(key) for key in KEYS)]


@settings(deadline=None)
@given(revisions(), st.data())
def test_the_memory_committed_last_stands_for_a_text_and_for_a_key(stored: list[Stored], data: st.DataObject) -> None:
    some = data.draw(st.lists(st.sampled_from(stored)))
    before, now = build(some), build(stored)
    ids = frozenset(head.memory.id for head in now.heads.values() if head != before.heads.get(head.memory.id))

    known = KNOWN.build(before)
    assert answers(known, before) == expected(before)
    known = KNOWN.extend(known, now, ids)

    assert answers(known, now) == expected(now)
    gone = KNOWN.extend(known, build([]), frozenset(now.heads))
    assert (gone.digests, gone.keys, gone.noted) == ({}, {}, {})


def test_a_writer_with_an_older_view_is_told_nothing_that_it_cannot_see() -> None:
    base = encode(first("a", "one"))
    before = build([base])
    known = KNOWN.build(before)
    digest = before.heads["a"].dedupe
    now = build([base, encode(after(base, content="two")), encode(first("b", "one"))])

    known = KNOWN.extend(known, now, frozenset("ab"))

    assert known.twins(digest, before) == []
    assert known.twins(digest, now) == [now.heads["b"]]

"""Revisions and segments as bytes: what is read is what was written, or is called damaged."""

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import (
    DamagedError,
    Stored,
    decode,
    decode_segment,
    encode,
    encode_segment,
    moved,
    parse_moved,
    split,
    to_json,
)
from support.revisions import after, first

CHARACTERS = st.characters(exclude_categories=["Cs"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(CHARACTERS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(CHARACTERS), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.text(CHARACTERS), st.dictionaries(st.text(CHARACTERS, max_size=8), JSON, max_size=4))
def test_any_memory_survives_encoding(content: str, metadata: dict[str, object]) -> None:
    revision = first(content=content)
    revision = replace(revision, memory=replace(revision.memory, metadata=metadata, tags=(content[:50],)))

    stored = encode(revision)

    assert b"\n" not in stored.line
    assert decode(stored.key, stored.line) == stored
    again = encode(decode(stored.key, stored.line).revision)
    assert (again.key, again.line) == (stored.key, stored.line)


@settings(deadline=None)
@given(st.lists(st.text(CHARACTERS, min_size=1), min_size=1, max_size=12), st.data())
def test_any_change_of_a_stored_byte_is_noticed(texts: list[str], data: st.DataObject) -> None:
    stored = encode(first(content=" ".join(texts)))
    place = data.draw(st.integers(0, len(stored.line) - 1))
    changed = bytes([stored.line[place] ^ data.draw(st.integers(1, 255))])

    with pytest.raises(DamagedError):
        decode(stored.key, stored.line[:place] + changed + stored.line[place + 1 :])


def many(count: int, size: int) -> list[Stored]:
    return [encode(first(f"m-{n}", f"{n} " + "é" * size)) for n in range(count)]


@pytest.mark.parametrize(("count", "size"), [(1, 10), (500, 10), (60, 100_000), (3, 1_700_000), (1000, 4_000)])
def test_segments_hold_everything_in_order_and_none_exceeds_four_megabytes(count: int, size: int) -> None:
    revisions = many(count, size)

    segments = list(map(encode_segment, split(revisions)))

    rows = [row for segment in segments for row in decode_segment(segment)]
    assert [(key, line) for key, line in rows] == [(stored.key, stored.line) for stored in revisions]
    assert max(map(len, segments)) < 4_000_000


def test_no_revisions_make_no_segment() -> None:
    assert list(split([])) == []


@pytest.mark.parametrize("keep", [0.0, 0.01, 0.2, 0.5, 0.8, 0.999])
def test_a_segment_cut_short_tells_that_something_is_missing(keep: float) -> None:
    segment = encode_segment(many(20, 50))

    rows = list(decode_segment(segment[: int(len(segment) * keep)]))

    readable = 0
    damaged = 0
    for key, line in rows:
        try:
            assert key is not None
            decode(key, line)
            readable += 1
        except (DamagedError, AssertionError):
            damaged += 1
    assert readable < 20
    assert damaged


def test_the_state_shows_in_the_key() -> None:
    base = encode(first())
    for state in (State.ARCHIVED, State.FORGOTTEN):
        assert encode(after(base, state=state)).key.state is state


@pytest.mark.parametrize("line", [b"", b"{}", b"null", b"[1]", b'{"format": 2}', b"\xff"])
def test_what_was_never_a_revision_is_damaged(line: bytes) -> None:
    key = replace(encode(first()).key, hash=hashlib.sha256(line).hexdigest()[:20])

    with pytest.raises(DamagedError):
        decode(key, line)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_numbers_that_json_has_not_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_json(value)


@pytest.mark.parametrize("cut", [1, 10, 30])
def test_a_note_of_moved_rows_that_was_cut_off_is_damage_and_no_note(cut: int) -> None:
    note = moved(["segment-1"], 5)

    assert parse_moved(note) == (["segment-1"], 5)
    assert parse_moved(note[:-cut]) is None

"""The grammar of keys: what is written is read back, and every key is legal."""

import re

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.models.vocabulary import State
from agent_memory.store.keys import (
    KEY_LENGTH,
    RevisionKey,
    parse_revision_key,
    passed_over,
    segment_key,
    segment_time,
)

LEGAL = re.compile(r"[a-zA-Z0-9!\-_.'()]{1,128}")
HEX = st.text("0123456789abcdef", min_size=16, max_size=32)
IDS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=1, max_size=64)
KEYS = st.builds(
    RevisionKey,
    IDS,
    st.integers(1, 999_999_999),
    st.one_of(st.text("0123456789abcdef", min_size=16, max_size=16), st.sampled_from(["archived", "forgotten"])),
    st.text("0123456789abcdef", min_size=20, max_size=20),
)


@given(KEYS)
def test_a_revision_key_is_read_back_as_it_was_written(key: RevisionKey) -> None:
    assert parse_revision_key(str(key)) == key


@given(KEYS)
def test_a_revision_key_is_legal_on_the_platform(key: RevisionKey) -> None:
    assert LEGAL.fullmatch(str(key))
    assert len(str(key)) <= KEY_LENGTH


@given(st.integers(0, 16**12 - 1), HEX)
def test_a_segment_key_tells_when_it_was_written_and_sorts_by_it(milliseconds: int, digits: str) -> None:
    key = segment_key(milliseconds, digits)

    assert segment_time(key) == milliseconds
    assert LEGAL.fullmatch(key)
    assert key <= segment_key(milliseconds + 1, digits) or milliseconds == 16**12 - 1


@given(st.integers(0, 16**12 - 1), st.lists(HEX, min_size=2, max_size=9, unique_by=lambda digits: digits[:16]))
def test_a_segment_key_names_what_it_replaces(milliseconds: int, digits: list[str]) -> None:
    beside, *old = (segment_key(milliseconds, one) for one in digits)
    key = segment_key(milliseconds, "e" * 16, instead_of=old)
    joined = segment_key(milliseconds, "f" * 16, instead_of=old, beside=beside)

    for name in (key, joined):
        assert segment_time(name) == milliseconds
        assert LEGAL.fullmatch(name)
        assert len(name) <= KEY_LENGTH
    assert passed_over([*old, key]) == set(old[:5])
    assert passed_over([*old, joined, beside]) == set(old[:4])
    assert passed_over([*old, joined]) == set()
    assert passed_over([key]) == set()


@given(st.text(max_size=80))
def test_any_other_text_is_no_key(text: str) -> None:
    key = parse_revision_key(text)
    assert key is None or str(key) == text
    assert segment_time(text) is None or text.startswith("segment-")


def test_near_misses_are_no_keys() -> None:
    good = "memory-a.1.0123456789abcdef.0123456789abcdef0123"
    assert parse_revision_key(good) is not None
    for bad in (
        good + "\n",
        good.upper(),
        good[:-1],
        good + "0",
        good.replace(".1.", ".x."),
        good.replace("a.", "a/b."),
        "",
    ):
        assert parse_revision_key(bad) is None, bad
    assert segment_time("segment-0123456789abcdef0123456789ab\n") is None


def test_a_key_tells_the_state_without_its_value() -> None:
    for word, state in (("archived", State.ARCHIVED), ("forgotten", State.FORGOTTEN), ("0" * 16, State.ACTIVE)):
        assert RevisionKey("a", 1, word, "0" * 20).state is state

"""Whether a memory says something else than it did at an instant."""

from dataclasses import replace
from operator import attrgetter

import pytest

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored, encode
from agent_memory.store.resolve import changed_since, resolve
from support.revisions import after, first


def changed(at: str, *revisions: Stored) -> bool:
    return changed_since(resolve(revisions), revisions, at, attrgetter("content"))


@pytest.mark.parametrize(("at", "said"), [("0", True), ("1", True), ("2", True), ("3", False), ("4", False)])
def test_it_is_held_against_what_stood_then_or_first(at: str, said: bool) -> None:
    one = encode(first(content="a", at="1"))
    two = encode(after(one, content="b", at="2"))
    three = encode(after(two, content="c", at="3"))

    assert changed(at, one, two, three) is said


def test_what_it_says_again_is_no_change() -> None:
    one = encode(first(content="a", at="1"))
    two = encode(after(one, content="b", at="2"))
    three = encode(after(two, content="a", at="3"))

    assert not changed("1", one, two, three)
    assert changed("2", one, two, three)


def test_behind_a_damaged_revision_no_change_is_known() -> None:
    one = encode(first(content="a", at="1"))
    two = encode(after(one, content="b", at="2"))
    three = encode(after(two, content="c", at="3"))

    assert not changed("1", one, three)


def test_what_was_only_proposed_was_never_said() -> None:
    proposed = encode(replace(first(content="a", at="1"), state=State.PROPOSED))
    added = encode(after(proposed, content="b", at="2"))

    assert not changed("1", proposed, added)

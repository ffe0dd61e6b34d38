"""Who may do what."""

import unicodedata

import pytest

from agent_memory.errors import ForbiddenError
from agent_memory.models.vocabulary import Channel
from agent_memory.transports.caller import Caller, Right


def caller(*stores: str, right: Right = Right.READ) -> Caller:
    return Caller(name="ana", channel=Channel.API, right=right, stores=stores)


@pytest.mark.parametrize(
    ("pattern", "store"),
    [
        ("acme~notes", "acme~notes"),
        ("acme~*", "acme~"),
        ("acme~*", "acme~a\nb"),
        ("*", "项目"),
        ("*~notes", "a~b~notes"),
        ("a.c[d]?", "a.c[d]?"),
        (unicodedata.normalize("NFD", "café"), unicodedata.normalize("NFC", "café")),
    ],
)
def test_a_pattern_reaches_the_stores_it_means(pattern: str, store: str) -> None:
    caller("other", pattern).require(store, Right.READ)


@pytest.mark.parametrize(
    ("pattern", "store"),
    [
        ("acme~notes", "acme~notes2"),
        ("acme~notes", "acme~notes\n"),
        ("acme~notes", "Acme~notes"),
        ("acme~*", "acm~x"),
        ("a.c", "abc"),
        ("a|b", "a"),
        ("", "a"),
    ],
)
def test_a_pattern_reaches_nothing_else(pattern: str, store: str) -> None:
    with pytest.raises(ForbiddenError, match="does not reach"):
        caller(pattern).require(store, Right.READ)


def test_a_caller_for_no_store_reaches_none() -> None:
    with pytest.raises(ForbiddenError):
        caller().require("a", Right.READ)


def test_each_right_holds_those_before_it() -> None:
    for held in Right:
        for asked in Right:
            if asked <= held:
                caller("*", right=held).require("a", asked)
                continue
            with pytest.raises(ForbiddenError, match=f"may {held.name.lower()}.*right to {asked.name.lower()}"):
                caller("*", right=held).require("a", asked)


def test_a_refusal_repeats_no_store_and_no_pattern() -> None:
    with pytest.raises(ForbiddenError) as refused:
        caller("secret-project").require("other-project", Right.WRITE)

    assert "project" not in refused.value.message


def test_what_reaches_beyond_one_store_takes_a_caller_for_all() -> None:
    caller("a", "*").require_everywhere("An export")
    with pytest.raises(ForbiddenError, match="An export reaches beyond"):
        caller("a*").require_everywhere("An export")


def test_a_right_is_read_from_its_word() -> None:
    assert [Right.of(word) for word in ("read", "write", "approve")] == list(Right)

"""What a question names weighs more than other words of it, what only asks weighs less."""

import pytest

from agent_memory.ranking.emphasis import emphasis
from agent_memory.ranking.query import parse_query
from agent_memory.ranking.recipes import DEFAULT
from agent_memory.ranking.search import search
from support.documents import NOW, documents


def weights(text: str) -> dict[str, float]:
    return dict(emphasis(parse_query(text), DEFAULT).terms)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("what does `close` return", "close"),
        ("where is close() called", "close"),
        ("who calls PoolTimer", "pooltimer"),
        ("pool_timer in tests", "pool_timer"),
        ("state of SHOP-1200", "shop-1200"),
    ],
)
def test_what_is_written_as_a_name_weighs_more(text: str, term: str) -> None:
    assert weights(text)[term] == DEFAULT.named


def test_words_that_only_ask_weigh_less() -> None:
    assert weights("What is the purpose of pools?") == {"purpos": DEFAULT.asking_words}
    assert weights("How does the pool work?") == {"work": DEFAULT.asking_words}


@pytest.mark.parametrize("text", ["how to implement pools", "purpose of pools", "pools work", "how do pools close"])
def test_outside_of_a_question_they_are_words_like_others(text: str) -> None:
    assert weights(text) == {}


def test_what_kind_of_thing_a_name_is_says_little() -> None:
    assert weights("What is the Timer class?") == {}
    named = weights("What is the PoolTimer class?")
    assert named["class"] == DEFAULT.asking_words
    assert named["pooltimer"] == DEFAULT.named


def test_a_term_of_several_words_has_the_greatest_weight() -> None:
    assert weights("How does the work queue work?")["work"] == DEFAULT.asking_words
    assert "close" not in {term for term, weight in weights("is close like `closes`").items() if weight < 1.0}
    assert weights("What works is `work`")["work"] == DEFAULT.named


def test_letters_weigh_as_their_words() -> None:
    grams = emphasis(parse_query("How does `pool` work?"), DEFAULT).grams
    assert grams[" poo"] == DEFAULT.named
    assert grams["work"] == DEFAULT.asking_words


def test_a_memory_with_the_name_comes_before_one_with_the_other_words() -> None:
    notes = documents(
        "The purpose of a method.",
        "fn close(pool) flushes what waits.",
        *(f"close number {n}" for n in ("a", "b", "c", "d")),
    )
    first = search(notes, "What is the purpose of the `close()` method in pool?", now=NOW).hits[0]
    assert first.matched_terms == ("close", "pool")

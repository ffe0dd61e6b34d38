"""Odd and hostile text in an index and in queries: answered, explained, and the same as without an index."""

import pytest

from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.ranking.recipes import DEFAULT
from agent_memory.ranking.search import search
from support.documents import NOW, documents

HOSTILE = (
    "a" * 200_000,
    " " * 200_000 + "x",
    "[" * 50_000 + "]" * 50_000,
    "支" * 50_000,
    "\u0301" * 50_000,
    "a-" * 50_000,
    "aB1" * 30_000,
    "the " * 50_000,
    "🙂" * 50_000,
    "\ud800\x00\u202e" * 10_000,
)
NOTES = documents("The nginx pool was too small.", *HOSTILE)


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(NOTES)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("the of and", "only words too common"),
        ("🙂🎉", "no letters or digits"),
        ("q", "Not found in any memory: q."),
    ],
)
def test_a_query_that_asks_for_nothing_is_explained(index: Index, query: str, why: str) -> None:
    ranking = search_index(index, Ask(query=query, now=NOW))
    assert (ranking.verdict, ranking.hits, ranking.total) == ("none", (), 0)
    assert why in ranking.why


@pytest.mark.parametrize("query", ["nginx pool", HOSTILE[0], HOSTILE[3][:2_000]], ids=range(3))
def test_hostile_text_is_answered_as_by_reading_it(index: Index, query: str) -> None:
    found = search_index(index, Ask(query=query, now=NOW))
    read = search(NOTES, query, now=NOW)
    assert (found.verdict, found.why, found.unmatched) == (read.verdict, read.why, read.unmatched)
    assert [hit.id for hit in found.hits] == [hit.id for hit in read.hits]


def test_an_index_is_not_asked_with_another_field_weight() -> None:
    with pytest.raises(ValueError, match="field weight"):
        search_index(Index(NOTES[:1], field_weight=DEFAULT.field_weight + 1), Ask(query="nginx", now=NOW))


def test_rows_are_numbered_anew_when_most_memories_have_gone() -> None:
    index = Index(documents(*(f"note {number}" for number in range(3000))))
    index.update(removed=[f"m{number}" for number in range(2000)])
    assert (index.generation, len(index), len(index.documents)) == (1, 1000, 1000)
    assert search_index(index, Ask(query="note 2500", now=NOW)).hits[0].id == "m2500"

"""What reading every text takes: each word is taken apart once, however often it stands there."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from unittest.mock import Mock

import pytest

from agent_memory.ranking import scan as scanning
from agent_memory.ranking import skimming
from agent_memory.ranking.query import parse_query
from agent_memory.ranking.scan import scan
from agent_memory.ranking.skimming import skim
from agent_memory.ranking.tokenize import plain_terms
from agent_memory.ranking.updates import LONGEST, read_word
from support.documents import documents


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Mock:
    spy = Mock(wraps=read_word)
    monkeypatch.setattr(skimming, "read_word", spy)
    return spy


def words(spy: Mock) -> list[str]:
    return sorted(call.args[0] for call in spy.call_args_list)


def test_a_word_is_taken_apart_once_whatever_stands_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    taken_apart = Mock(wraps=plain_terms)
    monkeypatch.setattr(scanning, "plain_terms", taken_apart)
    notes = documents("pool,cache,disk", "(disk,pool) pool", "cache,pool,cache", "pool; disk!")
    scan(notes, parse_query("pool of the cache"), 1.0)
    assert words(taken_apart) == ["cache", "disk", "pool"]


def test_a_word_of_many_claims_is_read_once(read: Mock) -> None:
    skim({"m0": "pool,22,disk", "m1": "(disk,pool) pool=22"})
    assert words(read) == ["22", "disk", "pool"]


@pytest.mark.parametrize("between", [" ", ","])
def test_of_a_text_too_long_for_a_claim_hardly_more_is_read_than_tells_so(between: str, read: Mock) -> None:
    assert not skim({"m": between.join(f"w{number}" for number in range(10_000))}).by_id
    assert read.call_count <= 2 * LONGEST


class Counted(Mapping[str, frozenset[str]]):
    """What is related to the terms of a query; it counts how often all of it is gone through."""

    def __init__(self, related: Mapping[str, frozenset[str]]) -> None:
        self.related = related
        self.times = 0

    def __getitem__(self, term: str) -> frozenset[str]:
        return self.related[term]

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return iter(self.related)

    def __len__(self) -> int:
        return len(self.related)


def test_what_is_related_to_a_query_is_not_gone_through_again_at_each_word() -> None:
    query = parse_query("Which database and which pet?")
    related = Counted(query.related)
    (evidence,) = scan(documents("Postgres, dog " * 50), replace(query, related=related), 1.0)
    assert evidence.related == {"databas": 50.0, "pet": 50.0}
    assert related.times <= 1

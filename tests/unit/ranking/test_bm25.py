"""Our arithmetic against a plain reading of the formula, written on its own."""

import math
from itertools import chain

import pytest

from agent_memory.ranking.bm25 import bm25, idf, saturation, weigh
from agent_memory.ranking.query import parse_query
from agent_memory.ranking.scan import scan
from agent_memory.ranking.tokenize import terms
from support.documents import documents

TEXTS = (
    "The gateway drops idle connections after 30 seconds.",
    "Gateway certificates renew on the first Monday; the gateway restarts.",
    "Connections to the replica need the read-only role.",
    "Lunch is at noon.",
)


def reference(texts: tuple[str, ...], query: str, k1: float, b: float) -> list[float]:
    """BM25 as the books write it, over lists of terms."""
    lists = [terms(text) for text in texts]
    mean = len(list(chain(*lists))) / len(lists)
    scores: list[float] = []
    for words in lists:
        total = 0.0
        for term in set(terms(query)):
            n = sum(term in other for other in lists)
            f = words.count(term)
            weight = math.log(((max(len(lists), 50) - n + 0.5) / (n + 0.5)) + 1)
            total += weight * (f * (k1 + 1)) / (f + k1 * (1 - b + b * len(words) / mean))
        scores.append(total)
    return scores


@pytest.mark.parametrize("query", ["gateway connections", "gateway restarts monday", "read-only replica", "zebra"])
@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.4), (1.2, 0.75)])
def test_scores_equal_the_textbook_formula(query: str, k1: float, b: float) -> None:
    found = scan(documents(*TEXTS), parse_query(query), 2.0)
    counts = [one.terms for one in found]
    scores = bm25(counts, [one.length for one in found], weigh(counts, {}), k1, b)
    assert scores == pytest.approx(reference(TEXTS, query, k1, b))


def test_a_rarer_term_weighs_more_and_none_weighs_nothing_or_less() -> None:
    weights = [idf(containing, 100) for containing in range(101)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0.0


def test_mentions_saturate_and_longer_texts_need_more_of_them() -> None:
    assert saturation(0.0, 10.0, 10.0, 0.9, 0.4) == 0.0
    assert saturation(1.0, 10.0, 10.0, 0.9, 0.4) == pytest.approx(1.0)
    assert 1.0 < saturation(100.0, 10.0, 10.0, 0.9, 0.4) < 1.9
    assert saturation(1.0, 20.0, 10.0, 0.9, 0.4) < 1.0
    assert saturation(1.0, 0.0, 0.0, 0.9, 0.4) == pytest.approx(1.0)


def test_no_memories_have_no_scores() -> None:
    assert bm25([], [], {}, 0.9, 0.4) == []

"""BM25 over counts that are already weighted by field (BM25F with one saturation for all fields).

Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), sections 3.4 and 3.6.
"""

from collections.abc import Hashable, Mapping, Sequence
from math import log
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

# A store of few memories knows little about which words are rare: it is taken to be a part of one of this size.
SMALLEST_STORE = 50


def idf(containing: int, total: int) -> float:
    """How much a term tells that `containing` of `total` memories hold; above 0 always."""
    return log(1.0 + (max(total, SMALLEST_STORE) - containing + 0.5) / (containing + 0.5))


def saturation(count: float, length: float, mean_length: float, k1: float, b: float) -> float:
    """How far `count` mentions in a text of `length` go: 0 for none, towards `k1` + 1."""
    relative = length / mean_length if mean_length else 1.0
    return count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * relative))


def weigh(counts: Sequence[Mapping[Key, float]]) -> dict[Key, float]:
    """The idf of every key in `counts`, one mapping a memory."""
    containing: dict[Key, int] = {}
    for one in counts:
        for key in one:
            containing[key] = containing.get(key, 0) + 1
    return {key: idf(number, len(counts)) for key, number in containing.items()}


def bm25(
    counts: Sequence[Mapping[Key, float]], lengths: Sequence[float], weights: Mapping[Key, float], k1: float, b: float
) -> list[float]:
    """The BM25 score of every memory: the sum over its keys of weight x saturation."""
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    return [
        sum(weights[key] * saturation(count, length, mean, k1, b) for key, count in one.items()) if one else 0.0
        for one, length in zip(counts, lengths, strict=True)
    ]

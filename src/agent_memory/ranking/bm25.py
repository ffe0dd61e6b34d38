"""BM25 over counts that are already weighted by field (BM25F with one saturation for all fields).

Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), sections 3.4 and 3.6.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Key = TypeVar("Key", str, tuple[str, str])
# One memory's, or those of many at once.
Numbers = TypeVar("Numbers", float, "NDArray[np.float64]")

# A store of few memories knows little about which words are rare: it is taken to be a part of one of this size.
SMALLEST_STORE = 50


def idf(containing: int, total: int) -> float:
    """How much a term tells that `containing` of `total` memories hold; above 0 always."""
    return log(1.0 + (max(total, SMALLEST_STORE) - containing + 0.5) / (containing + 0.5))


def saturation(count: Numbers, length: Numbers, mean_length: float, k1: float, b: float) -> Numbers:
    """How far `count` mentions in a text of `length` go: 0 for none, towards `k1` + 1."""
    return saturated(count, damping(length, mean_length, k1, b), k1)


def saturated(count: Numbers, damped: Numbers, k1: float) -> Numbers:
    """As `saturation`, for a text whose length damps by `damped`."""
    return count * (k1 + 1.0) / (count + damped)


def damping(length: Numbers, mean_length: float, k1: float, b: float) -> Numbers:
    """How many mentions in a text of `length` make half of what any number can."""
    relative = length / mean_length if mean_length else length * 0.0 + 1.0
    return k1 * (1.0 - b + b * relative)


def weigh(counts: Sequence[Mapping[Key, float]], emphasis: Mapping[Key, float]) -> dict[Key, float]:
    """The idf of every key in `counts`, one mapping a memory, times what `emphasis` says of it."""
    containing: dict[Key, int] = {}
    for one in counts:
        for key in one:
            containing[key] = containing.get(key, 0) + 1
    return {key: idf(number, len(counts)) * emphasis.get(key, 1.0) for key, number in containing.items()}


def bm25(
    counts: Sequence[Mapping[Key, float]], lengths: Sequence[float], weights: Mapping[Key, float], k1: float, b: float
) -> list[float]:
    """The BM25 score of every memory: the sum over its keys of weight x saturation."""
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    return [
        _add_up(one, damping(length, mean, k1, b), weights, k1) if one else 0.0
        for one, length in zip(counts, lengths, strict=True)
    ]


def _add_up(counts: Mapping[Key, float], damped: float, weights: Mapping[Key, float], k1: float) -> float:
    """The score of one memory, added up in the order of the keys, so that equal memories have equal scores."""
    score = 0.0
    for key in sorted(counts):
        score += weights[key] * saturated(counts[key], damped, k1)
    return score

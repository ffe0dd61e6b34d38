"""How good an order is: Recall@k, MRR@10 and nDCG@10 of each question, and how sure a difference is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

import numpy as np
import numpy.typing as npt

DEPTH: Final = 10
NAMES: Final = ("R@1", "R@5", "R@10", "MRR", "nDCG@10")
_RESAMPLES: Final = 10_000


@dataclass(frozen=True)
class Difference:
    """The mean of paired differences and the interval in which 95% of resampled means lie."""

    mean: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0.0 or self.high < 0.0


def score(found: Sequence[str], relevant: frozenset[str]) -> dict[str, float]:
    """The figures, each 0-1, of one question: `found` are texts or memories, best first, `relevant` those that answer.

    Binary gains; Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques (2002).
    """
    hits = [one in relevant for one in found[:DEPTH]]
    gain = sum(1.0 / log2(rank + 2) for rank, hit in enumerate(hits) if hit)
    ideal = sum(1.0 / log2(rank + 2) for rank in range(min(DEPTH, len(relevant))))
    return {
        "R@1": sum(hits[:1]) / len(relevant),
        "R@5": sum(hits[:5]) / len(relevant),
        "R@10": sum(hits) / len(relevant),
        "MRR": next((1.0 / (rank + 1) for rank, hit in enumerate(hits) if hit), 0.0),
        "nDCG@10": gain / ideal,
    }


def means(figures: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each figure over questions, to four digits; empty without questions."""
    rows = list(figures)
    return {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in NAMES} if rows else {}


def compare(now: Sequence[float], before: Sequence[float], seed: int) -> Difference:
    """Paired bootstrap of `now` - `before` over the questions (Efron, Tibshirani: An Introduction to the Bootstrap)."""
    differences: npt.NDArray[np.float64] = np.asarray(now) - np.asarray(before)
    size = len(differences)
    chance = np.random.default_rng(seed)
    counts = chance.multinomial(size, np.full(size, 1.0 / size), size=_RESAMPLES)
    low, high = np.quantile(counts @ differences / size, (0.025, 0.975))
    return Difference(float(differences.mean()), float(low), float(high))

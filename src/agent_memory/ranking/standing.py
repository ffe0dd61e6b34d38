"""What a memory is worth apart from any query: confidence, importance, what decay left of it, and its age."""

from typing import Final

from ..models.instant import days_between
from .bm25 import Numbers
from .document import Document

HALF_LIFE_DAYS: Final = 30.0
# Confidence and importance are what the writer said of it; retained and recency both fall with age: less each.
_SHARES: Final = {"confidence": 0.3, "importance": 0.3, "retained": 0.2, "recency": 0.2}


def standing(document: Document, now: str, retained: float | None = None) -> float:
    """The weighted mean, 0-1, of the four; recency halves every `HALF_LIFE_DAYS`.

    `retained` replaces what the document says of it.
    """
    kept = document.retained if retained is None else retained
    days = days_between(document.updated_at, now)
    return blend(document.confidence, document.importance, kept, 0.5 ** (days / HALF_LIFE_DAYS))


def blend(confidence: Numbers, importance: Numbers, retained: Numbers, recency: Numbers) -> Numbers:
    """The weighted mean of the four, each in 0-1."""
    return (
        _SHARES["confidence"] * confidence
        + _SHARES["importance"] * importance
        + _SHARES["retained"] * retained
        + _SHARES["recency"] * recency
    )

"""What a memory is worth apart from any query: confidence, importance, what decay left of it, and its age."""

from typing import Final

from ..models.instant import days_between
from .document import Document

HALF_LIFE_DAYS: Final = 30.0
# Confidence and importance are what the writer said of it; retained and recency both fall with age: less each.
_SHARES: Final = {"confidence": 0.3, "importance": 0.3, "retained": 0.2, "recency": 0.2}


def standing(document: Document, now: str) -> float:
    """The weighted mean, 0-1, of the four; recency halves every `HALF_LIFE_DAYS`."""
    recency = 0.5 ** (days_between(document.updated_at, now) / HALF_LIFE_DAYS)
    return (
        _SHARES["confidence"] * document.confidence
        + _SHARES["importance"] * document.importance
        + _SHARES["retained"] * document.retained
        + _SHARES["recency"] * recency
    )

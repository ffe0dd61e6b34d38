"""Recall's order: how near each memory is to a url and a query, without leaving any out."""

from collections.abc import Sequence
from dataclasses import dataclass

from .document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """One memory in recall's order, with what speaks for it."""

    id: str
    points: float
    score: float
    reasons: tuple[str, ...]
    matched_terms: tuple[str, ...]
    needles: tuple[str, ...]


def recall(documents: Sequence[Document], *, query: str | None, url: str | None, now: str) -> tuple[Recalled, ...]:
    """All `documents`, nearest first."""
    raise NotImplementedError

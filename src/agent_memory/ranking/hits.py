"""What a search answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["strong", "weak", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory that matches. `score` lies in 0-1 and is the sum of `parts`.

    `matched_terms` are the query's own words, as typed but in lower case; `needles` are the forms in which they
    stand in the memory, to find them there. `collapsed` names the near-copies that this hit stands for.
    """

    id: str
    score: float
    matched_terms: tuple[str, ...]
    needles: tuple[str, ...]
    parts: Mapping[str, float]
    collapsed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All that matches a query, best first; `unmatched` are words of the query that no memory contains."""

    hits: tuple[Hit, ...]
    verdict: Verdict
    why: str
    unmatched: tuple[str, ...] = ()

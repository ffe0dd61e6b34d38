"""From evidence to a score, and from memories with scores to hits in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from .document import Document
from .hits import Hit, matched_words, related_words
from .query import Query
from .recipes import Recipe
from .refine import Parts
from .scan import Evidence
from .site import same_page, same_site

SAME_PAGE: Final = 0.6
SAME_SITE: Final = 0.3
SAME_DATE: Final = 0.3
DAYS_AFTER: Final = 0.15
EXACT: Final = 9
"""Digits to which scores are compared: what comes after them depends on the order in which parts were added up."""


@dataclass(frozen=True, slots=True)
class Match:
    """A document that matches, with the parts of its score and what of the query it holds."""

    document: Document
    evidence: Evidence
    parts: Parts
    score: float


def scaled(lexical: Mapping[int, Parts], strength: float) -> dict[int, Parts]:
    """`lexical` scaled so that the best document's parts add up to `strength`."""
    top = max((fsum(parts.values()) for parts in lexical.values()), default=0.0)
    return {
        place: {name: strength * value / top for name, value in parts.items() if value}
        for place, parts in lexical.items()
    }


def with_place(parts: Parts, document: Document, url: str | None, dated: float) -> Parts:
    """`parts` and what `url` adds, and how well it is `dated` (0-1): shares of what the words have left open.

    So the sum stays below 1.
    """
    if nearness := SAME_PAGE if same_page(document, url) else SAME_SITE if same_site(document, url) else 0.0:
        parts = {**parts, "url": nearness * (1.0 - fsum(parts.values()))}
    if dated:
        parts = {**parts, "date": parts.get("date", 0.0) + dated * (1.0 - fsum(parts.values()))}
    return parts


def dated_as(document: Document, query: Query) -> float:
    """How well the date of `document` is the one that `query` asks for alone: less of a day soon after it."""
    on_the_day = not query.days or int(document.created_at[8:10]) in query.days
    return SAME_DATE if on_the_day else DAYS_AFTER


def to_match(document: Document, evidence: Evidence, evident: Parts, stands: float, recipe: Recipe) -> Match:
    """Let how the memory `stands`, 0-1, decide a bounded share of what is `evident`."""
    parts = {name: (1.0 - recipe.standing) * value for name, value in evident.items()}
    parts["standing"] = recipe.standing * stands * fsum(evident.values())
    return Match(document, evidence, parts, min(1.0, fsum(parts.values())))


def ordered(matches: Sequence[Match]) -> list[Match]:
    """Best first; among equals the newest, then by id."""
    by_id = sorted(matches, key=lambda match: match.document.id)
    newest = sorted(by_id, key=lambda match: match.document.updated_at, reverse=True)
    return sorted(newest, key=lambda match: round(match.score, EXACT), reverse=True)


def to_hit(match: Match, query: Query, collapsed: tuple[str, ...]) -> Hit:
    """What is told of `match`, which stands for the near-copies `collapsed`, too."""
    matched, needles = matched_words(query, match.evidence)
    related = related_words(query, match.evidence)
    return Hit(
        id=match.document.id,
        score=match.score,
        matched_terms=matched,
        needles=tuple(dict.fromkeys((*needles, *(word for _, word in related)))),
        parts=match.parts,
        related=related,
        collapsed=collapsed,
    )

"""Recall's order: how near each memory is to a url and a query, without leaving any out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..models.instant import days_between
from .document import Document
from .query import Query, Word, parse_query
from .scan import Evidence, needle, scan
from .site import same_page, same_site

SAME_URL: Final = 50.0
SAME_SITE: Final = 25.0
EACH_TERM: Final = 8.0
NEWEST: Final = 10.0
# Points at which a score is one half: those of the same url alone.
HALF: Final = 50.0
_PLACES: Final = {SAME_URL: "same url", SAME_SITE: "same site", 0.0: ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """One memory in recall's order. `points` are what the reasons add up to; `score` is points / (points + 50).

    So a score lies in 0-1, grows with the points and means the same in every store and for every query. It is the sum
    of `parts`.
    """

    id: str
    points: float
    score: float
    reasons: tuple[str, ...]
    matched_terms: tuple[str, ...]
    needles: tuple[str, ...]
    parts: Mapping[str, float]


def recall(
    documents: Sequence[Document], *, query: str | None, url: str | None, now: str, most: int | None = None
) -> tuple[Recalled, ...]:
    """All `documents`, nearest first, or the `most` nearest; among equals the newest, then by id.

    Points: same url +50, else same site +25; +8 for each distinct word of `query` that the document holds; and
    max(0, 10 - days since the update). With neither `query` nor `url` that is: newest first.
    """
    asked = parse_query(query or "")
    words = replace(asked, grams=frozenset(), pairs=frozenset(), related={})  # none of them gives points
    found = scan(documents, words, 1.0) if asked.words else [Evidence() for _ in documents]
    pairs = sorted(zip(documents, found, strict=True), key=lambda pair: pair[0].id)
    pairs.sort(key=lambda pair: pair[0].updated_at, reverse=True)
    if asked.words or url:
        pairs.sort(key=lambda pair: sum(_parts(*pair, asked, url, now).values()), reverse=True)
    return tuple(to_recalled(document, evidence, asked, url, now) for document, evidence in pairs[:most])


def to_recalled(document: Document, evidence: Evidence, query: Query, url: str | None, now: str) -> Recalled:
    """`document` with its points; of `evidence` only which terms it holds, and in which words, counts."""
    held = _words_held(evidence, query)
    surfaces = evidence.surfaces
    needles = dict.fromkeys(needle(surfaces[term], term) for word in held for term in word.terms if term in surfaces)
    matched = tuple(word.typed for word in held)
    parts = _parts(document, evidence, query, url, now)
    points = sum(parts.values())
    terms = f"{len(held)} of {len(query.words)} query terms: {', '.join(matched)}" if held else ""
    age = _age(days_between(document.updated_at, now))
    return Recalled(
        id=document.id,
        points=points,
        score=points / (points + HALF),
        reasons=tuple(reason for reason in (_PLACES[parts["place"]], terms, age) if reason),
        matched_terms=matched,
        needles=tuple(needles),
        parts={name: part / (points + HALF) for name, part in parts.items() if part},
    )


def _parts(document: Document, evidence: Evidence, query: Query, url: str | None, now: str) -> dict[str, float]:
    """The points of `document` by what gives them."""
    return {
        "place": _place(document, url),
        "terms": EACH_TERM * len(_words_held(evidence, query)),
        "age": max(0.0, NEWEST - days_between(document.updated_at, now)),
    }


def _words_held(evidence: Evidence, query: Query) -> list[Word]:
    return [word for word in query.words if _holds(evidence, word)] if evidence.terms else []


def _holds(evidence: Evidence, word: Word) -> bool:
    """Whether the word is there: any of its terms, or in a script without spaces most of them."""
    return 2 * sum(term in evidence.terms for term in word.terms) > (len(word.terms) if word.unspaced else 0)


def _place(document: Document, url: str | None) -> float:
    return SAME_URL if same_page(document, url) else SAME_SITE if same_site(document, url) else 0.0


def _age(days: float) -> str:
    whole = int(days)
    return "updated today" if whole == 0 else f"updated {whole} day{'' if whole == 1 else 's'} ago"

"""`affinity.recall` over an index: the same memories in the same order, without reading every text."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from ...models.instant import SECONDS_A_DAY
from ..affinity import EACH_TERM, HALF, NEWEST, SAME_SITE, SAME_URL, Recalled, to_recalled
from ..query import Query, parse_query
from ..scan import Evidence
from ..site import same_page, site_of
from .columns import Flags, Floats, Ints
from .held import hold_terms
from .index import Index
from .places import Places, find_places, surfaces, terms_of

_SHOWN_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to recall: `query`, `url` and `now` as for `affinity.recall`, of the rows in `mask`, all when it is None.

    Only the first `most` are made, all when it is None. Those whose score, rounded to four digits, is not below
    `least` are counted.
    """

    query: str | None
    url: str | None
    now: str
    mask: Flags | None = None
    most: int | None = None
    least: float = 0.0


def recall_index(index: Index, wanted: Wanted) -> tuple[tuple[Recalled, ...], int]:
    """The first that `affinity.recall` answers, and how many reach the least score."""
    asked = parse_query(wanted.query or "")
    names = terms_of(asked)
    places = find_places(names, index.language(asked.language), index.blocks())
    rows = np.flatnonzero(index.alive() if wanted.mask is None else wanted.mask & index.alive())
    points = _points(index, wanted, asked, places)[rows]
    reaching = int(np.count_nonzero(np.round(points / (points + HALF), _SHOWN_DIGITS) >= wanted.least))
    ranks = points if asked.words or wanted.url else np.zeros(len(rows))
    first = _first(index, rows, ranks, wanted.most)
    recalled = (
        to_recalled(index.documents[row], _evidence(held), asked, wanted.url, wanted.now)
        for row, held in zip(first, surfaces(places, names, index.words, first), strict=True)
    )
    return tuple(recalled), reaching


def _points(index: Index, wanted: Wanted, asked: Query, places: Places) -> Floats:
    """The points of every row, added up in the order of `affinity`, so that equal ones are equal."""
    place, held = np.zeros(len(index.documents)), np.zeros(len(index.documents))
    site = site_of(wanted.url)
    for row in index.sites.get(site, ()) if site is not None else range(len(index.documents) if wanted.url else 0):
        page = same_page(index.documents[row], wanted.url)
        place[row] = SAME_URL if page else SAME_SITE if site is not None else 0.0
    names = terms_of(asked)
    found = hold_terms(places, names, index.words, None)
    starts = np.searchsorted(found.numbers, np.arange(len(names) + 1))
    number = {term: at for at, term in enumerate(names)}
    for word in asked.words:
        spans = [found.rows[starts[number[term]] : starts[number[term] + 1]] for term in word.terms]
        counts = np.bincount(np.concatenate(spans), minlength=len(held)) if spans else np.zeros(len(held))
        held += 2 * counts > (len(word.terms) if word.unspaced else 0)
    days = np.maximum(0.0, datetime.fromisoformat(wanted.now).timestamp() - index.updated.values) / SECONDS_A_DAY
    return place + EACH_TERM * held + np.maximum(0.0, NEWEST - days)


def _first(index: Index, rows: Ints, ranks: Floats, most: int | None) -> list[int]:
    """The `most` of `rows` with the greatest `ranks`, among equals the newest, then by id."""
    updated = index.updated.values[rows]
    at = np.arange(len(rows))
    if most is not None and most < len(rows):
        least = np.partition(ranks, len(rows) - most)[len(rows) - most]
        above, equal = np.flatnonzero(ranks > least), np.flatnonzero(ranks == least)
        left = most - len(above)
        oldest = np.partition(updated[equal], len(equal) - left)[len(equal) - left]
        at = np.concatenate((above, equal[updated[equal] >= oldest]))
    order: list[float] = (-ranks[at]).tolist()
    ages: list[float] = (-updated[at]).tolist()
    found: list[int] = rows[at].tolist()
    keys = zip(order, ages, [index.documents[row].id for row in found], found, strict=True)
    ordered = sorted(keys)
    return [row for _, _, _, row in ordered[:most]]


def _evidence(held: dict[str, str]) -> Evidence:
    return Evidence(terms=dict.fromkeys(held, 1.0), surfaces=held)

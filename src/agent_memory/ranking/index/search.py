"""`ranking.search` over an index: the same answer, for any part of the memories, without reading their texts."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from ...models.instant import SECONDS_A_DAY
from ..hits import Hit, Ranking
from ..query import Query, parse_query
from ..recipes import DEFAULT, Recipe
from ..refine import LOOKED_AT
from ..scan import Evidence
from ..search import (
    SAME_PAGE,
    SAME_SITE,
    Match,
    first_of,
    judged,
    of_site,
    ordered,
    scaled,
    to_hit,
    to_match,
    unmatched_words,
    with_url,
)
from ..site import same_page, site_of
from ..standing import HALF_LIFE_DAYS, blend
from ..verdict import coverage, units
from .columns import Flags, Floats, Ints, distinct
from .index import Index
from .lexical import Lexical, find_lexical, look_again

# Sums of the same numbers in another order differ by less than this.
_NEAR: Final = 1e-9
_FIRST: Final = 5
_SHOWN_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What to search for; the first four as for `ranking.search`.

    Only the rows in `mask` are looked at, all when it is None. `retained`, by row, replaces what the documents say.
    Only the first `most` hits are made. Those whose score, rounded to four digits, is not below `least` are counted
    apart.
    """

    query: str
    now: str
    url: str | None = None
    recipe: Recipe = DEFAULT
    mask: Flags | None = None
    retained: Floats | None = None
    most: int | None = None
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found for `ask`: `rows` match, `sites` are those of its url's site, `best` may be the very first.

    `strength` is the share of the query's weight that the best hold.
    """

    index: Index
    ask: Ask
    query: Query
    lexical: Lexical
    strength: float
    best: list[int]
    sites: Ints
    rows: Ints

    def retained(self) -> Floats:
        """What decay has left of each row's confidence."""
        return self.index.retained.values if self.ask.retained is None else self.ask.retained


def search_index(index: Index, ask: Ask) -> Ranking:
    """What `ranking.search` answers for the documents of the rows asked for.

    Raises:
        ValueError: the index was made for another field weight than the recipe's.
    """
    recipe = ask.recipe
    if recipe.field_weight != index.field_weight:
        message = f"The index was made for field weight {index.field_weight}, the recipe has {recipe.field_weight}."
        raise ValueError(message)
    mask = index.alive() if ask.mask is None else ask.mask & index.alive()
    total = int(np.count_nonzero(mask))
    query = parse_query(ask.query)
    lexical = find_lexical(index, query, mask, recipe)
    containing = lexical.containing()
    wanted = units(query, containing, total)
    best = _greatest(lexical.matched, lexical.sums[lexical.matched], _FIRST)
    first = first_of(lexical.parts_of(best), index.documents)
    strength = max((coverage(wanted, lexical.terms_of(row), total) for row in first), default=0.0)
    verdict, why = judged(ask.query, query, strength, containing, total, recipe)
    sites = _of_site(index, ask.url, mask)
    if verdict == "none":
        lexical = replace(lexical, matched=lexical.matched[:0])
        verdict, why = ("weak", of_site(why)) if len(sites) else (verdict, why)
    else:
        first = _greatest(lexical.matched, lexical.sums[lexical.matched], LOOKED_AT)
        lexical = look_again(lexical, index, first, query, recipe)
        best = _greatest(lexical.matched, lexical.sums[lexical.matched], 1)
    rows = distinct(len(mask), lexical.matched, sites) if len(sites) else lexical.matched
    hits, number, reaching = _hits(_Found(index, ask, query, lexical, strength, best, sites, rows))
    return Ranking(
        hits=hits,
        total=number,
        reaching=reaching,
        verdict=verdict,
        why=why,
        unmatched=unmatched_words(query, containing),
    )


def _greatest(rows: Ints, scores: Floats, most: int | None) -> list[int]:
    """The rows of the `most` greatest scores, and those that come as near as makes no difference."""
    if most is None or most >= len(rows):
        return rows.tolist()
    least = np.partition(scores, len(scores) - most)[len(scores) - most] if most else np.inf
    return rows[scores >= least - _NEAR].tolist()


def _of_site(index: Index, url: str | None, mask: Flags) -> Ints:
    """The rows of the site of `url`."""
    site = site_of(url)
    rows = np.array(index.sites.get(site, ()) if site is not None else (), np.int64)
    return rows[mask[rows]]


def _hits(found: _Found) -> tuple[tuple[Hit, ...], int, int]:
    """The hits asked for, near-copies folded, how many there are in all, and how many that reach the least score."""
    index, ask, rows, scores = found.index, found.ask, found.rows, _scores(found)
    into = index.copies.fold([row for row, _ in _matches(found, rows[index.copies.linked(rows)].tolist())])
    if into:
        kept = np.ones(len(index.documents), bool)
        kept[list(into)] = False
        rows, scores = rows[kept[rows]], scores[kept[rows]]
    chosen = _matches(found, _greatest(rows, scores, ask.most))[: ask.most]
    copies: dict[int, list[str]] = {}
    for row, original in into.items():
        copies.setdefault(original, []).append(index.documents[row].id)
    hits = (
        to_hit(replace(match, evidence=_evidence(found, row)), found.query, tuple(copies.get(row, ())))
        for row, match in chosen
    )
    return tuple(hits), len(rows), int(np.count_nonzero(np.round(scores, _SHOWN_DIGITS) >= ask.least))


def _scores(found: _Found) -> Floats:
    """The score of each row that matches, but for the last digits."""
    index, lexical, rows, sites = found.index, found.lexical, found.rows, found.sites
    evident = np.zeros(len(index.documents))
    sums = lexical.sums[lexical.matched]
    if len(sums):
        evident[lexical.matched] = found.strength * sums / sums.max()
    if len(sites):
        page = [same_page(index.documents[int(row)], found.ask.url) for row in sites]
        evident[sites] += np.where(page, SAME_PAGE, SAME_SITE) * (1.0 - evident[sites])
    now = datetime.fromisoformat(found.ask.now).timestamp()
    days = np.maximum(0.0, now - index.updated.values[rows]) / SECONDS_A_DAY
    recency = 0.5 ** (days / HALF_LIFE_DAYS)
    worth = blend(index.confidence.values[rows], index.importance.values[rows], found.retained()[rows], recency)
    share = found.ask.recipe.standing
    return np.minimum(1.0, evident[rows] * (1.0 - share + share * worth))


def _matches(found: _Found, rows: Collection[int]) -> list[tuple[int, Match]]:
    """`rows` in order, each with the score that `ranking.search` gives it; what it holds of the query is left open."""
    if not rows:
        return []
    index, lexical, ask, kept = found.index, found.lexical, found.ask, found.retained()
    asked = np.array([*rows])
    at = np.minimum(np.searchsorted(lexical.matched, asked), len(lexical.matched) - 1)
    matched = set(asked[lexical.matched[at] == asked].tolist()) if len(lexical.matched) else set[int]()
    scored = scaled(lexical.parts_of({*matched, *found.best}), found.strength)
    by_id: dict[str, int] = {}
    matches: list[Match] = []
    for row in rows:
        document = index.documents[row]
        by_id[document.id] = row
        evident = with_url(scored[row] if row in matched else {}, document, ask.url)
        matches.append(to_match(document, Evidence(), evident, ask.now, ask.recipe, float(kept[row])))
    return [(by_id[match.document.id], match) for match in ordered(matches)]


def _evidence(found: _Found, row: int) -> Evidence:
    """In which forms `row` holds terms of the query: all that a hit says of it."""
    words, lexical = found.index.words, found.lexical
    begin, end = words.starts.values[row : row + 2]
    surfaces: dict[str, str] = {}
    for word, terms in lexical.places.terms_at(words.tokens.values[begin:end]):
        for term in terms:
            surfaces.setdefault(str(lexical.terms.keys[term]), words.texts[word])
    return Evidence(surfaces=surfaces)

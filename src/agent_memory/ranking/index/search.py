"""`ranking.search` over an index: the same answer, for any part of the memories, without reading their texts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from ...models.instant import SECONDS_A_DAY
from ..compounds import stems_inside, with_compounds
from ..hits import Hit, Ranking
from ..judging import Held, Sizes, asks_for_date_alone, judge_best, to_the_point, with_places
from ..query import Query, parse_query
from ..recipes import DEFAULT, Recipe
from ..scan import Evidence
from ..scoring import SAME_PAGE, SAME_SITE, Match, dated_as, ordered, scaled, to_hit, to_match, with_place
from ..site import same_page, site_of
from ..standing import HALF_LIFE_DAYS, blend, standing
from .columns import NEAR, Flags, Floats, Ints, distinct, greatest
from .held import hold_terms
from .index import Index
from .lexical import Lexical, find_lexical, look_again
from .places import find_places, terms_of

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
    """What was found for `ask`: `rows` match, and the evidence for each comes to `evident` (but for the last digits).

    `strength` is the share of the query's weight that the best hold; `best` may be the very first. `of_date` are the
    rows of the date that the query asks for alone.
    """

    index: Index
    ask: Ask
    query: Query
    lexical: Lexical
    strength: float
    best: list[int]
    rows: Ints
    evident: Floats
    of_date: Ints

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
    query = to_the_point(parse_query(ask.query))
    ranking = _search(index, ask, query, mask)
    if ranking.verdict == "none" and (stems := stems_inside(query, ranking.unmatched)):
        wider = with_compounds(query, stems, index.vocabulary(mask))
        return ranking if wider is query else _search(index, ask, wider, mask)
    return ranking


def _search(index: Index, ask: Ask, query: Query, mask: Flags) -> Ranking:
    recipe = ask.recipe
    lexical = find_lexical(index, query, mask, recipe)
    telling, of_date = lexical.evidence.telling, lexical.of_date(query)
    said = zip(lexical.first, lexical.said(query, lexical.first[:_FIRST]), strict=False)
    best = [Held(*one.terms(query), bool(telling[row])) for row, one in said]
    related = [size for size in lexical.related.sizes.tolist() if size]
    sizes = Sizes(lexical.measures.total, lexical.containing(), related, int(np.count_nonzero(telling)))
    judgement = judge_best(query, best, sizes, recipe, dated=bool(len(of_date)))
    of_date = distinct(len(index.documents), of_date, np.flatnonzero(telling))
    sites = _of_site(index, ask.url, mask)
    if judgement.verdict == "none":
        lexical = replace(lexical, matched=lexical.matched[:0], sums=lexical.sums[:0])
    else:
        lexical = look_again(lexical, query, judgement.share)
    judgement = with_places(judgement, query, site=bool(len(sites)), dated=bool(len(of_date)))
    of_date = of_date if asks_for_date_alone(query) else of_date[:0]
    hits, number, reaching = _hits(_found(index, ask, query, lexical, judgement.share, sites, of_date))
    return Ranking(
        hits=hits,
        total=number,
        reaching=reaching,
        verdict=judgement.verdict,
        why=judgement.why,
        unmatched=judgement.unmatched,
    )


def holding_index(index: Index, asked: Query, mask: Flags) -> dict[str, int]:
    """How many rows of `mask` hold each term of `asked`, as far as any does."""
    names = terms_of(asked)
    places = find_places(names, index.language(asked.language), index.blocks())
    held = hold_terms(places, names, index.words, mask & index.alive())
    return {str(term): size for term, size in zip(held.keys, held.sizes.tolist(), strict=True) if size}


def _of_site(index: Index, url: str | None, mask: Flags) -> Ints:
    """The rows of the site of `url`."""
    site = site_of(url)
    rows = np.array(index.sites.get(site, ()) if site is not None else (), np.int64)
    return rows[mask[rows]]


def _found(  # noqa: PLR0913  # all that was found
    index: Index, ask: Ask, query: Query, lexical: Lexical, strength: float, sites: Ints, of_date: Ints
) -> _Found:
    matched, sums = lexical.matched, lexical.sums
    rows, evident = matched, strength * sums / sums.max() if len(sums) else sums
    if len(sites) or len(of_date):
        rows = distinct(len(index.documents), matched, np.concatenate((sites, of_date)))
        spread = np.zeros(len(rows))
        spread[np.searchsorted(rows, matched)] = evident
        page = [same_page(index.documents[int(row)], ask.url) for row in sites]
        days = np.array([dated_as(index.documents[int(row)], query) for row in of_date])
        for near, share in ((sites, np.where(page, SAME_PAGE, SAME_SITE)), (of_date, days)):
            places = np.searchsorted(rows, near)
            spread[places] += share * (1.0 - spread[places])
        evident = spread
    best = matched[greatest(sums, 1)].tolist()
    return _Found(index, ask, query, lexical, strength, best, rows, evident, of_date)


def _hits(found: _Found) -> tuple[tuple[Hit, ...], int, int]:
    """The hits asked for, near-copies folded, how many there are in all, and how many that reach the least score."""
    index, ask, rows, evident = found.index, found.ask, found.rows, found.evident
    into = index.copies.fold([row for row, _ in _matches(found, rows[index.copies.linked(rows)].tolist())])
    if into:
        kept = np.ones(len(index.documents), bool)
        kept[list(into)] = False
        rows, evident = rows[kept[rows]], evident[kept[rows]]
    number = reaching = len(rows)
    if ask.least > 0.0:
        scores = _scores(found, rows, evident)
        reaching = int(np.count_nonzero(np.round(scores, _SHOWN_DIGITS) >= ask.least))
    elif ask.most is not None and 0 < ask.most < number:
        # Standing takes at most its share away: what lies so far below the last one asked for cannot come before it.
        last = np.partition(evident, number - ask.most)[number - ask.most]
        near = evident >= last * (1.0 - ask.recipe.standing) - NEAR
        rows, evident = rows[near], evident[near]
        scores = _scores(found, rows, evident)
    else:
        scores = evident
    chosen = _matches(found, rows[greatest(scores, ask.most)].tolist())[: ask.most]
    copies: dict[int, list[str]] = {}
    for row, original in into.items():
        copies.setdefault(original, []).append(index.documents[row].id)
    hits: list[Hit] = []
    for (row, match), said in zip(chosen, found.lexical.said(found.query, [row for row, _ in chosen]), strict=True):
        evidence = Evidence(surfaces=dict(said.own), stand_ins=dict(said.related))
        told = Match(match.document, evidence, match.parts, match.score)
        hits.append(to_hit(told, found.query, tuple(copies.get(row, ()))))
    return tuple(hits), number, reaching


def _scores(found: _Found, rows: Ints, evident: Floats) -> Floats:
    """The score of each of `rows`, for which there is so much `evident`, but for the last digits."""
    index = found.index
    now = datetime.fromisoformat(found.ask.now).timestamp()
    days = np.maximum(0.0, now - index.updated.values[rows]) / SECONDS_A_DAY
    recency = 0.5 ** (days / HALF_LIFE_DAYS)
    worth = blend(index.confidence.values[rows], index.importance.values[rows], found.retained()[rows], recency)
    share = found.ask.recipe.standing
    return np.minimum(1.0, evident * (1.0 - share + share * worth))


def _matches(found: _Found, rows: Sequence[int]) -> list[tuple[int, Match]]:
    """`rows` in order, each with the score that `ranking.search` gives it; what it holds of the query is left open."""
    if not rows:
        return []
    index, lexical, ask, kept = found.index, found.lexical, found.ask, found.retained()
    matched = {row for row, has in zip(rows, lexical.matches(np.array(rows, np.int64)).tolist(), strict=True) if has}
    scored = scaled(lexical.parts_of({*matched, *found.best}), found.strength)
    of_date = {*found.of_date.tolist()}
    by_id: dict[str, int] = {}
    matches: list[Match] = []
    for row in rows:
        document = index.documents[row]
        by_id[document.id] = row
        evident = with_place(
            scored[row] if row in matched else {},
            document,
            ask.url,
            dated_as(document, found.query) if row in of_date else 0.0,
        )
        matches.append(
            to_match(document, Evidence(), evident, standing(document, ask.now, float(kept[row])), ask.recipe)
        )
    return [(by_id[match.document.id], match) for match in ordered(matches)]

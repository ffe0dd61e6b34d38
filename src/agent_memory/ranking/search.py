"""Which memories answer a query, in which order, and how sure that is."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from .compounds import stems_inside, with_compounds
from .context import of_date, tells_of
from .document import Document
from .hits import Hit, Ranking
from .judging import Held, Sizes, asks_for_date_alone, judge_best, to_the_point, with_places
from .lexical import first_of, lexical
from .near_copies import fold
from .query import Query, parse_query
from .recipes import DEFAULT, Recipe
from .refine import LOOKED_AT, refine
from .scan import Lexicon, scan
from .scoring import Match, dated_as, ordered, scaled, to_hit, to_match, with_place
from .site import same_site
from .standing import standing

__all__ = ["Hit", "Ranking", "search"]

# How many of the first hits may show that the query is answered.
_SHOWN: Final = 5


def search(
    documents: Sequence[Document], query: str, *, now: str, url: str | None = None, recipe: Recipe = DEFAULT
) -> Ranking:
    """All `documents` that match `query` (or are of `url` or its site), best first, near-copies folded.

    A score is the share (0-1) of the query's weight that the best memories hold, times how near each hit's evidence
    comes to the best one's; confidence, importance, decay and age together can take away at most `recipe.standing`
    (a tenth) of it, and never make a match. `now` is an instant as in the documents. The order is total: score, then
    newest, then id; it does not depend on the order of `documents`.
    """
    asked = to_the_point(parse_query(query))
    lexicon = Lexicon(asked)
    ranking = _search(documents, lexicon, now, url, recipe)
    if ranking.verdict == "none" and (stems := stems_inside(asked, ranking.unmatched)):
        wider = with_compounds(asked, stems, lexicon)
        if wider is not asked:
            lexicon.widen(wider, [*stems.values()])
            return _search(documents, lexicon, now, url, recipe)
    return ranking


def _search(documents: Sequence[Document], lexicon: Lexicon, now: str, url: str | None, recipe: Recipe) -> Ranking:
    asked = lexicon.query
    found = scan(documents, asked, recipe.field_weight, lexicon)
    containing = _counts(one.terms for one in found)
    places_of = [*enumerate(documents)] if asked.months or asked.years or asked.span else []
    telling = {place for place, document in places_of if tells_of(document, asked)}
    of_that_date = {place for place, document in places_of if of_date(document, asked)}
    evident, talk = lexical(documents, found, asked, recipe, telling)
    first = first_of(evident, documents, LOOKED_AT)
    best = [Held(found[place].terms, found[place].related, place in telling) for place in first[:_SHOWN]]
    sizes = Sizes(len(documents), containing, [*_counts(one.related for one in found).values()], len(telling))
    judgement = judge_best(asked, best, sizes, recipe, dated=bool(of_that_date))
    share = judgement.share
    scores = (
        {} if judgement.verdict == "none" else scaled({**evident, **refine(first, talk, asked, share, recipe)}, share)
    )
    places = {place for place, document in enumerate(documents) if same_site(document, url)} if url else set[int]()
    of_that_date |= telling
    judgement = with_places(judgement, asked, site=bool(places), dated=bool(of_that_date))
    dated = of_that_date if asks_for_date_alone(asked) else frozenset[int]()
    matches = [
        to_match(
            document,
            found[place],
            with_place(scores.get(place, {}), document, url, dated_as(document, asked) if place in dated else 0.0),
            standing(document, now),
            recipe,
        )
        for place, document in ((place, documents[place]) for place in sorted(scores.keys() | places | dated))
    ]
    hits = _hits(ordered(matches), asked)
    return Ranking(
        hits=hits,
        total=len(hits),
        reaching=len(hits),
        verdict=judgement.verdict,
        why=judgement.why,
        unmatched=judgement.unmatched,
    )


def holding(documents: Sequence[Document], asked: Query) -> dict[str, int]:
    """How many of `documents` hold each term of `asked`, as far as any does."""
    return _counts(one.terms for one in scan(documents, asked, 1.0))


def _counts(found: Iterable[Iterable[str]]) -> dict[str, int]:
    return Counter(chain.from_iterable(found))


def _hits(matches: Sequence[Match], query: Query) -> tuple[Hit, ...]:
    folded = fold([match.document.content for match in matches])
    copies: dict[int, list[str]] = {}
    for place, into in enumerate(folded):
        copies.setdefault(into, [])
        if into != place:
            copies[into].append(matches[place].document.id)
    return tuple(to_hit(matches[place], query, tuple(ids)) for place, ids in copies.items())

"""Which memories answer a query, in which order, and how sure that is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from .context import of_date
from .document import Document
from .hits import Hit, Ranking, Verdict
from .lexical import first_of, lexical
from .near_copies import fold
from .query import Query, Word, parse_query, undated
from .recipes import DEFAULT, Recipe
from .refine import LOOKED_AT, refine
from .scan import scan
from .scoring import Match, ordered, scaled, to_hit, to_match, with_url
from .site import same_site
from .standing import standing
from .tokenize import split_words
from .verdict import Strength, judge, strongest, units

__all__ = ["Hit", "Ranking", "search"]

# How many of the first hits may show that the query is answered.
_SHOWN: Final = 5
# A word that more than this share of the memories hold (and more than `_FEW` of them) tells nothing alone.
_COMMON_SHARE: Final = 0.25
_FEW: Final = 5


def search(
    documents: Sequence[Document], query: str, *, now: str, url: str | None = None, recipe: Recipe = DEFAULT
) -> Ranking:
    """All `documents` that match `query` (or are of `url` or its site), best first, near-copies folded.

    A score is the share (0-1) of the query's weight that the best memories hold, times how near each hit's evidence
    comes to the best one's; confidence, importance, decay and age together can take away at most `recipe.standing`
    (a tenth) of it, and never make a match. `now` is an instant as in the documents. The order is total: score, then
    newest, then id; it does not depend on the order of `documents`.
    """
    asked = parse_query(query)
    found = scan(documents, asked, recipe.field_weight)
    containing = _counts(one.terms for one in found)
    judging = undated(asked) if any(of_date(document, asked) for document in documents) else asked
    wanted = units(judging, containing, len(documents))
    evident, talk = lexical(documents, found, asked, recipe)
    first = first_of(evident, documents, LOOKED_AT)
    best = [(found[place].terms, found[place].related) for place in first[:_SHOWN]]
    strength = strongest(wanted, best, len(documents), recipe)
    unmatched = unmatched_words(judging, containing, strength)
    telling = is_telling([*containing.values(), *_counts(one.related for one in found).values()], len(documents))
    verdict, why = judged(query, judging, strength, unmatched, recipe, telling=telling)
    scores = (
        {}
        if verdict == "none"
        else scaled({**evident, **refine(first, talk, asked, strength.share, recipe)}, strength.share)
    )
    places = {place for place, document in enumerate(documents) if same_site(document, url)} if url else set[int]()
    if verdict == "none" and places:
        verdict, why = "weak", of_site(why)
    matches = [
        to_match(
            document, found[place], with_url(scores.get(place, {}), document, url), standing(document, now), recipe
        )
        for place, document in ((place, documents[place]) for place in sorted(scores.keys() | places))
    ]
    hits = _hits(ordered(matches), asked)
    return Ranking(hits=hits, total=len(hits), reaching=len(hits), verdict=verdict, why=why, unmatched=unmatched)


def holding(documents: Sequence[Document], asked: Query) -> dict[str, int]:
    """How many of `documents` hold each term of `asked`, as far as any does."""
    return _counts(one.terms for one in scan(documents, asked, 1.0))


def judged(  # noqa: PLR0913  # all that a verdict goes by
    query: str, asked: Query, strength: Strength, unmatched: Sequence[str], recipe: Recipe, *, telling: bool
) -> tuple[Verdict, str]:
    """The verdict on the best memories' `strength`, and why; the rest as for `judge`."""
    if not asked.words:
        return "none", _nothing_asked(query)
    return judge(strength, unmatched, recipe, telling=telling)


def of_site(why: str) -> str:
    """What to say when the words match nothing, and the page or site does."""
    return f"{why} These memories are of the same page or site."


def unmatched_words(asked: Query, containing: Mapping[str, int], strength: Strength) -> tuple[str, ...]:
    """The words of the query, as typed, that no memory contains; of names that none of the best holds, the whole."""

    def is_in_none(word: Word) -> bool:
        terms = word.terms[:1] if word.typed in strength.unheld else word.terms
        return not any(term in containing for term in terms)

    return tuple(word.typed for word in asked.words if is_in_none(word))


def _counts(found: Iterable[Iterable[str]]) -> dict[str, int]:
    return Counter(chain.from_iterable(found))


def is_telling(sizes: Iterable[int], total: int) -> bool:
    """Whether any of what matched, each in so many of the `total` memories, is in not very many."""
    common = max(_FEW, _COMMON_SHARE * total)
    return any(number <= common for number in sizes)


def _nothing_asked(query: str) -> str:
    words = split_words(query)
    if not words:
        return "The query has no letters or digits to search for. Name the subject in words."
    return "The query has only words too common to search for. Add a word that names the subject."


def _hits(matches: Sequence[Match], query: Query) -> tuple[Hit, ...]:
    folded = fold([match.document.content for match in matches])
    copies: dict[int, list[str]] = {}
    for place, into in enumerate(folded):
        copies.setdefault(into, [])
        if into != place:
            copies[into].append(matches[place].document.id)
    return tuple(to_hit(matches[place], query, tuple(ids)) for place, ids in copies.items())

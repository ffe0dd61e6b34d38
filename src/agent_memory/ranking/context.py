"""Evidence from around a memory: its neighbours in the session, the session, who said it and when."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .bm25 import bm25, weigh
from .dates import days_in
from .document import Document
from .query import Query
from .recipes import Recipe
from .scan import Evidence
from .tokenize import plain_form

_YEAR_ONLY: Final = 0.5
# What was done on a day is told on it or in the days after.
_TOLD_WITHIN: Final = 4


def sessions(documents: Sequence[Document]) -> list[list[int]]:
    """The places of the documents of each session of two or more, in the order in which they were said."""
    groups: dict[tuple[str | None, str], list[int]] = {}
    for place, document in enumerate(documents):
        if document.session_id is not None:
            groups.setdefault((document.project_id, document.session_id), []).append(place)

    return [sorted(group, key=lambda place: moment(documents[place])) for group in groups.values() if len(group) > 1]


def moment(document: Document) -> tuple[str, tuple[str, int], str]:
    """What puts the documents of a session in order."""
    return document.created_at, document.order, document.id


def neighbours(scores: Sequence[float], groups: Sequence[Sequence[int]], recipe: Recipe) -> list[float]:
    """What each document gains from the scores of those before and after it in its session."""
    gains = [0.0] * len(scores)
    for group in groups:
        for position, place in enumerate(group):
            for near, weight in _around(position, len(group), recipe):
                gains[place] += weight * scores[group[near]]
    return gains


def _around(position: int, size: int, recipe: Recipe) -> Iterator[tuple[int, float]]:
    for step, weight in ((-1, recipe.previous), (1, recipe.following), (-2, recipe.second), (2, recipe.second)):
        if 0 <= position + step < size:
            yield position + step, weight


def length_weight(mean: float, turns: int, total: int, recipe: Recipe) -> float:
    """How much the length of a memory says (`b` of BM25), where `turns` of `total` memories belong to a session."""
    most_are_turns = 2 * turns >= total
    return recipe.b_long if mean >= (recipe.long_turns if most_are_turns else recipe.long_alone) else recipe.b_short


def session_scores(found: Sequence[Evidence], groups: Sequence[Sequence[int]], recipe: Recipe) -> list[float]:
    """BM25 of each document's whole session, greatest 1; 0 without a session."""
    counts: list[dict[str, float]] = []
    lengths: list[float] = []
    for group in groups:
        together: dict[str, float] = {}
        for place in group:
            for term, count in found[place].terms.items():
                together[term] = together.get(term, 0.0) + count
        counts.append(together)
        lengths.append(sum(found[place].length for place in group))
    scores = relative(bm25(counts, lengths, weigh(counts, {}), recipe.k1, recipe.b_long))
    spread = [0.0] * len(found)
    for group, score in zip(groups, scores, strict=True):
        for place in group:
            spread[place] = score
    return spread


def speaker_named(document: Document, query: Query) -> bool:
    """Whether the query names who said this."""
    return document.speaker is not None and not query.names.isdisjoint(document.speaker.casefold().split())


def date_named(document: Document, query: Query) -> float:
    """1 when the query's month is the one in which this was said (and the year, when it names both), else 0.

    So when it is in the range of days that the query names. A half when it names the year only, which is that of many
    memories.
    """
    if query.span:
        return float(query.span[0] <= document.created_at[:10] <= query.span[1])
    if not (query.months or query.years):
        return 0.0
    year, month = document.created_at[:4], document.created_at[5:7]
    matches = (not query.years or year in query.years) and (not query.months or month in query.months)
    return float(matches) * (1.0 if query.months else _YEAR_ONLY)


def tells(days: Iterable[str], query: Query) -> bool:
    """Whether one of the `days` that a text names (`2023-07-07`) is one that the query names, in whatever form."""
    if query.span:
        return any(query.span[0] <= day <= query.span[1] for day in days)
    return bool(query.months) and any(
        day[5:7] in query.months
        and (not query.years or day[:4] in query.years)
        and (not query.days or int(day[8:]) in query.days)
        for day in days
    )


def tells_of(document: Document, query: Query) -> bool:
    """Whether the text names a day that the query names."""
    if not (query.months or query.span):
        return False
    content = document.content
    if query.years and not query.span and not any(year in content for year in query.years):
        return False
    return tells(days_in(plain_form(content)), query)


def day_named(document: Document, query: Query) -> bool:
    """Whether this was said on a day of the month that the query names, or within `_TOLD_WITHIN` days after it."""
    said = int(document.created_at[8:10]) if query.days else 0
    return any(0 <= said - day <= _TOLD_WITHIN for day in query.days)


def of_date(document: Document, query: Query) -> bool:
    """Whether this was said in the month or year that the query names, and on the day, where it names one."""
    return date_named(document, query) > 0.0 and (not query.days or day_named(document, query))


def relative(scores: list[float], top: float = 0.0) -> list[float]:
    """`scores` as shares of `top`, of the greatest of them where that is 0."""
    top = top or max(scores, default=0.0)
    return [score / top for score in scores] if top > 0.0 else scores

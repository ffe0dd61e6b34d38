"""What is said of an answer as a whole: how sure it is, why, and what of the query no memory holds."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from .dates import is_date
from .generic import GENERIC
from .hits import Verdict
from .listed import listed
from .query import Query, undated
from .recipes import Recipe
from .runs import words_in
from .tokenize import split_words
from .verdict import Strength, judge, strongest, units

# A word that more than this share of the memories hold (and more than `_FEW` of them) tells nothing alone.
_COMMON_SHARE: Final = 0.25
_FEW: Final = 5
# What asks for memories of any kind.
_ANY: Final = listed("""
    memory memories note notes entry entries record records recorded remember remembered log logged write wrote written
    add added notiz notizen geschah passiert passierte notas apuntes pasó notes souvenirs passé
""")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict and why; the `share` (0-1) of the query's weight that the best hold; words that none holds."""

    verdict: Verdict
    why: str
    share: float
    unmatched: tuple[str, ...]


class Held(NamedTuple):
    """What a memory holds of the query: terms, terms for which it holds a related one, a day, in whatever form."""

    terms: Mapping[str, object]
    related: Container[str]
    day: bool


class Sizes(NamedTuple):
    """How many memories there are; how many hold each term, each related one, and a day that the query names."""

    total: int
    containing: Mapping[str, int]
    related: Sequence[int]
    days: int


def judge_best(asked: Query, best: Sequence[Held], sizes: Sizes, recipe: Recipe, *, dated: bool) -> Judgement:
    """The judgement on the `best` memories.

    `dated`: some memories are of the date that the query names. What names it is then met by these, as it is by a text
    that holds the words.
    """
    total, containing = sizes.total, sizes.containing
    held = [(memory.terms, memory.related) for memory in best]
    if sizes.days:
        date = dict.fromkeys((t for word in asked.words if word.typed in asked.dated for t in word.terms), sizes.days)
        containing = {**date, **containing}
        held = [({**memory.terms, **date} if memory.day else memory.terms, memory.related) for memory in best]
    readings = (undated(asked), asked) if dated else (asked,)
    strengths = [strongest(units(reading, containing, total), held, total, recipe) for reading in readings]
    share = max(strength.share for strength in strengths)
    reading, strength = next(pair for pair in zip(readings, strengths, strict=True) if pair[1].share == share)
    unmatched = _unmatched(reading, containing, strength)
    telling = _is_telling([*containing.values(), *sizes.related], total)
    if reading.words:
        verdict, why = judge(strength, unmatched, recipe, telling=telling)
    else:
        verdict, why = "none", _nothing_asked(asked.text)
    return Judgement(verdict, why, share, unmatched)


def asks_for_date_alone(asked: Query) -> bool:
    """Whether the query asks for what is of a date, whatever it says: `notes from 2023-07-07`, `October 2023`."""
    return bool(asked.dated) and all(word.typed in asked.dated | GENERIC | _ANY for word in asked.words)


def to_the_point(asked: Query) -> Query:
    """`asked` without what asks for memories of any kind beside a date."""
    if not asks_for_date_alone(asked):
        return asked
    return replace(asked, words=tuple(word for word in asked.words if word.typed in asked.dated), related={})


def with_places(judgement: Judgement, asked: Query, *, site: bool, dated: bool) -> Judgement:
    """`judgement` where memories are of the same `site`, or `dated` as the query asks, for where no word fits."""
    if judgement.verdict != "none":
        return judgement
    if dated and asks_for_date_alone(asked):
        why = "No memory says this; these are of the date that the query names."
        return replace(judgement, verdict="weak", why=why, unmatched=())
    if site:
        return replace(judgement, verdict="weak", why=f"{judgement.why} These memories are of the same page or site.")
    if dated and (asked.months or asked.span):  # four digits alone may be anything
        hint = "Memories of that date are there: searchOptions.since and until let only those through."
        return replace(judgement, why=f"{judgement.why} {hint}")
    return judgement


def _unmatched(asked: Query, containing: Mapping[str, int], strength: Strength) -> tuple[str, ...]:
    """The words of the query, as typed, that no memory contains; of names that none of the best holds, the whole."""
    found: list[str] = []
    for word in asked.words:
        whole_only = word.typed in strength.unheld or is_date(word.typed)
        if word.unspaced and not whole_only:
            found += words_in(word.typed, word.terms, containing, lacking=True)
        elif not any(term in containing for term in (word.terms[:1] if whole_only else word.terms)):
            found.append(word.typed)
    return tuple(dict.fromkeys(found))


def _is_telling(sizes: Iterable[int], total: int) -> bool:
    """Whether any of what matched, each in so many of the `total` memories, is in not very many."""
    common = max(_FEW, _COMMON_SHARE * total)
    return any(number <= common for number in sizes)


def _nothing_asked(query: str) -> str:
    words = split_words(query)
    if not words:
        return "The query has no letters or digits to search for. Name the subject in words."
    return "The query has only words too common to search for. Add a word that names the subject."

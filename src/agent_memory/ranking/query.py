"""A query taken apart: its words, their terms, the pairs they form and the letters inside them."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from .dates import NumericDate, has_year, is_date, numeric_dates
from .months import MONTHS, months_in, years_in
from .ranges import RANGE_WORDS, range_in
from .related import is_unlike, related_to
from .stopwords import guess_language
from .tokenize import fold_marks, is_unspaced, plain_form, split_words, without_clitic, word_terms

LONGEST_QUERY: Final = 400  # distinct words; what follows a query that long says nothing new
GRAM: Final = 4
_DAY: Final = re.compile(r"([12]?\d|3[01])(?:st|nd|rd|th|\.)?")
_OF: Final = ("of", "de")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of the query as typed, in lower case, with its terms (the whole form first).

    `unspaced`: its script puts no spaces between words, so that it may be a whole sentence.
    """

    typed: str
    terms: tuple[str, ...]
    unspaced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a query asks for: its `text` taken apart.

    `related` has by term, the whole form of a word, those that may stand for it in a memory that lacks it. `pairs` are
    neighbouring terms, but not of characters, which overlap anyway. `names` are its words in lower case, as they name
    someone. `months` are `01` to `12`, `years` four digits, `days` those of a date or beside a month; `span` is the
    first and the last day of a range. `dated` are the words, as typed, that name these and say nothing else.
    """

    text: str
    words: tuple[Word, ...]
    language: str
    related: Mapping[str, frozenset[str]]
    pairs: frozenset[tuple[str, str]]
    grams: frozenset[str]
    names: frozenset[str]
    months: frozenset[str]
    years: frozenset[str]
    days: frozenset[int]
    span: tuple[str, str] | None
    dated: frozenset[str]


def parse_query(text: str) -> Query:
    """Take `text` apart; its own common words tell its language, and with it how the memories are stemmed."""
    raw = split_words(text)
    folded = [word.casefold() for word in raw]
    language = guess_language(folded)
    words: dict[str, Word] = {}
    sequence: list[str] = []
    for word, typed in zip(raw, folded, strict=True):
        found = word_terms(word, language)
        if not found:
            continue
        sequence += found if is_unspaced(word) else found[:1]
        if typed not in words and len(words) < LONGEST_QUERY:
            words[typed] = Word(typed=typed, terms=found, unspaced=is_unspaced(word))
    plain, lower = " ".join(folded), plain_form(text).casefold()
    months, years, days = months_in(text.casefold()), years_in(plain), {*_days(folded)}
    dates = {*numeric_dates(plain), *numeric_dates(lower)} if has_year(lower) else set[NumericDate]()
    said = (word for date in dates for word in split_words(date.said))
    span = range_in(lower) if has_year(lower) else None
    around = RANGE_WORDS.intersection(folded) if span else ()
    names_of_months = (word for word in folded if MONTHS.get(word) in months)
    return Query(
        text=text,
        words=tuple(words.values()),
        language=language,
        related=_related(words.values(), language),
        pairs=frozenset(pair for pair in pairwise(sequence) if not all(map(is_unspaced, pair))),
        grams=frozenset(gram for typed in words for gram in grams_of(typed)),
        names=frozenset(map(without_clitic, folded)),
        months=months.union(date.month for date in dates),
        years=years.union(date.year for date in dates),
        days=frozenset() if span else frozenset(day for _, day in days).union(date.day for date in dates if date.day),
        span=span,
        dated=years.union(
            names_of_months, (word for word, _ in days), said, around, filter(is_date, folded) if dates else ()
        ),
    )


def stand_ins(query: Query, held: Container[str], related: Container[str]) -> dict[str, tuple[str, ...]]:
    """By term of the query that is not `held`: those of `related`, the related terms that a memory holds, for it."""
    found = {
        term: tuple(sorted(one for one in members if one in related))
        for term, members in query.related.items()
        if term not in held
    }
    return {term: members for term, members in found.items() if members}


def undated(query: Query) -> Query:
    """`query` without the words that name its months, years and days; as it is when it has no others."""
    words = tuple(word for word in query.words if word.typed not in query.dated)
    return replace(query, words=words) if words else query


def _related(words: Iterable[Word], language: str) -> dict[str, frozenset[str]]:
    asked = [word for word in words if not word.unspaced]
    own = frozenset(chain.from_iterable(word.terms for word in asked))
    heads = (word.terms[0] for word in asked if not is_unlike(word.typed))
    found = {head: related_to(head, language) - own for head in heads}
    return {term: members for term, members in found.items() if members}


def _days(folded: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The days of a month, as typed and by number: `7 July`, `July 7th`, `7th of July`."""
    for one, other in pairwise(word for word in folded if word not in _OF):
        for day, month in ((one, other), (other, one)):
            if month in MONTHS and (found := _DAY.fullmatch(day)):
                yield day, int(found[1])


def grams_of(word: str) -> tuple[str, ...]:
    """The runs of four characters in `word` (folded), ends marked; none for scripts without spaces."""
    if is_unspaced(word):
        return ()
    marked = f" {fold_marks(word.casefold())} "
    return tuple([marked[start : start + GRAM] for start in range(len(marked) - GRAM + 1)])

"""A query taken apart: its words, their terms, the pairs they form and the letters inside them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from .stopwords import DEFAULT_LANGUAGE, guess_language
from .tokenize import fold_marks, is_unspaced, split_words, word_terms

LONGEST_QUERY: Final = 400  # distinct words; what follows a query that long says nothing new
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = re.compile(
    r"\b(jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?|(?<=in )ma(?:y|rch)|(?<=of )ma(?:y|rch)|(?<=since )ma(?:y|rch)|(?<=last )ma(?:y|rch)|ma(?:y|rch)(?= \d))\b"
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
GRAM: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of the query as typed, in lower case, with its terms (the whole form first)."""

    typed: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a query asks for. `pairs` are neighbouring terms; `dates` are prefixes (`2025-03`, `-03`, `2025`)."""

    words: tuple[Word, ...]
    language: str
    pairs: frozenset[tuple[str, str]]
    grams: frozenset[str]
    names: frozenset[str]
    months: frozenset[str]
    years: frozenset[str]


def parse_query(text: str, sample: Sequence[str] = ()) -> Query:
    """Take `text` apart; `sample` (texts of the store) settles the language of a query without common words."""
    raw = split_words(text)
    folded = [word.casefold() for word in raw]
    language = guess_language(folded)
    if language == DEFAULT_LANGUAGE and sample:
        language = _language_of(folded, sample)
    words: dict[str, Word] = {}
    sequence: list[str] = []
    for word, typed in zip(raw, folded, strict=True):
        found = word_terms(word, language)
        if not found:
            continue
        sequence += found if is_unspaced(word) else found[:1]
        if typed not in words and len(words) < LONGEST_QUERY:
            words[typed] = Word(typed=typed, terms=found)
    lower = text.casefold()
    return Query(
        words=tuple(words.values()),
        language=language,
        pairs=frozenset(pairwise(sequence)),
        grams=frozenset(gram for typed in words for gram in grams_of(typed)),
        names=frozenset(folded),
        months=frozenset(f"{_MONTHS.index(month[:3]) + 1:02}" for month in _MONTH.findall(lower)),
        years=frozenset(_YEAR.findall(lower)),
    )


def _language_of(folded: Sequence[str], sample: Sequence[str]) -> str:
    stops_only = guess_language([])
    return stops_only if not folded else DEFAULT_LANGUAGE


@lru_cache(maxsize=100_000)
def grams_of(word: str) -> tuple[str, ...]:
    """The runs of four characters in `word` (case folded), ends marked where words end in spaces."""
    marked = word if is_unspaced(word) else f" {fold_marks(word.casefold())} "
    return tuple(marked[start : start + GRAM] for start in range(len(marked) - GRAM + 1))

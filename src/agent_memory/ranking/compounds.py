"""Longer words of a store that hold a word of the query which no memory has: `Urlaub` in `Urlaubsantrag`."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from .query import Query
from .tokenize import fold_marks, word_terms

_SHORTEST: Final = 5
# A word of so many letters before or behind it: less is an ending, or no word.
_REST: Final = 3
# A stem that more words hold is no word of its own, or says nothing.
_MOST: Final = 200
# What is left of an ending where the language was not told from a word or two.
_ENDING: Final = re.compile("(?<=.{6})(?:en|er|es|e|n|s)$")


def stems_inside(query: Query, unmatched: Container[str]) -> dict[str, str]:
    """By term of the words of `query` that are `unmatched`: the stem to look for inside longer words."""
    asked = (word for word in query.words if word.typed in unmatched and not word.unspaced and word.typed.isalpha())
    stems = {word.terms[0]: (_ENDING.sub("", word.terms[0]), word.typed) for word in asked}
    long = ((term, next((s for s in said if len(s) >= _SHORTEST), "")) for term, said in stems.items())
    return {term: stem for term, stem in long if stem}


def with_compounds(query: Query, stems: Mapping[str, str], vocabulary: Iterable[str]) -> Query:
    """`query` with the words of `vocabulary` that hold one of `stems` as related to its term; the same without any."""
    found: dict[str, set[str]] = {term: set() for term in stems}
    for word in vocabulary if stems else ():
        lower = fold_marks(word.casefold())
        for term, stem in stems.items():
            if _holds(lower, stem):
                found[term].add(word.casefold())
    related = {term: _terms(words, query.language) for term, words in found.items() if 0 < len(words) <= _MOST}
    return replace(query, related={**query.related, **dict(_joined(query.related, related))}) if related else query


def _holds(word: str, stem: str) -> bool:
    at, size = word.rfind(stem), len(stem)
    begins, ends = word.startswith(stem), at > _REST and len(word) - at - size < _REST
    return (begins or ends) and len(word) >= size + _REST and word.isalpha()


def _terms(words: Iterable[str], language: str) -> frozenset[str]:
    return frozenset(term for word in words for term in word_terms(word, language)[:1])


def _joined(
    known: Mapping[str, frozenset[str]], more: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, frozenset[str]]]:
    return ((term, known.get(term, frozenset()) | members) for term, members in more.items())

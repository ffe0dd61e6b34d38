"""Longer words of a store that hold a word of the query which no memory has: `Urlaub` in `Urlaubsantrag`."""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Final

from .query import Query
from .tokenize import word_terms

_SHORTEST: Final = 5
# A word of so many letters before or behind it: less is an ending, or no word.
_REST: Final = 3
_MOST: Final = 50
_ENDING: Final = re.compile("(?<=.{6})(?:en|er|es|e|n|s)$")


def with_compounds(query: Query, vocabulary: Iterable[str], unmatched: Container[str]) -> Query:
    """`query` with the longer words of `vocabulary` as related to those of its words that are `unmatched`."""
    asked = (word for word in query.words if word.typed in unmatched and not word.unspaced and word.typed.isalpha())
    stems = {word.terms[0]: _stem(word.terms[0]) for word in asked}
    found: dict[str, list[str]] = {term: [] for term, stem in sorted(stems.items()) if len(stem) >= _SHORTEST}
    for word in vocabulary if found else ():
        lower = word.casefold()
        for term, words in found.items():
            if _holds(lower, stems[term]):
                words.append(lower)
    related = {term: _terms(words, query.language) for term, words in found.items() if words}
    return replace(query, related=_joined(query.related, related)) if related else query


def _stem(term: str) -> str:
    """`term` without an ending that it has when its language was not told from it alone."""
    return _ENDING.sub("", term)


def _holds(word: str, stem: str) -> bool:
    at = word.find(stem)
    return (at == 0 or at >= _REST) and len(word) >= len(stem) + _REST and word.isalpha()


def _terms(words: Iterable[str], language: str) -> frozenset[str]:
    shortest = sorted({*words}, key=lambda word: (len(word), word))[:_MOST]
    return frozenset(term for word in shortest for term in word_terms(word, language)[:1])


def _joined(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    return {term: one.get(term, frozenset()) | other.get(term, frozenset()) for term in {*one, *other}}

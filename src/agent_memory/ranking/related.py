"""Words that may stand for a word of the query: what is a kind of it, and what says the same.

"Which database do we use?" is answered by a text on Postgres that never says "database". The tables are data of the
language, written for this purpose; each row names the words that may be asked for and, after the colon, those that a
memory may hold instead. A row without a colon lists words that may stand for each other. What only has the stem of
one of them is no such word: `contains` asks for no container, and `busy` is no business.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from .related_words import ENGLISH, UNLIKE
from .related_words_more import FRENCH, GERMAN, SPANISH
from .tokenize import stem

TABLES: Final = MappingProxyType({"english": ENGLISH, "french": FRENCH, "german": GERMAN, "spanish": SPANISH})

_UNLIKE: Final = frozenset(UNLIKE.split())


def is_unlike(word: str) -> bool:
    """Whether the case-folded `word` has the stem of a word of the tables and means something else."""
    return word in _UNLIKE


@lru_cache(maxsize=10_000)
def related_to(term: str, language: str) -> frozenset[str]:
    """The stems that may stand for the stem `term` in a memory; none where nothing is known of it."""
    words = _members(language).get(term, ())
    return frozenset(stem(word, language) for word in words) - {term}


@cache
def _members(language: str) -> Mapping[str, list[str]]:
    """By stem: the words that may stand for it, as they are written."""
    found: dict[str, list[str]] = {}
    for row in filter(None, map(str.strip, TABLES.get(language, "").splitlines())):
        heads, colon, members = row.partition(":")
        for head in heads.split():
            found.setdefault(stem(head, language), []).extend((members if colon else heads).split())
    return found

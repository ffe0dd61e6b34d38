"""What the words of a query are there for: some name the very thing that is asked about, some only ask.

In "What is the purpose of the `close()` method?" all is about `close`; a memory that says "purpose" or "method" is no
nearer for it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from .names import named_by
from .query import Query, Word, grams_of
from .recipes import Recipe
from .tokenize import split_words

# Written as code: between backticks, or called.
_CODE: Final = re.compile(r"`([^`]{1,200})`|([\w.:]{1,100})\(\)")
# "how to" asks how something is done: there each word says what.
_ASKS: Final = re.compile(r"\W*(?:what|how|which|why|when|where|who|is|are|does|do|can)\b(?! to\b)", re.IGNORECASE)
_ASKING: Final = frozenset(
    (
        *("purpose", "role", "work", "works", "working", "mean", "means", "meaning", "happen", "happens", "happened"),
        *("implement", "implements", "implemented", "implementation"),
    )
)
# Beside a name they say what kind of thing it is.
_KINDS: Final = frozenset(
    (
        *("function", "method", "constructor", "class", "struct", "trait", "enum", "interface", "macro", "module"),
        *("instance", "object"),
    )
)


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What terms of a query, and runs of letters in it, weigh; one that is not there weighs 1."""

    terms: Mapping[str, float]
    grams: Mapping[str, float]


def emphasis(query: Query, recipe: Recipe) -> Emphasis:
    """What the words of `query` weigh: its names `recipe.named`, those that only ask `recipe.asking_words`.

    What stands in several words weighs as in the one that weighs most.
    """
    named = _named(query)
    asking = _asking(query.words, named) if _ASKS.match(query.text) else frozenset[str]()
    if not (named or asking):
        return Emphasis({}, {})
    terms: dict[str, float] = {}
    grams: dict[str, float] = {}
    for word in query.words:
        weight = recipe.named if word.typed in named else recipe.asking_words if word.typed in asking else 1.0
        _put(terms, word.terms, weight)
        _put(grams, grams_of(word.typed), weight)
    return Emphasis(_uneven(terms), _uneven(grams))


def _named(query: Query) -> frozenset[str]:
    """The words of `query`, as typed, that name one thing: by their form, or since they are written as code."""
    written = (part for found in _CODE.finditer(query.text) for part in split_words(found[1] or found[2]))
    return frozenset([*map(str.casefold, written), *(word.typed for word in query.words if named_by(word))])


def _asking(words: Iterable[Word], named: frozenset[str]) -> frozenset[str]:
    only_ask = _ASKING | _KINDS if named else _ASKING
    return frozenset(word.typed for word in words if word.typed in only_ask) - named


def _put(weights: dict[str, float], keys: Iterable[str], weight: float) -> None:
    for key in keys:
        weights[key] = max(weights.get(key, 0.0), weight)


def _uneven(weights: Mapping[str, float]) -> dict[str, float]:
    return {key: weight for key, weight in weights.items() if weight != 1.0}

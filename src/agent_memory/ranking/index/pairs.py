"""Which memories hold neighbouring words of a query side by side."""

from typing import Final

import numpy as np

from ..query import Query
from .columns import Flags, Ints, spans
from .held import Held, tally
from .language import Language
from .places import Places, terms_of
from .words import Words

_NONE: Final[Ints] = np.zeros(0, np.int64)
_PLACE_BITS: Final = 40
_PLACES: Final = (1 << _PLACE_BITS) - 1


def hold_pairs(places: Places, query: Query, words: Words, language: Language, mask: Flags | None) -> Held:
    """The rows of `mask` that hold each pair of neighbouring terms of `query`, whose terms are those of `places`."""
    terms = terms_of(query)
    numbers = {term: number for number, term in enumerate(terms)}
    wanted = sorted(pair for pair in query.pairs if pair[0] in numbers and pair[1] in numbers)
    codes = np.array([numbers[one] * len(terms) + numbers[two] for one, two in wanted], np.int64)
    first, second, place = _neighbours(places, words, language)
    between, met = _among(codes, first * len(terms) + second)
    within, stream = _within(places, codes, len(terms))
    both = np.sort(np.concatenate((within, between)) << _PLACE_BITS | np.concatenate((stream, place[met])))
    return tally(wanted, both >> _PLACE_BITS, both & _PLACES, words, mask)


def _within(places: Places, codes: Ints, terms: int) -> tuple[Ints, Ints]:
    """Where words stand that have both terms of a pair, one after the other: the pair's place in `codes`, and where."""
    if len(places.terms) == len(places.words):
        return _NONE, _NONE
    word, term = places.word_of_term(), places.terms
    behind = word[1:] == word[:-1]
    within, kept = _among(codes, (term[:-1] * terms + term[1:])[behind])
    stream, sizes = places.of(word[1:][behind][kept])
    return np.repeat(within, sizes), stream


def _neighbours(places: Places, words: Words, language: Language) -> tuple[Ints, Ints, Ints]:
    """The terms of words that stand together: of the first, of the second, and the second's place."""
    stream = np.sort(places.stream)
    ranks = language.ranks.values.take(stream)
    beside = np.flatnonzero(ranks[1:] == ranks[:-1] + 1)
    one, two = (np.searchsorted(places.words, words.tokens.values[stream[at]]) for at in (beside, beside + 1))
    many = places.begins[one + 1] - places.begins[one]
    first, edge = places.terms[spans(places.begins[one], many)], np.repeat(np.arange(len(one)), many)
    behind = two[edge]
    more = places.begins[behind + 1] - places.begins[behind]
    second, again = places.terms[spans(places.begins[behind], more)], np.repeat(np.arange(len(first)), more)
    return first[again], second, stream[beside + 1][edge[again]]


def _among(codes: Ints, found: Ints) -> tuple[Ints, Ints]:
    """For those of `found` that are among `codes`: the place there, and their places in `found`."""
    if not len(codes):
        return _NONE, _NONE
    order = np.argsort(codes)
    at = np.minimum(np.searchsorted(codes[order], found), len(codes) - 1)
    kept = np.flatnonzero(codes[order][at] == found)
    return order[at[kept]], kept

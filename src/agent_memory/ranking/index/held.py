"""Which memories hold which things of a query, and how often: `scan`, for all memories at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..query import Query
from .columns import Flags, Floats, Ints, by_number, gather, spans
from .language import Language
from .words import Block, Words, plain_grams

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NONE: Final[Ints] = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Held:
    """Which rows hold which of the sorted `keys`, and how often (weighted by field): one entry for each of both.

    `numbers` are the places of the keys, `sizes` says how many rows hold each. The entries of a row stand in the order
    of the keys, so that what is added up for equal rows is equal to the last digit.
    """

    keys: Sequence[str] | Sequence[tuple[str, str]]
    numbers: Ints
    rows: Ints
    counts: Floats
    sizes: Ints


@dataclass(frozen=True, slots=True)
class Places:
    """Where the words of the vocabulary stand that have a term of the query.

    `words` are their numbers, ascending; the places of the i-th are `stream[starts[i]:starts[i + 1]]`, and its terms of
    the query, by number in the order in which the word has them, are `terms[begins[i]:begins[i + 1]]`.
    """

    words: Ints
    stream: Ints
    starts: Ints
    terms: Ints
    begins: Ints

    def of(self, words: Ints) -> tuple[Ints, Ints]:
        """The places of each of `words` (their places in `self.words`), one after another, and how many each has."""
        begins = self.starts[words]
        sizes = self.starts[words + 1] - begins
        return self.stream[spans(begins, sizes)], sizes

    def terms_at(self, tokens: Ints) -> Iterator[tuple[int, list[int]]]:
        """Those of `tokens` that have a term of the query, by their place there, with these terms, in their order."""
        if not len(self.words):
            return
        at = np.minimum(np.searchsorted(self.words, tokens), len(self.words) - 1)
        found = np.flatnonzero(self.words[at] == tokens)
        begins, terms = self.begins.tolist(), self.terms.tolist()
        for place, word in zip(found.tolist(), at[found].tolist(), strict=True):
            yield place, terms[begins[word] : begins[word + 1]]


def find_places(terms: Sequence[str], language: Language, blocks: Sequence[Block]) -> Places:
    """Where words with one of `terms` stand."""
    found = [language.words_with(term) for term in terms]
    term = np.repeat(np.arange(len(terms)), [len(words) for words, _ in found])
    slot = np.concatenate([slots for _, slots in found] or [_NONE])
    held = np.concatenate([words for words, _ in found] or [_NONE])
    by_word = np.lexsort((slot, held))
    words, begins = np.unique(held[by_word], return_index=True)
    streams: list[Ints] = [_NONE]
    numbers: list[Ints] = [_NONE]
    for block in blocks:
        at, sizes = block.words.find(words)
        streams.append(block.words.numbers[at])
        numbers.append(np.repeat(np.arange(len(words)), sizes))
    stream, number = np.concatenate(streams), np.concatenate(numbers)
    if len(blocks) > 1:
        order = by_number(number, len(words))
        stream, number = stream[order], number[order]
    starts = np.searchsorted(number, np.arange(len(words) + 1))
    return Places(words, stream, starts, term[by_word], np.append(begins, len(held)))


def terms_of(query: Query) -> list[str]:
    """The terms of `query`, sorted."""
    return sorted({term for word in query.words for term in word.terms})


def hold_terms(places: Places, terms: Sequence[str], words: Words, mask: Flags | None) -> Held:
    """The rows of `mask`, all where it is None, that hold each of `terms`."""
    by_term = by_number(places.terms, len(terms))
    stream, sizes = places.of(_word_of(places)[by_term])
    return _tally(terms, np.repeat(places.terms[by_term], sizes), stream, words, mask)


def hold_pairs(places: Places, query: Query, words: Words, language: Language, mask: Flags | None) -> Held:
    """The rows of `mask` that hold each pair of neighbouring terms of `query`, whose terms are those of `places`."""
    terms = terms_of(query)
    numbers = {term: number for number, term in enumerate(terms)}
    wanted = sorted(pair for pair in query.pairs if pair[0] in numbers and pair[1] in numbers)
    codes = np.array([numbers[one] * len(terms) + numbers[two] for one, two in wanted], np.int64)
    word, term = _word_of(places), places.terms
    behind = word[1:] == word[:-1]
    within, kept = _among(codes, (term[:-1] * len(terms) + term[1:])[behind])
    stream, sizes = places.of(word[1:][behind][kept])
    first, second, place = _neighbours(places, language)
    between, met = _among(codes, first * len(terms) + second)
    which = np.concatenate((np.repeat(within, sizes), between))
    return _tally(wanted, which, np.concatenate((stream, place[met])), words, mask)


def _word_of(places: Places) -> Ints:
    """For each of the terms of `places` the word that has it."""
    return np.repeat(np.arange(len(places.words)), np.diff(places.begins))


def _neighbours(places: Places, language: Language) -> tuple[Ints, Ints, Ints]:
    """The terms of words that stand together: of the first, of the second, and the second's place."""
    order = np.argsort(places.stream)
    stream = places.stream[order]
    ranks = language.ranks.values[stream]
    beside = np.flatnonzero(ranks[1:] == ranks[:-1] + 1)
    of_place = np.repeat(np.arange(len(places.words)), np.diff(places.starts))
    one, two = of_place[order[beside]], of_place[order[beside + 1]]
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


def hold_grams(
    grams: Sequence[str], words: Words, blocks: Sequence[Block], language: Language, mask: Flags | None
) -> Held:
    """The rows of `mask`, all where it is None, that hold each of `grams`, which are sorted."""
    wanted = np.array([words.gram_ids.get(gram, -1) for gram in grams], np.int64)
    rows: list[Ints] = [_NONE]
    counts: list[NDArray[Any]] = [np.zeros(0)]
    sizes = np.zeros((len(blocks), len(grams)), np.int64)
    for number, block in enumerate(blocks):
        at, sizes[number] = block.grams.find(wanted)
        rows.append(block.grams.numbers[at])
        counts.append(block.grams.counts[at])
    numbers = np.repeat(np.tile(np.arange(len(grams)), len(blocks)), sizes.ravel())
    entries = numbers, np.concatenate(rows), np.concatenate(counts).astype(np.float64)
    extra = {
        place: having
        for place, gram in enumerate(grams)
        if (having := [word for word in words.split.get(gram, ()) if language.holds(word)])
    }
    if extra:
        more = _split(grams, extra, words, blocks)
        numbers, row, count = (np.concatenate(pair) for pair in zip(entries, more, strict=True))
        return _held(grams, *gather(numbers, row, count, words.rows), mask)
    return Held(grams, *entries, sizes.sum(axis=0)) if mask is None else _held(grams, *entries, mask)


def _split(
    grams: Sequence[str], extra: Mapping[int, Sequence[int]], words: Words, blocks: Sequence[Block]
) -> tuple[Ints, Ints, Floats]:
    """What words that are common in another language add: runs by number, rows and weighted counts."""
    numbers: list[Ints] = []
    places: list[Ints] = []
    times: list[Floats] = []
    for number, having in extra.items():
        for word in having:
            one = np.array([word])
            at = np.concatenate([block.words.numbers[block.words.find(one)[0]] for block in blocks] or [_NONE])
            places.append(at)
            numbers.append(np.full(len(at), number))
            times.append(np.full(len(at), float(plain_grams(words.texts[word]).count(grams[number]))))
    at = np.concatenate(places)
    return np.concatenate(numbers), words.row_of.values[at], words.weights.values[at] * np.concatenate(times)


def _tally(
    keys: Sequence[str] | Sequence[tuple[str, str]], which: Ints, places: Ints, words: Words, mask: Flags | None
) -> Held:
    """What `places` of the stream amount to by key and row; `which` is the number of the key that each stands for."""
    weights = words.weights.values[places].astype(np.float64)
    return _held(keys, *gather(which, words.row_of.values[places], weights, words.rows), mask)


def _held(
    keys: Sequence[str] | Sequence[tuple[str, str]], numbers: Ints, rows: Ints, counts: Floats, mask: Flags | None
) -> Held:
    if mask is not None:
        kept = mask[rows]
        numbers, rows, counts = numbers[kept], rows[kept], counts[kept]
    return Held(keys, numbers, rows, counts, np.bincount(numbers, minlength=len(keys)))

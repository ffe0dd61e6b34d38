"""Which memories hold which things of a query, and how often: `scan`, for all memories at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..query import Query
from .columns import Flags, Floats, Ints, add_up, by_number, spans
from .language import Language
from .words import Block, Words, plain_grams

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NONE: Final[Ints] = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Held:
    """For each of the sorted `keys`, one after another: the rows that hold it, and how often (weighted by field).

    Those of `keys[i]` are `rows[starts[i]:starts[i + 1]]`.
    """

    keys: Sequence[str] | Sequence[tuple[str, str]]
    rows: Ints
    counts: Floats
    starts: Ints

    def sizes(self) -> Ints:
        """How many rows hold each key."""
        return np.diff(self.starts)


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
        """Those of `tokens` that have a term of the query, in their order, with these terms."""
        if not len(self.words):
            return
        at = np.minimum(np.searchsorted(self.words, tokens), len(self.words) - 1)
        for word in at[self.words[at] == tokens].tolist():
            yield int(self.words[word]), self.terms[self.begins[word] : self.begins[word + 1]].tolist()


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
        at, number = block.words.find(words)
        streams.append(block.words.numbers[at])
        numbers.append(number)
    stream, number = np.concatenate(streams), np.concatenate(numbers)
    if len(blocks) > 1:
        order = by_number(number, len(words))
        stream, number = stream[order], number[order]
    starts = np.searchsorted(number, np.arange(len(words) + 1))
    return Places(words, stream, starts, term[by_word], np.append(begins, len(held)))


def terms_of(query: Query) -> list[str]:
    """The terms of `query`, sorted."""
    return sorted({term for word in query.words for term in word.terms})


def hold_terms(places: Places, terms: Sequence[str], words: Words, mask: Flags) -> Held:
    """The rows of `mask` that hold each of `terms`."""
    stream, sizes = places.of(_word_of(places))
    return _tally(terms, np.repeat(places.terms, sizes), stream, words, mask)


def hold_pairs(places: Places, query: Query, words: Words, language: Language, mask: Flags) -> Held:
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


def hold_grams(grams: Sequence[str], words: Words, blocks: Sequence[Block], language: Language, mask: Flags) -> Held:
    """The rows of `mask` that hold each of `grams`, which are sorted."""
    wanted = np.array([words.gram_ids.get(gram, -1) for gram in grams], np.int64)
    rows: list[Ints] = [_NONE]
    counts: list[NDArray[Any]] = [np.zeros(0)]
    numbers: list[Ints] = [_NONE]
    for block in blocks:
        at, number = block.grams.find(wanted)
        rows.append(block.grams.numbers[at])
        counts.append(block.grams.counts[at])
        numbers.append(number)
    row, count, number = np.concatenate(rows), np.concatenate(counts).astype(np.float64), np.concatenate(numbers)
    kept = mask[row]
    row, count, number = row[kept], count[kept], number[kept]
    extra = {
        place: having
        for place, gram in enumerate(grams)
        if (having := [word for word in words.split.get(gram, ()) if language.holds(word)])
    }
    order = by_number(number, len(grams)) if len(blocks) > 1 else slice(None)
    row, count, number = row[order], count[order], number[order]
    starts = np.searchsorted(number, np.arange(len(grams) + 1))
    found = Held(grams, row, count, starts)
    return _with_split(found, extra, words, blocks, mask) if extra else found


def _with_split(
    found: Held, extra: Mapping[int, Sequence[int]], words: Words, blocks: Sequence[Block], mask: Flags
) -> Held:
    """`found`, and what words that are common in another language add to some of the keys."""
    wanted = np.array(sorted({word for having in extra.values() for word in having}), np.int64)
    at = np.concatenate([block.words.numbers[block.words.find(wanted)[0]] for block in blocks] or [_NONE])
    token = np.searchsorted(wanted, words.tokens.values[at])
    rows = words.row_of.values[at]
    kept = mask[rows]
    rows, token, weights = rows[kept], token[kept], words.weights.values[at][kept]
    parts: list[tuple[Ints, Floats]] = []
    for place, gram in enumerate(found.keys):
        begin, end = found.starts[place : place + 2]
        part = found.rows[begin:end], found.counts[begin:end]
        if place in extra:
            having = set(extra[place])
            times = np.array([plain_grams(words.texts[word]).count(str(gram)) * (word in having) for word in wanted])
            these = np.flatnonzero(times[token])
            added = weights[these] * times[token[these]].astype(np.float64)
            part = add_up(np.concatenate((part[0], rows[these])), np.concatenate((part[1], added)), len(mask))
        parts.append(part)
    return _join(found.keys, parts)


def _tally(
    keys: Sequence[str] | Sequence[tuple[str, str]], which: Ints, places: Ints, words: Words, mask: Flags
) -> Held:
    """What `places` of the stream amount to by key and row; `which` is the number of the key that each stands for."""
    rows = words.row_of.values[places]
    kept = mask[rows]
    rows, which = rows[kept], which[kept]
    weights = words.weights.values[places][kept].astype(np.float64)
    if len(which) and np.any(which[1:] < which[:-1]):
        order = by_number(which, len(keys))
        rows, weights, which = rows[order], weights[order], which[order]
    starts = np.searchsorted(which, np.arange(len(keys) + 1))
    ends = starts[1:]
    return _join(keys, [add_up(rows[b:e], weights[b:e], len(mask)) for b, e in zip(starts[:-1], ends, strict=True)])


def _join(keys: Sequence[str] | Sequence[tuple[str, str]], parts: Sequence[tuple[Ints, Floats]]) -> Held:
    starts = np.cumsum([0, *(len(rows) for rows, _ in parts)])
    rows = np.concatenate([rows for rows, _ in parts] or [_NONE])
    return Held(keys, rows, np.concatenate([counts for _, counts in parts] or [np.zeros(0)]), starts)

"""Which memories hold which things of a query, and how often: `scan`, for all memories at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..query import grams_of
from .columns import Flags, Floats, Ints, Postings, by_number, drawn, find_in_each, gather, interleaved
from .language import Language
from .places import Places
from .words import Block, Words

_NONE: Final[Ints] = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Held:
    """Which rows hold which of the sorted `keys`, and how often (weighted by field): one entry for each of both.

    `numbers` are the places of the keys, `sizes` says how many rows hold each. The entries stand key by key, and row by
    row, so that what is added up for equal rows is equal to the last digit.
    """

    keys: Sequence[str] | Sequence[tuple[str, str]]
    numbers: Ints
    rows: Ints
    counts: Floats
    sizes: Ints


def hold_terms(places: Places, terms: Sequence[str], words: Words, mask: Flags | None) -> Held:
    """The rows of `mask`, all where it is None, that hold each of `terms`."""
    by_term = by_number(places.terms, len(terms))
    stream, sizes = places.of(places.word_of_term()[by_term])
    which = np.repeat(places.terms[by_term], sizes)
    several = np.flatnonzero(np.bincount(places.terms) > 1)
    begins, ends = np.searchsorted(which, several), np.searchsorted(which, several, side="right")
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        stream[begin:end].sort()
    return tally(terms, which, stream, words, mask)


def hold_grams(
    grams: Sequence[str], words: Words, blocks: Sequence[Block], language: Language, mask: Flags | None
) -> tuple[Held, Held]:
    """The rows of `mask`, all where it is None, that hold each of `grams`, which are sorted.

    First what counts 1 in its row, mostly, then the rest; the `sizes` are those of both together.
    """
    wanted = np.array([words.gram_ids.get(gram, -1) for gram in grams], np.int64)
    firsts = np.array([block.first for block in blocks], np.int32)
    once = _find([block.once for block in blocks], firsts, grams, wanted, mask)
    often = _find([block.often for block in blocks], firsts, grams, wanted, mask)
    extra = {
        place: having
        for place, gram in enumerate(grams)
        if (having := [word for word in words.split.get(gram, ()) if language.holds(word)])
    }
    if extra:
        once, often = _with_split(once, often, _split(grams, extra, words, blocks, mask), words.rows)
    sizes = once.sizes + often.sizes
    return replace(once, sizes=sizes), replace(often, sizes=sizes)


def _find(postings: Sequence[Postings], firsts: Ints, grams: Sequence[str], wanted: Ints, mask: Flags | None) -> Held:
    begins, each = find_in_each(postings, wanted)
    rows = np.repeat(np.tile(firsts, len(grams)), each.T.ravel())
    rows += interleaved([one.numbers for one in postings], begins, each)
    counts = np.broadcast_to(np.float64(1.0), len(rows))
    if any(len(one.counts) for one in postings):
        counts = interleaved([one.counts for one in postings], begins, each).astype(np.float64)
    sizes = each.sum(axis=0)
    numbers = np.repeat(np.arange(len(grams)), sizes)
    return Held(grams, numbers, rows, counts, sizes) if mask is None else _held(grams, numbers, rows, counts, mask)


def _with_split(once: Held, often: Held, more: Held, total: int) -> tuple[Held, Held]:
    """`once` and `often` with what there is `more` of some of their keys, whose entries then stand among the latter."""
    moved, left = more.sizes[once.numbers] > 0, more.sizes[once.numbers] == 0
    numbers, rows, counts = gather(
        np.concatenate((often.numbers, once.numbers[moved], more.numbers)),
        np.concatenate((often.rows, once.rows[moved], more.rows)),
        np.concatenate((often.counts, once.counts[moved], more.counts)),
        total,
    )
    return (
        _held(once.keys, once.numbers[left], once.rows[left], once.counts[left], None),
        _held(once.keys, numbers, rows, counts, None),
    )


def _split(
    grams: Sequence[str], extra: Mapping[int, Sequence[int]], words: Words, blocks: Sequence[Block], mask: Flags | None
) -> Held:
    """What words that are common in another language add to `grams`, by number of the run."""
    numbers: list[Ints] = []
    places: list[Ints] = []
    times: list[Floats] = []
    for number, having in extra.items():
        for word in having:
            one = np.array([word])
            at = np.concatenate([drawn(block.words.numbers, *block.words.find(one)) for block in blocks] or [_NONE])
            places.append(at)
            numbers.append(np.full(len(at), number))
            times.append(np.full(len(at), float(grams_of(words.texts[word]).count(grams[number]))))
    at = np.concatenate(places)
    counts = words.weights.values[at] * np.concatenate(times)
    return _held(grams, np.concatenate(numbers), words.row_of.values[at], counts, mask)


def tally(
    keys: Sequence[str] | Sequence[tuple[str, str]], which: Ints, places: Ints, words: Words, mask: Flags | None
) -> Held:
    """What `places` of the stream amount to by key and row; `which` is the number of the key that each stands for.

    Both ascend: key by key, place by place.
    """
    rows = words.row_of.values.take(places)
    counts = words.weights.values.take(places).astype(np.float64)
    other = (which[1:] != which[:-1]) | (rows[1:] != rows[:-1])
    if not other.all():
        first = np.flatnonzero(np.append(True, other))
        which, rows, counts = which.take(first), rows.take(first), np.add.reduceat(counts, first)
    return _held(keys, which, rows, counts, mask)


def _held(
    keys: Sequence[str] | Sequence[tuple[str, str]], numbers: Ints, rows: Ints, counts: Floats, mask: Flags | None
) -> Held:
    if mask is not None:
        kept = mask[rows]
        numbers, rows, counts = numbers[kept], rows[kept], counts[kept]
    return Held(keys, numbers, rows, counts, np.bincount(numbers, minlength=len(keys)))

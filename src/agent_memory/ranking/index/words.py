"""The words of all memories in reading order, and in which places each word and each run of letters stands."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..near_copies import is_fact
from ..query import grams_of
from ..related import is_unlike
from ..stopwords import DEFAULT_LANGUAGE, STOPWORDS
from ..tokenize import plain_terms
from .columns import Column, Ints, Postings, drawn, spans

BREAK: Final = 0
"""The word that ends a field: no phrase reaches over it."""

_ALL_STOPS: Final = frozenset[str]().union(*STOPWORDS.values())
_LONG: Final = 100


class Words:
    """The vocabulary and the stream of words. A row is a memory's number; a place is a word's in the stream.

    `folded` has for each word the number of its case-folded form, `facts` whether it is a fact to `near_copies`.
    Letters of words that are common words in some language (`split`) are not indexed by run: whether they count depends
    on the language of the query.
    """

    def __init__(self, field_weight: float) -> None:
        self.field_weight = field_weight
        self.ids: dict[str, int] = {"": BREAK}
        self.texts: list[str] = [""]
        self.folded: list[int] = [BREAK]
        self.facts = bytearray(1)
        self._terms: list[tuple[str, ...]] = []
        self.gram_ids: dict[str, int] = {}
        self.split: dict[str, list[int]] = {}
        self.gram_sizes = Column(np.int32)
        self._gram_starts = Column(np.int64)
        self._grams = Column(np.int32)
        self.tokens = Column(np.int32)
        self.row_of = Column(np.int32)
        self.weights = Column(np.float64 if field_weight % 1 else np.int8)
        self.starts = Column(np.int64)
        self._loads = Column(np.int64)
        self.gram_sizes.append(0)
        self._gram_starts.extend([0, 0])
        self.starts.append(0)
        self._loads.append(0)

    @property
    def rows(self) -> int:
        """How many memories were added."""
        return self.starts.size - 1

    @property
    def nbytes(self) -> int:
        """Bytes taken by the arrays."""
        columns = (self.gram_sizes, self._gram_starts, self._grams, self.tokens, self.row_of, self.weights, self.starts)
        return sum(column.nbytes for column in (*columns, self._loads))

    @property
    def loads(self) -> Ints:
        """How many words and runs of letters stand before each row, and in all: what a block of rows takes room by."""
        known = self._loads.size - 1
        if known < self.rows:
            starts: Ints = self.starts.values[known:]
            sizes = self.gram_sizes.values[self.tokens.values[starts[0] :]] + 1
            of_each = np.add.reduceat(sizes, starts[:-1] - starts[0], dtype=np.int64)
            self._loads.extend(np.cumsum(of_each) + self._loads.values[-1])
        return self._loads.values

    def number(self, word: str) -> int:
        """The number of `word`, a new one when it is first met."""
        known = self.ids.get(word)
        if known is not None:
            return known
        found = len(self.texts)
        self.ids[word] = found
        self.texts.append(word)
        self.facts.append(is_fact(word))
        small = word.casefold()
        self.folded.append(found if small == word else BREAK)
        terms = plain_terms(word, DEFAULT_LANGUAGE)
        self._terms.append(terms)
        depends = _depends(word)
        grams = grams_of(word) if terms or depends else ()
        self.gram_sizes.append(len(grams))
        numbers: list[int] = []
        if grams and depends:
            for gram in dict.fromkeys(grams):
                self.split.setdefault(gram, []).append(found)
        else:
            known_grams = self.gram_ids
            numbers = [known_grams.setdefault(gram, len(known_grams)) for gram in grams]
        self._grams.extend(numbers)
        self._gram_starts.append(self._grams.size)
        if small != word:
            self.folded[found] = self.number(small)
        return found

    def may_stand_for(self, word: int) -> bool:
        """Whether the word may stand for a related one."""
        return not is_unlike(self.texts[self.folded[word]])

    def take_terms(self) -> list[tuple[str, ...]]:
        """The terms, in the default language, of the words that are new since this was last asked."""
        terms, self._terms = self._terms, []
        return terms

    def numbers(self, words: Iterable[str]) -> list[int]:
        """The number of each of `words`."""
        ids, number = self.ids, self.number
        return [ids.get(word) or number(word) for word in words]

    def add(self, body: Sequence[int], labels: Sequence[int]) -> None:
        """Add a memory of these words, by number, as the next row."""
        size = len(body) + len(labels) + 2
        self.tokens.extend([*body, BREAK, *labels, BREAK])
        self.weights.extend([*[1.0] * (len(body) + 1), *[self.field_weight] * (len(labels) + 1)])
        self.row_of.extend([self.rows] * size)
        self.starts.append(self.tokens.size)

    def grams_of_words(self, words: Ints) -> tuple[Ints, Ints]:
        """The runs of letters of each of `words` by number, and how many each has."""
        begins = self._gram_starts.values[words]
        sizes = self._gram_starts.values[words + 1] - begins
        return drawn(self._grams.values, begins, sizes), sizes


class Block:
    """Where the words and the runs of letters of the rows `first` to `end` stand.

    Most runs of letters stand in a row `once`; for those that count for more, and how much, there is `often`. Both
    number the rows from `first` on.
    """

    def __init__(self, words: Words, first: int, end: int) -> None:
        self.first, self.end = first, end
        begin, stop = (int(words.starts.values[row]) for row in (first, end))
        tokens = words.tokens.values[begin:stop]
        order = np.argsort(tokens, kind="stable")
        ordered = tokens[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1], [True])))
        if len(ordered) and ordered[0] == BREAK:
            starts = starts[1:]
        places = (order + begin).astype(np.int32)
        keys = ordered[starts[:-1]]
        self.words = Postings(keys, starts.astype(np.int32), places, np.zeros(0, np.uint8))
        self.once, self.often = self._letters(words)

    @property
    def nbytes(self) -> int:
        """Bytes taken."""
        return self.words.nbytes + self.once.nbytes + self.often.nbytes

    def _letters(self, words: Words) -> tuple[Postings, Postings]:
        """Rows by run of letters, with the weighted count in each.

        A cell is a run of letters in a place, as one number: of the run, then of the row, then whether the place is in
        a label. So sorting brings together what is counted together, and nothing is needed but numpy.
        """
        keys, starts = self.words.keys, self.words.starts
        grams, sizes = words.grams_of_words(keys)
        if not len(grams):
            none = Postings(grams, np.zeros(1, np.int32), grams, grams)
            return none, none
        found, numbers = np.unique(grams, return_inverse=True)
        rows = self.end - self.first
        kind = np.uint32 if 2 * len(found) * rows <= np.iinfo(np.uint32).max else np.uint64  # this takes most room
        times, places = np.diff(starts), self.words.numbers[int(starts[0]) :]
        each, begins = np.repeat(sizes, times), np.repeat(np.cumsum(sizes) - sizes, times)
        cells: NDArray[Any] = numbers.astype(kind).take(spans(begins, each, np.int32))
        cells *= kind(rows)
        cells += np.repeat((words.row_of.values.take(places) - self.first).astype(kind), each)
        cells <<= kind(1)
        cells |= np.repeat((words.weights.values.take(places) != 1).astype(kind), each)
        cells.sort()
        labels = (cells & kind(1)).astype(np.uint8)
        cells >>= kind(1)
        first = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
        extra = words.weights.values.dtype.type(words.field_weight) - 1
        more = np.add.reduceat(labels, first, dtype=np.int32) * extra
        counts = np.diff(first.astype(np.int32), append=np.int32(len(cells))) + more
        cells = cells.take(first)
        ends = np.searchsorted(cells, np.arange(len(found) + 1).astype(kind) * kind(rows)).astype(np.int32)
        held, once = (cells % kind(rows)).astype(np.min_scalar_type(rows)), counts == 1
        before = np.append(0, np.cumsum(once))[ends].astype(np.int32)
        often = _small(counts[~once])
        return (
            Postings(found, before, held[once], often[:0]),
            Postings(found, ends - before, held[~once], often),
        )


def _small(counts: NDArray[Any]) -> NDArray[Any]:
    """`counts` in the narrowest type that holds them exactly."""
    if not len(counts):
        return counts.astype(np.uint8)
    for dtype in (np.uint8, np.uint16, np.uint32):
        if counts.max() <= np.iinfo(dtype).max and not np.any(counts % 1):
            return counts.astype(dtype)
    return counts


def _depends(word: str) -> bool:
    """Whether it depends on the language of a query if `word` counts at all."""
    folded = word.casefold()
    if len(word) <= _LONG and folded not in _ALL_STOPS and _core(folded) not in _ALL_STOPS:
        return False
    return len({bool(plain_terms(word, language)) for language in STOPWORDS}) > 1


def _core(folded: str) -> str:
    return folded.strip("_").partition("'")[0]

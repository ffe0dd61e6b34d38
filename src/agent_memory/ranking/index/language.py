"""What the vocabulary means in one language: the terms of each word, and the lengths of the memories in terms."""

from array import array
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..alike import stem_of
from ..stopwords import DEFAULT_LANGUAGE
from ..tokenize import plain_terms
from .columns import Column, Ints
from .words import BREAK, Words

_SLOT_BITS: Final = 24
_NO_WORDS: Final = array("q")


class Language:
    """Words by term, and per memory the length in terms and in runs of letters, weighted by field.

    `stems` has for each word the number of the stem of it that counts in `alike`, -1 without one. `ranks` numbers the
    places in the stream without the words that have no term: two words stand together when their
    ranks are neighbours.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.lengths = Column(np.float64)
        self.gram_lengths = Column(np.float64)
        self.ranks = Column(np.int32)
        self.stems = Column(np.int64)
        self.stems.append(-1)  # of BREAK
        self._sizes = Column(np.int32)
        self._sizes.append(0)  # of BREAK
        # The one word that has a term as its first, else every word that has it, with the place among its terms.
        self._terms: dict[str, int | array[int]] = {}
        self._rank = 0

    @property
    def nbytes(self) -> int:
        """Bytes taken by the arrays."""
        return sum(column.nbytes for column in (self.lengths, self.gram_lengths, self.ranks, self.stems, self._sizes))

    def catch_up(self, words: Words) -> None:
        """Take in what was added to `words` since the last time."""
        self._read_words(words)
        row, rows = self.lengths.size, words.rows
        if row == rows:
            return
        begin = int(words.starts.values[row])
        tokens = words.tokens.values[begin:]
        sizes = self._sizes.values[tokens]
        weights = words.weights.values[begin:]
        starts = words.starts.values[row:rows] - begin
        self.lengths.extend(np.add.reduceat(weights * sizes.astype(np.float64), starts))
        letters = np.where(sizes > 0, words.gram_sizes.values[tokens], 0).astype(np.float64)
        self.gram_lengths.extend(np.add.reduceat(weights * letters, starts))
        ranks = np.cumsum((sizes > 0) | (tokens == BREAK)) + self._rank
        self.ranks.extend(ranks)
        self._rank = int(ranks[-1])

    def holds(self, word: int) -> bool:
        """Whether the word has a term in this language."""
        return bool(self._sizes.values[word])

    def words_with(self, terms: Sequence[str]) -> tuple[Ints, Ints]:
        """The words that have any of `terms`, ascending, each as often as it has one; and the places of these.

        The terms of a word come in the order in which it has them.
        """
        found = [self._having(term) for term in terms]
        packed = np.concatenate([_NO_WORDS, *found])
        order = np.argsort(packed)
        return packed[order] >> _SLOT_BITS, np.repeat(np.arange(len(terms)), [*map(len, found)])[order]

    def _having(self, term: str) -> "array[int]":
        held = self._terms.get(term, _NO_WORDS)
        return array("q", (held << _SLOT_BITS,)) if isinstance(held, int) else held

    def _read_words(self, words: Words) -> None:
        known = self._sizes.size
        if self.name == DEFAULT_LANGUAGE:
            fresh = words.take_terms()
        else:
            fresh = [plain_terms(text, self.name) for text in words.texts[known:]]
        terms = self._terms
        for number, found in enumerate(fresh, known):
            for slot, term in enumerate(found):
                held = terms.get(term)
                if held is None and not slot:  # as most are; text and number are those of the vocabulary, to save room
                    same = words.ids.get(term)
                    terms[term if same is None else words.texts[same]] = words.ids[words.texts[number]]
                    continue
                if held is None or isinstance(held, int):
                    held = terms[term] = self._having(term)[:]
                held.append(number << _SLOT_BITS | slot)
        self._sizes.extend(list(map(len, fresh)))
        stems = map(stem_of, words.texts[known:], fresh)
        self.stems.extend([-1 if stem is None else self._having(stem)[0] for stem in stems])

"""Where the words of a query stand in the stream of words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..query import Query
from .columns import Ints, drawn, find_in_each, interleaved
from .language import Language
from .words import Block, Words


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

    def word_of_term(self) -> Ints:
        """For each of `terms` the place of the word that has it."""
        return np.repeat(np.arange(len(self.words)), np.diff(self.begins))

    def of(self, words: Ints) -> tuple[Ints, Ints]:
        """The places of each of `words` (their places in `self.words`), one after another, and how many each has."""
        begins = self.starts[words]
        sizes = self.starts[words + 1] - begins
        return drawn(self.stream, begins, sizes), sizes

    def terms_at(self, tokens: Ints) -> Iterator[tuple[int, list[int]]]:
        """Those of `tokens` that have a term of the query, by their place there, with these terms, in their order."""
        if not len(self.words):
            return
        at = np.minimum(np.searchsorted(self.words, tokens), len(self.words) - 1)
        found = np.flatnonzero(self.words[at] == tokens)
        begins, terms = self.begins.tolist(), self.terms.tolist()
        for place, word in zip(found.tolist(), at[found].tolist(), strict=True):
            yield place, terms[begins[word] : begins[word + 1]]


def find_places(
    terms: Sequence[str], language: Language, blocks: Sequence[Block], counts: Callable[[int], bool] | None = None
) -> Places:
    """Where words with one of `terms` stand, all of them or those that count."""
    held, term = language.words_with(terms)
    if counts:
        kept = np.array([*map(counts, held.tolist())], bool)
        held, term = held[kept], term[kept]
    begins = np.flatnonzero(np.diff(held, prepend=-1))
    words = held[begins]
    postings = [block.words for block in blocks]
    at, sizes = find_in_each(postings, words)
    stream = interleaved([one.numbers for one in postings], at, sizes)
    starts = np.append(0, np.cumsum(sizes.sum(axis=0)))
    return Places(words, stream, starts, term, np.append(begins, len(held)))


def terms_of(query: Query) -> list[str]:
    """The terms of `query`, sorted."""
    return sorted({term for word in query.words for term in word.terms})


def surfaces(places: Places, terms: Sequence[str], words: Words, rows: Sequence[int]) -> list[dict[str, str]]:
    """For each of `rows`: those of `terms` that it holds, with the word in which each is first met."""
    starts = words.starts.values
    streams = [words.tokens.values[starts[row] : starts[row + 1]] for row in rows]
    tokens: Ints = np.concatenate((words.tokens.values[:0], *streams))
    which: list[int] = np.repeat(np.arange(len(rows)), [len(stream) for stream in streams]).tolist()
    found: list[dict[str, str]] = [{} for _ in rows]
    for place, numbers in places.terms_at(tokens):
        held, word = found[which[place]], words.texts[int(tokens[place])]
        for number in numbers:
            held.setdefault(terms[number], word)
    return found

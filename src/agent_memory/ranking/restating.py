"""Whether a text says nothing that another one does not say already: the guard before the review queue.

Told from words alone, so that the same texts always get the same answer. A number, date, version, name, sign, negation
or qualification that differs is never passed over, nor is a word in the place of another: that may be the very change.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from ..models.identity import fold
from .listed import listed
from .near_copies import is_fact, signs_of
from .tokenize import is_unspaced, split_words, word_terms

Guard = Literal["exact", "subset", "paraphrase"]

_FEWEST_WORDS: Final = 3
_SHARE: Final = 0.5
"""How much of a longer text the words of a shorter one must make up."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;。！？])\s+|\n+")
_FILLER: Final = listed("""
    a an the is are be been am was were to of and this that it its you your we our please
""")
_QUALIFIERS: Final = listed("""
    must may might should shall can could would will need usually sometimes often
""")


@dataclass(frozen=True, slots=True)
class Said:
    """A text as it is compared: folded, its words in order, and each of its sentences apart."""

    folded: str
    words: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    signs: tuple[str, ...]
    unspaced: bool

    @property
    def needle(self) -> str:
        """A word in lower case that every text which says the same holds."""
        return max(_technical(self.words) or map(str.casefold, self.words), key=len, default="")


def read(text: str) -> Said:
    """`text`, taken apart."""
    parts = tuple(tuple(split_words(part)) for part in _SENTENCE.split(text))
    return Said(fold(text), tuple(split_words(text)), parts, signs_of(text), is_unspaced(text))


def restates(new: Said, old: Said) -> Guard | None:
    """How `old` says all that `new` says; None when it may not.

    exact: the same words and signs in the same order, whatever their case and punctuation. subset: a sentence of
    `old`, or all of it, holds the words of `new` in order and has the same facts. paraphrase: the same facts, the same
    technical words in the same order, and all other words of `new` in some form.
    """
    if new.folded == old.folded:
        return "exact"
    if new.unspaced or old.unspaced or new.signs != old.signs:  # where no spaces are written, words are a guess
        return None
    if new.words and [*map(str.casefold, new.words)] == [*map(str.casefold, old.words)]:
        return "exact"
    if len(new.words) < _FEWEST_WORDS:
        return None
    if any(_holds(part, new.words) for part in (*old.sentences, old.words)):
        return "subset"
    return "paraphrase" if _rephrases(new.words, old.words) else None


def _holds(long: tuple[str, ...], short: tuple[str, ...]) -> bool:
    """Whether `short` makes up much of `long`, in order, and `long` has no fact more."""
    rest = iter([word.casefold() for word in long])
    many = len(long) * _SHARE <= len(short) <= len(long)
    return many and all(word.casefold() in rest for word in short) and _facts(long) == _facts(short)


def _rephrases(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    technical = _technical(new)
    if not technical or technical != _technical(old) or _facts(new) != _facts(old):
        return False
    mine, theirs = _terms(new), _terms(old)
    return mine <= theirs and theirs.total() * _SHARE <= mine.total()


def _facts(words: Iterable[str]) -> Counter[str]:
    """The facts among `words`; a capital at the beginning of a word is none, since a sentence may begin with it."""
    folded = ((word, word.casefold()) for word in map(_named, words))
    return Counter(low for word, low in folded if is_fact(low) or low in _QUALIFIERS or _is_cased(word))


def _technical(words: Iterable[str]) -> list[str]:
    """The identifiers, paths, versions and numbers among `words`, in order."""
    return [word.casefold() for word in map(_named, words) if not word.isalpha() or _is_cased(word)]


def _named(word: str) -> str:
    """`word` without the `'s` of an owner, which makes no name of a common word."""
    return word.removesuffix("'s")


def _is_cased(word: str) -> bool:
    return len(word) > 1 and not word[1:].islower()


def _terms(words: Iterable[str]) -> Counter[str]:
    """The stems of `words` without filler."""
    kept = (low for word in words if (low := word.casefold()) not in _FILLER)
    return Counter(next(iter(word_terms(word)), word) for word in kept)

"""Which memory a later one seems to update: the same subject, another number, version, date or value.

Both say what they say in numbers, and the words that name their subject are the same, rare ones. That is a guess, so it
marks a memory and changes no order.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from .code import code_languages
from .listed import listed
from .months import MONTHS
from .stopwords import DEFAULT_LANGUAGE
from .tokenize import plain_terms, split_words, stem

# Words of the subject that are compared: the rarest.
_SUBJECT: Final = 4
_SHARED: Final = 0.5
# A word that more memories hold than this share of them, and than a few, names no subject.
_RARE: Final = 0.01
_FEW: Final = 5
# Beyond this many words a memory is about more than one thing.
LONGEST: Final = 60
_SHORT: Final = (4, 5)
_DIGIT: Final = re.compile(r"\d")
_USUAL: Final = frozenset(
    map(
        stem,
        listed("""
    use now listen run set change move need new old current still also since today instead anymore update switch become
    number version time date day week month year hour minute second value count limit total size rate price cost
    first last next start end per every
"""),
    )
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a memory says in numbers: the words of its subject and its values."""

    subject: frozenset[str]
    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a store by memory id, and by word of their subject the ids that hold it.

    `rarest` keeps what was found out of a claim since the last change.
    """

    by_id: Mapping[str, Claim]
    holding: Mapping[str, AbstractSet[str]]
    rarest: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def updates(self, memory_id: str, when: Callable[[str], str | None]) -> Iterator[str]:
        """The later memories that seem to update `memory_id`, the newest first.

        `when` answers since when a memory says what it says, and None for those that are not to be named.
        """
        claim, then = self.by_id.get(memory_id), when(memory_id)
        if claim is None or then is None:
            return
        mine = self._rarest(memory_id)
        late = [(at, other) for other in self._near(mine) - {memory_id} if (at := when(other)) and at > then]
        for _, other in sorted(late, reverse=True):
            if _same(claim, mine, self.by_id[other], self._rarest(other)):
                yield other

    def updated_by(self, claim: Claim) -> list[str]:
        """The ids of the memories that one which says `claim` would seem to update, in order."""
        rare = self._rare(claim)
        near = sorted(self._near(rare))
        return [other for other in near if _same(self.by_id[other], self._rarest(other), claim, rare)]

    def _near(self, words: Iterable[str]) -> set[str]:
        """The ids that hold one of `words`."""
        return {other for word in words for key in forms(word) for other in self.holding.get(key, ())}

    def _rarest(self, memory_id: str) -> frozenset[str]:
        found = self.rarest.get(memory_id)
        if found is None:
            found = self.rarest[memory_id] = self._rare(self.by_id[memory_id])
        return found

    def _rare(self, claim: Claim) -> frozenset[str]:
        """The rarest words of the subject, of those that few memories hold."""
        most = max(_FEW, _RARE * len(self.by_id))
        rare = [(held, word) for word in claim.subject if (held := len(self.holding.get(word, ()))) <= most]
        return frozenset(word for _, word in sorted(rare)[:_SUBJECT])


@dataclass(frozen=True, slots=True)
class KeptClaims(Claims):
    """Claims that are kept up to date while memories change."""

    by_id: dict[str, Claim] = field(default_factory=dict[str, Claim])
    holding: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))

    def put(self, memory_id: str, content: str | None) -> None:
        """Take in what a memory says now; None when it is gone."""
        self.rarest.clear()
        old = self.by_id.pop(memory_id, None)
        for word in old.subject if old else ():
            for key in forms(word):
                self.holding[key].discard(memory_id)
        claim = read_claim(content) if content is not None else None
        if claim is not None:
            self.by_id[memory_id] = claim
            holding = self.holding
            for word in claim.subject:
                for key in forms(word):
                    holding[key].add(memory_id)


def _same(claim: Claim, mine: frozenset[str], other: Claim, theirs: frozenset[str]) -> bool:
    """Whether `other`, whose rarest words are `theirs`, is about the same and says something else of it."""
    if other.values == claim.values or claim.values < other.values:
        return False
    shared = sum(_is_among(word, theirs) for word in mine)
    return shared > 0 and shared >= _SHARED * min(len(mine), len(theirs))


def read_claim(content: str) -> Claim | None:
    """What `content` says in numbers; None when it has none, is code, or is too long to be about one thing."""
    if not may_claim(content):
        return None
    words = split_words(content)
    if len(words) > LONGEST:
        return None
    read = {*map(_read, words)}
    values = frozenset([value for value, _ in read if value])
    subject = frozenset([term for _, term in read if term])
    return Claim(subject, values) if subject and values else None


def may_claim(content: str) -> bool:
    """Whether `content` has a digit and is no code: else it says nothing in numbers."""
    return bool(_DIGIT.search(content)) and not code_languages(content)


def read_word(word: str) -> tuple[str, str]:
    """What a word is: a value, a word of the subject, or neither."""
    if is_value(word):
        return word.casefold(), ""
    term = next(iter(plain_terms(word, DEFAULT_LANGUAGE)), "")
    return "", term if term not in _USUAL and len(term) > 1 else ""


_read: Final = lru_cache(maxsize=100_000)(read_word)


def is_value(word: str) -> bool:
    """A number, date, version or amount, or the name of a month; a name with a digit inside (`s3`) is none."""
    return word[0].isdigit() or (word[0] in "vV" and word[1:2].isdigit()) or word.casefold() in MONTHS


def _is_among(word: str, others: frozenset[str]) -> bool:
    """Whether `others` hold the word, or a short one that differs by one letter more at the end: `ssh`, `sshd`."""
    size = len(word)
    if word in others or (size in _SHORT and word[:-1] in others):
        return True
    return size + 1 in _SHORT and any(len(other) == size + 1 and other[:-1] == word for other in others)


@lru_cache(maxsize=100_000)
def forms(word: str) -> tuple[str, ...]:
    """Under what a word is found: itself, and without its last letter if it is short.

    That is what no stemmer takes from a name: `sshd`.
    """
    return (word, word[:-1]) if len(word) in _SHORT else (word,)

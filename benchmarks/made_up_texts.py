"""Made-up notes in any number: made-up words as rare as words are, common English ones, identifiers and numbers."""

from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate
from random import Random
from typing import Any, Final

_WORDS: Final = 60_000
_COMMON: Final = (
    "the",
    "a",
    "of",
    "to",
    "in",
    "and",
    "is",
    "for",
    "on",
    "that",
    "with",
    "it",
    "was",
    "as",
    "by",
    "at",
    "from",
    "this",
)
# Shares of what a text is made of, added up: common words about as in prose, names of code and numbers now and then.
_UP_TO_COMMON: Final = 0.38
_UP_TO_NAMES: Final = 0.43
_UP_TO_NUMBERS: Final = 0.46
_IDENTIFIERS: Final = 3_000
_SESSION: Final = 20


def texts(number: int) -> list[str]:
    """`number` texts of 20 to 70 words, the same at every call."""
    words = list(_words())
    weights = list(accumulate(1.0 / (rank + 8) for rank in range(_WORDS)))
    random = Random(1)

    def word() -> str:
        kind = random.random()
        if kind < _UP_TO_COMMON:
            return random.choice(_COMMON)
        if kind < _UP_TO_NAMES:
            return f"{words[random.randrange(_IDENTIFIERS)]}_{words[random.randrange(_IDENTIFIERS)]}"
        if kind < _UP_TO_NUMBERS:
            return str(random.randrange(10_000))
        return words[bisect(weights, random.random() * weights[-1])]

    return [" ".join(word() for _ in range(random.randint(20, 70))) for _ in range(number)]


def memories(contents: list[str]) -> list[dict[str, Any]]:
    """Items of a bulk `remember`; every other one is a turn of a session."""
    return [
        {
            "content": content,
            **({"sessionId": f"session-{place // _SESSION}"} if place % 2 else {}),
            "memoryDetails": {"tags": [f"tag{place % 50}"], "confidence": 0.5 + place % 5 / 10},
        }
        for place, content in enumerate(contents)
    ]


def questions(contents: list[str], number: int) -> list[str]:
    """`number` questions of three to seven words of one text each."""
    random = Random(7)
    asked: list[str] = []
    for _ in range(number):
        telling = [word for word in random.choice(contents).split() if word not in _COMMON]
        asked.append("what is the " + " ".join(random.sample(telling, min(len(telling), random.randint(3, 7)))))
    return asked


def _words() -> Iterator[str]:
    random = Random(3)
    for _ in range(_WORDS):
        syllables = random.choice((1, 2, 2, 3, 3, 4))
        yield "".join(random.choice("bcdfghjklmnprstvwz") + random.choice("aeiou") for _ in range(syllables))

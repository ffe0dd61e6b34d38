"""Made-up notes in any number: made-up words as rare as words are, common English ones, identifiers and numbers."""

from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate
from random import Random
from typing import Any, Final

_WORDS: Final = 60_000
_COMMON: Final = "the a of to in and is for on that with it was as by at from this".split()  # noqa: SIM905  # as prose
_IDENTIFIERS: Final = 3_000
_SESSION: Final = 20


def texts(number: int) -> list[str]:
    """`number` texts of 20 to 70 words, the same at every call."""
    words = list(_words())
    weights = list(accumulate(1.0 / (rank + 8) for rank in range(_WORDS)))
    random = Random(1)  # noqa: S311  # made-up text, no secret

    def word() -> str:
        kind = random.random()
        if kind < 0.38:  # noqa: PLR2004  # about the share of common words in prose
            return random.choice(_COMMON)
        if kind < 0.43:  # noqa: PLR2004  # a name of code now and then
            return f"{words[random.randrange(_IDENTIFIERS)]}_{words[random.randrange(_IDENTIFIERS)]}"
        if kind < 0.46:  # noqa: PLR2004  # and a number
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
    random = Random(7)  # noqa: S311  # made-up text, no secret
    asked: list[str] = []
    for _ in range(number):
        telling = [word for word in random.choice(contents).split() if word not in _COMMON]
        asked.append("what is the " + " ".join(random.sample(telling, min(len(telling), random.randint(3, 7)))))
    return asked


def _words() -> Iterator[str]:
    random = Random(3)  # noqa: S311  # made-up text, no secret
    for _ in range(_WORDS):
        syllables = random.choice((1, 2, 2, 3, 3, 4))
        yield "".join(random.choice("bcdfghjklmnprstvwz") + random.choice("aeiou") for _ in range(syllables))

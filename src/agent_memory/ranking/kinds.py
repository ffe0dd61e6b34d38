"""What kind of answer a question wants, and whether a text could hold one: a time, a number, a place, a name."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from .months import MONTHS

_DAYS: Final = """
    monday tuesday wednesday thursday friday saturday sunday yesterday today tonight tomorrow ago last next since week
    weekend month year weeks months years montag dienstag mittwoch donnerstag freitag samstag sonntag gestern heute
    morgen hier demain ayer hoy mañana ieri oggi domani ontem hoje amanhã gisteren vandaag вчера сегодня завтра"""
_NUMBERS: Final = """
    two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand million dozen twice once
    couple several zwei drei vier fünf sechs sieben acht neun zehn deux trois quatre cinq dix dos tres cuatro cinco due
    tre quattro cinque dois quatro twee drie vier vijf два две три четыре пять"""
# How questions ask for each kind; the first that matches is what is wanted.
_ASKED: Final = (
    (
        "number",
        (
            r"\bhow (?:many|much|often|long|old)\b|\bwie ?(?:viele?|oft|lange|alt)\b|\bcombien\b|\bcuánt[oa]s?\b"
            r"|\bquant[oie]\b|\bhoeveel\b|\bсколько\b|多少|几"
        ),
    ),
    (
        "time",
        (
            r"^\W*(?:since )?when\b|\b(?:what|which) (?:date|day|year|month|time)\b|^\W*(?:seit )?wann\b|^\W*quand\b"
            r"|^\W*cuándo\b|^\W*quando\b|^\W*wanneer\b|^\W*когда\b|什么时候|何时"
        ),
    ),
    (
        "place",
        (
            r"^\W*where\b|\b(?:what|which) (?:city|country|state|place|town)\b|^\W*wo(?:her|hin)?\b|^\W*où\b"
            r"|^\W*d?ónde\b|^\W*dove\b|^\W*onde\b|^\W*waar\b"
        ),
    ),
    ("name", r"\bwho(?:se|m)?\b|^\W*wer\b|^\W*wem\b|^\W*wessen\b|^\W*qui\b|^\W*quién(?:es)?\b|^\W*chi\b"),
)


def wanted(question: str) -> str | None:
    """The kind of answer that `question` wants; None when any may do."""
    lower = question.casefold()
    return next((kind for kind, asked in _ASKED if re.search(asked, lower)), None)


def holds(text: str, kind: str) -> bool:
    """Whether `text` could hold an answer of this `kind`."""
    return _shape(kind).search(text) is not None


@cache
def _shape(kind: str) -> re.Pattern[str]:
    """What a text with an answer of `kind` has; made when it is first asked for, since it takes milliseconds."""
    if kind == "time":
        words = _one_of({*MONTHS, *_DAYS.split()} - {"may", "march", "mar", "mars"})
        return re.compile(
            rf"\b(?:{words})\b|\b(?:may|march)\b(?= \d)|\b(?:19|20)\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)\b"
            r"|\b\d{1,2}[:.]\d\d\b|[年月日]",
            re.IGNORECASE,
        )
    if kind == "number":
        return re.compile(rf"\d|\b(?:{_one_of(_NUMBERS.split())})\b", re.IGNORECASE)
    if kind == "place":
        return re.compile(r"\b(?:in|at|to|from|near|nach|aus|bei|en|à|de|em) (?:the |la |el )?[A-ZÀ-Þ]\w+")
    return re.compile(r"(?<=[^.!?:\n] )[A-ZÀ-ÞА-Я][a-zà-þа-я]+")


def _one_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))

"""Dates that a text writes in numbers (`2023-07-07`, `2023-07`, `7.7.2023`, `2023年7月7日`) or words: `7 July 2023`."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from .months import MONTHS

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_LENGTHS: Final = {"02": 29, "04": 30, "06": 30, "09": 30, "11": 30}


class NumericDate(NamedTuple):
    """A month, `01` to `12`, of a year, or a day of it; `said` is how it is written."""

    year: str
    month: str
    day: int | None
    said: str


def has_year(text: str) -> bool:
    """Whether `text` has four digits that may be a year, without which it names no day."""
    return _YEAR.search(text) is not None


def numeric_dates(lower: str) -> tuple[NumericDate, ...]:
    """The dates that `lower`, a text in lower case, writes in numbers.

    `7/8/2023` is read both ways. With dots and the year first it is a version; a part of a path or a name is no date.
    """
    found = (match for form in forms_in_numbers() for match in form.finditer(lower))
    return tuple(
        NumericDate(match["y"], match["m"].zfill(2), int(match["d"]) if match["d"] else None, match[0])
        for match in found
    )


def days_in(text: str) -> tuple[str, ...]:
    """The days that `text` names with their year, each as `2023-07-07`."""
    return tuple(dict.fromkeys(_days(text.casefold()))) if has_year(text) else ()


def is_date(word: str) -> bool:
    """Whether `word`, in lower case, is a date in numbers, or an instant, and nothing else."""
    day = word.partition("t")[0] if word[:4].isdecimal() else word
    return any(form.fullmatch(day) for form in forms_in_numbers())


def _days(lower: str) -> Iterator[str]:
    for form in (*forms_in_numbers(), *forms_in_words()):
        for match in form.finditer(lower):
            month = match["m"].zfill(2) if match["m"].isdecimal() else MONTHS.get(match["m"])
            if month and match["d"] and int(match["d"]) <= _LENGTHS.get(month, 31):
                yield f"{match['y']}-{month}-{int(match['d']):02}"


@cache
def forms_in_numbers() -> tuple[re.Pattern[str], ...]:
    """What dates in numbers look like, with groups for year (`y`), month and day; made when first asked for."""
    y, m, d = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12]\d|0?[1-9])"
    alone = (
        rf"{y}-{m}(?:-{d})?",
        rf"{y}/{m}/{d}",
        rf"{d}(?P<s>[-./]|\. ){m}(?P=s){y}",
        rf"{m}(?P<s>[-/]){d}(?P=s){y}",
    )
    # An instant goes on with its time; neither a path nor a longer number is a date.
    bounded = [rf"(?<![\w./-]){form}(?=t\d|(?![./-]?\w))" for form in alone]
    return tuple(map(re.compile, [*bounded, rf"{y} ?[年년] ?{m} ?[月월] ?{d} ?[日号일]"]))


@cache
def forms_in_words() -> tuple[re.Pattern[str], ...]:
    """What dates with the name of a month look like, whatever that is."""
    y, m, d = r"(?P<y>(?:19|20)\d\d)(?!\d)", r"(?P<m>[^\W\d_]{3,10})\.?", r"(?<!\d)(?P<d>3[01]|[12]\d|0?[1-9])"
    return (
        re.compile(rf"{d}(?:st|nd|rd|th|er|\.)?[ -](?:of |de )?{m},?[ -](?:de )?{y}"),
        re.compile(rf"(?<![^\W\d_]){m} (?:the )?{d}(?:st|nd|rd|th)?,? {y}"),
    )

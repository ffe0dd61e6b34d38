"""Dates that a text writes in numbers (`2023-07-07`, `2023-07`, `7.7.2023`, `2023年7月7日`) or words: `7 July 2023`."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from .months import MONTHS

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_TWO: Final = 2
_BETWEEN: Final = ("between", "zwischen", "entre", "tra", "fra", "tussen", "между")
_AND: Final = ("and", "und", "et", "y", "e", "en", "и")
_TO: Final = ("-", "–", "—", "..", "to", "until", "till", "bis", "au", "à", "al", "a", "tot", "по", "до", "到", "至")
RANGE_WORDS: Final = frozenset((*_BETWEEN, *_AND, *_TO, "from", "vom", "von", "du", "desde", "del", "dal", "van"))
"""What stands around the days of a range, and names nothing."""


class NumericDate(NamedTuple):
    """A month, `01` to `12`, of a year, or a day of it; `said` is how it is written."""

    year: str
    month: str
    day: int | None
    said: str


def numeric_dates(lower: str) -> tuple[NumericDate, ...]:
    """The dates that `lower`, a text in lower case, writes in numbers.

    `7/8/2023` is read both ways. With dots and the year first it is a version; a part of a path or a name is no date.
    """
    found = (match for form in _forms() for match in form.finditer(lower))
    return tuple(
        NumericDate(match["y"], match["m"].zfill(2), int(match["d"]) if match["d"] else None, match[0])
        for match in found
    )


def days_in(text: str) -> tuple[str, ...]:
    """The days that `text` names with their year, each as `2023-07-07`."""
    return tuple(dict.fromkeys(iso for _, _, iso in _placed(text))) if _YEAR.search(text) else ()


def range_in(text: str) -> tuple[str, str] | None:
    """The first and the last day of the range that `text` names: `between 2023-05-01 and 2023-09-30`."""
    found: dict[int, tuple[int, str]] = {}
    for start, end, iso in _placed(text) if _YEAR.search(text) else ():
        found.setdefault(start, (end, iso))
    if len(found) != _TWO:
        return None
    (first, (end, one)), (second, (_, other)) = sorted(found.items())
    lower = text.casefold()
    between, before = lower[end:second].strip(" ,"), lower[:first].split()[-1:]
    if between in _TO or (between in _AND and before and before[0] in _BETWEEN):
        return min(one, other), max(one, other)
    return None


def is_date(word: str) -> bool:
    """Whether `word`, in lower case, is a date in numbers, or an instant, and nothing else."""
    day = word.partition("t")[0] if word[:4].isdecimal() else word
    return any(form.fullmatch(day) for form in _forms())


def _placed(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each day begins and ends in `text`, in lower case, and which it is."""
    lower = text.casefold()
    for form in (*_forms(), *_in_words()):
        for match in form.finditer(lower):
            month = match["m"].zfill(2) if match["m"].isdecimal() else MONTHS.get(match["m"])
            if month and match["d"]:
                yield match.start(), match.end(), f"{match['y']}-{month}-{int(match['d']):02}"


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """What dates in numbers look like, with groups for year, month and day; made when first asked for."""
    y, m, d = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12]\d|0?[1-9])"
    alone = (
        rf"{y}-{m}(?:-{d})?",
        rf"{y}/{m}/{d}",
        rf"{d}(?P<s>[-./]|\. ){m}(?P=s){y}",
        rf"{m}(?P<s>[-/]){d}(?P=s){y}",
        rf"{y}(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])",
    )
    # An instant goes on with its time; neither a path nor a longer number is a date.
    bounded = [rf"(?<![\w./-]){form}(?=t\d|(?![./-]?\w))" for form in alone]
    return tuple(map(re.compile, [*bounded, rf"{y} ?[年년] ?{m} ?[月월] ?{d} ?[日号일]"]))


@cache
def _in_words() -> tuple[re.Pattern[str], ...]:
    """What dates with the name of a month look like, whatever that is."""
    y, m, d = r"(?P<y>(?:19|20)\d\d)(?!\d)", r"(?P<m>[^\W\d_]{3,10})\.?", r"(?<!\d)(?P<d>3[01]|[12]\d|0?[1-9])"
    return (
        re.compile(rf"{d}(?:st|nd|rd|th|\.)? (?:of |de )?{m},? (?:de )?{y}"),
        re.compile(rf"(?<![^\W\d_]){m} {d}(?:st|nd|rd|th)?,? {y}"),
    )

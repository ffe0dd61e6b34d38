"""Dates that a text writes in numbers: `2023-07-07`, `2023-07`, `7.7.2023`, `7/13/2023`, `2023年7月7日`."""

import re
from functools import cache
from typing import NamedTuple


class NumericDate(NamedTuple):
    """A month, `01` to `12`, or a day of it."""

    month: str
    day: int | None


def numeric_dates(lower: str) -> frozenset[NumericDate]:
    """The dates that `lower`, a text in lower case, writes in numbers.

    `7/8/2023` is read both ways. With dots and the year first it is a version; a part of a path or a name is no date.
    """
    found = (match for form in _forms() for match in form.finditer(lower))
    return frozenset(NumericDate(match["m"].zfill(2), int(match["d"]) if match["d"] else None) for match in found)


def is_date(word: str) -> bool:
    """Whether `word`, in lower case, is a date in numbers, or an instant, and nothing else."""
    day = word.partition("t")[0] if word[:4].isdecimal() else word
    return any(form.fullmatch(day) for form in _forms())


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """What dates look like, with a group for the month and one for the day; made when first asked for."""
    y, m, d = r"(?:19|20)\d\d", r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12]\d|0?[1-9])"
    alone = rf"{y}-{m}(?:-{d})?", rf"{y}/{m}/{d}", rf"{d}(?P<s>[-./]){m}(?P=s){y}", rf"{m}(?P<s>[-/]){d}(?P=s){y}"
    # An instant goes on with its time; neither a path nor a longer number is a date.
    bounded = [rf"(?<![\w./-]){form}(?=t\d|(?![./-]?\w))" for form in alone]
    return tuple(map(re.compile, [*bounded, rf"{y}年{m}月{d}[日号]"]))

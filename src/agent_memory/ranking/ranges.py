"""The days between which a query asks: `between May and September 2023`, `since 2023-07-01`."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from .dates import forms_in_numbers, forms_in_words
from .listed import listed
from .months import MONTHS

_BETWEEN: Final = listed("between zwischen entre tra fra tussen между")
_FROM: Final = listed("from vom von du desde del dal van с")
_AND: Final = listed("and und et y e en и")
_TO: Final = listed("- – — / .. ... ~ to until till through bis au à al tot по до 到 至 부터")
_SINCE: Final = listed("since after seit nach depuis après desde sinds")
_BEFORE: Final = listed("before vor avant antes prima voor")
_UNTIL: Final = listed("until till bis jusqu'au hasta tot")
_ARTICLES: Final = listed("the zum dem den le el il del de")
RANGE_WORDS: Final = _BETWEEN | _FROM | _AND | _TO | _SINCE | _BEFORE | _UNTIL | _ARTICLES
"""What stands around the ends of a range, and names nothing."""
# A time that is told from a day is near it: `the week before 3 August 2023`.
_UNIT: Final = re.compile(
    r"(?:days?|week(?:end)?s?|months?|years?|night|morning|evening|\w+day|\w+tage?|wochen?) \w+ (?:the )?$"
)
_FIRST: Final = "0000-01-01"
_LAST: Final = "9999-12-31"
_TWO: Final = 2


class _End(NamedTuple):
    """One reading of a date in a text: where it stands, in which form, and what it says."""

    start: int
    end: int
    form: int
    year: str
    month: str
    day: str

    def first(self, year: str) -> str:
        """Its first day; `year` is that of the other end, where it names none."""
        return f"{self.year or year}-{self.month or '01'}-{self.day or '01'}"

    def last(self, year: str) -> str:
        """Its last day, likewise; 31 in any month."""
        return f"{self.year or year}-{self.month or '12'}-{self.day or '31'}"


def range_in(lower: str) -> tuple[str, str] | None:
    """The first and the last day (`2023-05-01`) that a query, in lower case, asks for; None when it names no range."""
    ends = _ends(lower)
    if not 0 < len(ends) <= _TWO:
        return None
    one, other = ends[0], ends[-1]
    before = lower[: one[0].start].split()[-2:]
    if len(ends) == 1:
        return None if _UNIT.search(lower[: one[0].start]) else _open({*before} - _ARTICLES, one[0])
    around = [word for word in lower[one[0].end : other[0].start].replace(",", " ").split() if word not in _ARTICLES]
    between = around[0] if len(around) == 1 else ""
    if not (between in _TO or (between in _AND and not _BETWEEN.isdisjoint(before))):
        return None
    alike = [(a, b) for a in one for b in other if a.form == b.form] or [(a, b) for a in one for b in other]
    spans = [(a.first(b.year), b.last(a.year)) for a, b in alike if a.year or b.year]
    forward = [span for span in spans if span[0] <= span[1]]
    return (min(forward)[0], max(last for _, last in forward)) if forward else None


def _open(before: set[str], end: _End) -> tuple[str, str] | None:
    if not end.year or not (end.month or before & _SINCE):
        return None
    if before & _SINCE:
        return end.first(""), _LAST
    if before & _BEFORE:
        return _FIRST, f"{end.first('')[:-2]}{int(end.day or 1) - 1:02}"  # the day before it, or 00 of its month
    return (_FIRST, end.last("")) if before & _UNTIL else None


def _ends(lower: str) -> list[Sequence[_End]]:
    """The dates of a text in order, none inside another, each with its readings."""
    found: list[list[_End]] = []
    for end in sorted(_readings(lower), key=lambda one: (one.start, -one.end)):
        if not found or end.start >= found[-1][0].end:
            found.append([end])
        elif end[:2] == found[-1][0][:2]:
            found[-1].append(end)
    return [*found]


def _readings(lower: str) -> Iterator[_End]:
    for number, form in enumerate(_forms()):
        for match in form.finditer(lower):
            said = {name: text or "" for name, text in match.groupdict().items()}
            year, month, day = (said.get(part, "") for part in "ymd")
            named = MONTHS.get(month, "") if month and not month.isdecimal() else month.zfill(2) if month else ""
            if bool(named) == bool(month):
                yield _End(*match.span(), number, year, named, day.zfill(2) if day else "")


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """Dates in numbers and words, then what may stand for one in a range: a month, a year, a day of a month."""
    y, m, d = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>[^\W\d_]{3,10})\.?", r"(?P<d>3[01]|[12]\d|0?[1-9])"
    parts = (rf"{m} {y}", m, rf"{d}(?:st|nd|rd|th|\.)? (?:of |de )?{m}", rf"{m} {d}(?:st|nd|rd|th)?", y)
    less = (rf"(?<![\w./-]){part}(?![\w/-]|\.\w)" for part in parts)
    return (*forms_in_numbers(), *forms_in_words(), *map(re.compile, less))

"""Secrets that a structure says to be some: nested objects, names beside values, YAML, XML, tables."""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any, Final

from .belief import believable, trim
from .words import FOREIGN, OF_KEY, QUOTE, SECRET_WORD, VALUE, WORDS, Claim

NAME_KEYS: Final = frozenset(("name", "key", "id", "field", "label", "variable", "env", "header", "property", "param"))
VALUE_KEYS: Final = frozenset(("value", "val", "default", "defaultvalue", "plain", "plaintext", "text", "string",
                               "current", "data"))  # fmt: skip
"""Keys, in lower case and without signs, that stand for the name of something and for what it holds."""

_HOLDS: Final = (
    r"[\"']?(?:value|val|default(?:_?value)?|plain(?:text)?|text|string|current|data)[\"']?\s{0,4}[:=]\s{0,4}"
)
_KIND: Final = r"(?:[\"']?(?:type|encrypted|secret|required)[\"']?\s{0,4}[:=]\s{0,4}[\"']?\w{1,12}[\"']?,?\s{0,12})?"
_NAMED: Final = rf"(?i)(?:{SECRET_WORD})[\w.-]{{0,24}}[\"'`]?"
_ALONE: Final = r"(?=[\"']?[ \t,]*(?:$|[\n\]]))"

_NESTED: Final = rf"{_NAMED}\s{{0,4}}[:=]\s{{0,4}}\{{\s{{0,12}}{_KIND}{_HOLDS}{QUOTE}{VALUE}"
_LISTED: Final = rf"{_NAMED}\s{{0,4}}[:=]\s{{0,4}}\[\s{{0,12}}[\"'`]{VALUE}"
_BELOW: Final = (
    rf"{_NAMED}[ \t]{{0,4}}:[ \t]{{0,4}}(?:(?:[|>][+-]?\d?|!!str)[ \t]*)?\n?[ \t]{{1,12}}(?:-[ \t]{{1,4}}|{_HOLDS})?"
    rf"[\"']?{VALUE}{_ALONE}"
)
_BESIDE: Final = rf"{_NAMED}[\s,;]{{0,40}}{_KIND}{_HOLDS}{QUOTE}{VALUE}"
_BEFORE: Final = (
    rf"(?i)(?:value|val|default_?value)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"'](?P<value>[^\"'\s]{{6,256}})[\"'][\s,;]{{0,40}}"
    rf"{_KIND}[\"']?(?:name|key|id|field|label)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?"
    rf"(?P<name>[\w.-]{{0,24}}?(?:{SECRET_WORD})[\w.-]{{0,24}})"
)
_ELEMENT: Final = (
    rf"{_NAMED}(?:\s[^<>]{{0,80}})?>\s{{0,40}}(?:<!\[CDATA\[)?(?P<value>[^<>\s]{{6,256}})(?=\s{{0,40}}(?:<|\]\]))"
)
_CELL: Final = (
    rf"{_NAMED}[`*_ ]{{0,20}}[|\t][ \t]{{0,20}}[\"'`*_]{{0,3}}(?P<value>[!-{{}}~]{{6,256}}?)"
    r"(?=[\"'`*_]{0,3}[ \t]*(?:[|\t\n]|$)|`)"
)
_NUMBER: Final = (
    r"(?i)(?:pass(?:word|code|wd|phrase)?|pwd|pin|kennwort)[\"']\s{0,4}:\s{0,4}(?P<value>\d{6,20})(?=\s{0,4}[,}\n])"
)
_TUPLE: Final = rf"(?i)(?:{SECRET_WORD})[\w.-]{{0,24}}[\"'][ \t]{{0,4}},\s{{0,12}}[\"']{VALUE}"
_FORMS: Final = (_NESTED, _LISTED, _BELOW, _BESIDE, _ELEMENT, _CELL, _TUPLE)

STRUCTURES: Final = (
    *(Claim("structured_secret", (*WORDS, *FOREIGN), form) for form in _FORMS),
    *(Claim("structured_secret", ("key",), form, OF_KEY) for form in _FORMS),
    Claim("structured_secret", ("value", 'val"', "val'"), _BEFORE),
    Claim("numeric_secret", ("pass", "pwd", "pin", "kennwort"), _NUMBER),
)

_HEADER: Final = re.compile(
    rf"(?i)[\"'`*_ ]*(?:[\w.-]{{0,24}}?(?:{SECRET_WORD.replace('|key|', '|')}"
    r"|(?:api|access|auth|secret|private)[\s_.-]?key)[\w.-]{0,24})[\"'`*_ :]*"
)
_RULE: Final = re.compile(r"[\s|:+-]*-[\s|:+-]*")
_CELL_WRAP: Final = " \"'`*_"
_MOST_ROWS: Final = 200
_MOST_LINES: Final = 5_000


def names_beside(key: str, table: Mapping[str, Any], outer: tuple[str, ...]) -> tuple[str, ...]:
    """The names of what stands under `key` of an object: the key, and where that says no more than `value`, its own."""
    if _plain_key(key) not in VALUE_KEYS:
        return (key,)
    names = (value for other, value in table.items() if _plain_key(other) in NAME_KEYS and isinstance(value, str))
    return (key, *outer, *(name for name in names if len(name) <= _LONGEST_TITLE))


def _plain_key(key: str) -> str:
    return key.lower().replace("_", "").replace("-", "")


def columns(text: str) -> Iterator[tuple[str, int, int, int]]:
    """As `claims.claimed`: what stands under a telling header in a table of Markdown, tabs or commas."""
    lines = text.split("\n", _MOST_LINES)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for place, line in enumerate(lines[:-1]):
        for sign in "|\t,":
            titles = line.split(sign)
            if len(titles) > 1:
                yield from _below(lines, starts, place, sign, titles)


def _below(
    lines: list[str], starts: list[int], place: int, sign: str, titles: list[str]
) -> Iterator[tuple[str, int, int, int]]:
    telling = [at for at, title in enumerate(titles) if len(title) <= _LONGEST_TITLE and _HEADER.fullmatch(title)]
    if not telling:
        return
    rows = list(enumerate(lines[place + 1 : place + _MOST_ROWS], place + 1))
    if sign == "|" and not _RULE.fullmatch(rows[0][1]):
        return
    for number, row in takewhile(lambda numbered: numbered[1].count(sign) == len(titles) - 1, rows):
        cells = row.split(sign)
        for at in telling:
            raw = cells[at]
            if _HEADER.fullmatch(raw):  # the next table
                return
            value = trim(raw.strip(_CELL_WRAP))
            if " " in value or not believable("structured_secret", titles[at], value):
                continue
            start = starts[number] + sum(len(cell) + 1 for cell in cells[:at]) + raw.index(value)
            yield "structured_secret", starts[place], start, start + len(value)


_LONGEST_TITLE: Final = 60

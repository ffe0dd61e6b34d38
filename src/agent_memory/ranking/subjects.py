"""Whether two texts that say the same of something in other numbers speak of two things: two ports, people, invoices.

Told from the words alone, and only where that is plain: what is said of another thing updates nothing.
"""

import re
from itertools import pairwise
from typing import Final

from .listed import listed
from .tokenize import is_unspaced, split_words, stem
from .updates import is_value, read_word

_COUNTED: Final = listed("""
    invoice order step ticket issue case chapter section room phase part question task item episode lesson
    customer user team group server host shop store unit building apartment batch job bug pr line row
    rechnung auftrag schritt kapitel raum gruppe kunde aufgabe seite
""")
"""Things that a number or letter behind them tells apart; behind others it may be what has changed: port 22."""
_SAID: Final = frozenset(
    map(
        stem,
        listed("""
    expire renew rotate last take hold keep open close raise lower increase decrease bump upgrade downgrade
    reach allow
    require need support stay remain get grow shrink drop rise fall cap maximum minimum expect plan due valid begin
    finish run restart schedule migrate deploy release configure default max min average roughly exactly again
    later locally everywhere eur usd euro
    dollar pound gb mb kb tb kg km percent monday tuesday wednesday thursday friday saturday sunday am pm
"""),
    )
)
"""What is said of a thing, and not the thing."""
_LABEL: Final = re.compile(r"[A-Z]|\d{1,9}")
_VALUE: Final = "#"


def apart(one: str, other: str) -> bool:
    """Whether the texts speak of two things: they number them, or differ in one word alone beside their values."""
    if is_unspaced(one) or is_unspaced(other):
        return False
    mine, theirs = split_words(one), split_words(other)
    if _labels(mine).isdisjoint(_labels(theirs)) and _counted(mine) & _counted(theirs):
        return True
    if len(mine) != len(theirs):
        return False
    pairs = zip(map(_frame, mine), map(_frame, theirs), strict=True)
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    return len(differing) == 1 and all(map(_names, differing[0]))


def _labels(words: list[str]) -> set[tuple[str, str]]:
    """The things that a number or letter tells apart, each with it."""
    pairs = pairwise(words)
    return {(noun, label) for word, label in pairs if (noun := word.casefold()) in _COUNTED and _LABEL.fullmatch(label)}


def _counted(words: list[str]) -> set[str]:
    return {noun for noun, _ in _labels(words)}


def _frame(word: str) -> str:
    return _VALUE if is_value(word) else stem(word.casefold()) if len(word) > 1 else word


def _names(word: str) -> bool:
    """Whether the word may be the name of a thing: a capital alone, or a word of a subject."""
    _, term = read_word(word)
    return bool(_LABEL.fullmatch(word)) or bool(term and term not in _SAID)

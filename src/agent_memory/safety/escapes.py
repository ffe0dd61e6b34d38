"""Escapes of addresses, HTML, Markdown and program texts, read as a program would; also with where each sign stood."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

_SIGNS: Final = ("%", "&", "\\", "<")
_TOKEN: Final = re.compile(
    r"(?:%[0-9A-Fa-f]{2})+|%u[0-9A-Fa-f]{4}|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
    r"|\\u\{[0-9A-Fa-f]{1,6}\}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\x[0-9A-Fa-f]{2}|\\[!-/:-@\[-`{-~]"
    r"|</?(?:wbr|br|b|i|u|em|strong|span|code|mark|font|a|kbd|sub|sup)\b[^<>]{0,80}>|<!--[^<>]{0,80}-->"
)
_PERCENT: Final = 3
ROUNDS: Final = 4
_HIGHEST: Final = 0x10FFFF


def read(text: str) -> str:
    """`text` with its escapes read, again and again while some are left; the same object when there is none."""
    for _ in range(ROUNDS):
        if not any(sign in text for sign in _SIGNS):
            return text
        once = _TOKEN.sub(lambda token: _said(token[0]), text)
        if once == text:
            return text
        text = once
    return text


def traced(text: str) -> Iterator[tuple[str, int, int]]:
    """Each character of `text` with its escapes read once, and the first and last place in `text` it comes from."""
    at = 0
    for token in _TOKEN.finditer(text):
        yield from ((text[place], place, place) for place in range(at, token.start()))
        said = _said(token[0])
        exact = token[0][0] == "%" and _PERCENT * len(said) == len(token[0])
        for place, char in enumerate(said):
            first = token.start() + _PERCENT * place
            yield (char, first, first + _PERCENT - 1) if exact else (char, token.start(), token.end() - 1)
        at = token.end()
    yield from ((text[place], place, place) for place in range(at, len(text)))


def _said(token: str) -> str:
    match token[0], token[1]:
        case "%", "u":
            return unquote(f"%{token[2:4]}%{token[4:]}", "utf-16-be", "replace")
        case "%", _:
            return unquote(token)
        case "&", _:
            from html import unescape  # a table of thousands, for the few texts that need it

            return unescape(token)
        case "<", _:
            return ""
        case _, "u" | "U" | "x":
            number = int(token[2:].strip("{}"), 16)
            return chr(number) if number <= _HIGHEST else token
        case _:
            return token[1:]

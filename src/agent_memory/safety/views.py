"""The disguises that a secret may wear, taken off: each view is the text as a reader or a program would undo it."""

import re
from base64 import b64decode
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple
from unicodedata import normalize

from . import escapes

_INVISIBLE: Final = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
_HEAD: Final = re.compile(r"\A(?:[>|]+[ \t]*|(?:#|//|[+.&])[ \t]+)*[\"'`]?")
_TAIL: Final = re.compile(r"(?:[\"'`][ \t]*[+.&,\\]?|[ \t]+[+\\]|\\)\Z")
_LITERALS: Final = re.compile(r"[\"'`][ \t]*(?:[+.&,]|\|\|)?[ \t]*[\"'`]")
_AT_HEAD: Final = frozenset(">|#/+.&\"'`")
_AT_TAIL: Final = frozenset("+.&,\\\"'`")
_RUN: Final = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_LONG: Final = 20
_LONG_RUN: Final = re.compile(r"[A-Za-z0-9_.+/=$~:%@?&#;!-]{20,}")
_TOKEN_SIGN: Final = re.compile(r"[0-9A-Z]")
_URL_SAFE: Final = str.maketrans("-_", "+/")
_LINE_ENDS: Final = "\r\x85\u2028\u2029"
_AS_NEWLINE: Final = str.maketrans(dict.fromkeys(_LINE_ENDS, "\n"))
_NO_BREAKS: Final = {9: None, 10: None, 13: None}
_MOSTLY: Final = 0.9
_LONGEST_RUN: Final = 400_000
_SEAM: Final = "\0"  # `plain` leaves none in a text


class Text(NamedTuple):
    """A text read from another: `starts[i]` and `ends[i]` are where its i-th character stands there."""

    text: str
    starts: list[int]
    ends: list[int]


def plain(text: str) -> str:
    """`text` with compatible forms made one (NFKC), line ends too, and without characters that nobody sees."""
    if text.isascii() and text.isprintable():
        return text
    shown = _INVISIBLE.sub("", text if text.isascii() else normalize("NFKC", text))
    if any(sign in shown for sign in _LINE_ENDS):
        return shown.replace("\r\n", "\n").translate(_AS_NEWLINE)
    return shown


def unescaped(text: str) -> str:
    """`text`, which is plain, with its escapes read and plain again; the same object when there is none."""
    said = escapes.read(text)
    return text if said is text else plain(said)


def joined(text: str) -> tuple[str, list[int]]:
    """`text` with broken lines and neighbouring literals put together, and the places where that was done."""
    pieces = _pieces(text)
    return ("".join(pieces), list(accumulate(map(len, pieces[:-1])))) if len(pieces) > 1 else (text, [])


def _pieces(text: str) -> list[str]:
    """What `joined` keeps of `text`: lines without their ends, and the inside of literals that follow each other."""
    quoted = '"' in text or "'" in text or "`" in text
    if "\n" not in text and not quoted:
        return [text]
    lines = [line.strip(" \t\r") for line in text.split("\n")]
    if len(lines) > 1:
        for number, line in enumerate(lines):
            if line and (line[0] in _AT_HEAD or line[-1] in _AT_TAIL):
                lines[number] = _HEAD.sub("", _TAIL.sub("", line), 1)
    together = _SEAM.join(lines)
    return (_LITERALS.sub(_SEAM, together) if quoted else together).split(_SEAM)


def long_runs(text: str) -> str:
    """The runs of `text`, 20 or more characters without space, that may hold a token, put into one text."""
    words = [word for word in text.split() if len(word) >= _LONG]
    return " ".join([run for run in _LONG_RUN.findall(" ".join(words)) if _TOKEN_SIGN.search(run)]) if words else ""


def decoded_runs(text: str) -> Iterator[tuple[str, str]]:
    """Each run of base64 in `text` that hides printable text, and what it says."""
    for found in _RUN.finditer(text):
        said = _decode(found[0]) if len(found[0]) <= _LONGEST_RUN else ""
        if said:
            yield found[0], said


def _decode(run: str) -> str:
    body = run.rstrip("=").translate(_URL_SAFE)
    try:
        value = b64decode(body[: len(body) - 1] if len(body) % 4 == 1 else body + "=" * (-len(body) % 4))
        said = _decoded(value)
    except ValueError:
        return ""
    return said if said.isprintable() or said.translate(_NO_BREAKS).isprintable() else ""


def _decoded(value: bytes) -> str:
    """Text in UTF-8, or in UTF-16 where every second byte is empty, as ASCII is there."""
    for codec, empty in (("utf-16-le", value[1::2]), ("utf-16-be", value[::2])):
        if len(value) >= _LONG and empty.count(0) > _MOSTLY * len(empty):
            return value.decode(codec, "ignore").lstrip("\ufeff")
    return value.decode()


def trace(text: str, view: str) -> Text:
    """The view of that name (`plain`, `unescaped` or `joined`) with where each of its characters comes from."""
    traced = _trace_plain(text)
    if view == "plain":
        return traced
    for _ in range(escapes.ROUNDS):
        traced = _trace_unescaped(traced)
    traced = _trace_again(traced)
    return _trace_joined(traced) if view == "joined" else traced


def _trace_plain(text: str) -> Text:
    chars: list[str] = []
    starts: list[int] = []
    for at, char in enumerate(text):
        for shown in _shown(text, at, char):
            chars.append(shown)
            starts.append(at)
    return Text("".join(chars), starts, [at + 1 for at in starts])


def _shown(text: str, at: int, char: str) -> str:
    """What `plain` makes of one character: of a line end in two characters, one."""
    if char == "\r" and text[at + 1 : at + 2] == "\n":
        return ""
    return _INVISIBLE.sub("", normalize("NFKC", char)).translate(_AS_NEWLINE)


def _trace_again(read: Text) -> Text:
    """`read`, whose escapes may have said what is not plain, made plain."""
    inner = _trace_plain(read.text)
    starts = [read.starts[at] for at in inner.starts]
    return Text(inner.text, starts, [read.ends[at - 1] for at in inner.ends])


def _trace_unescaped(read: Text) -> Text:
    rows = list(escapes.traced(read.text))
    starts = [read.starts[first] for _, first, _ in rows]
    return Text("".join(char for char, _, _ in rows), starts, [read.ends[last] for _, _, last in rows])


def _trace_joined(read: Text) -> Text:
    kept: list[int] = []
    at = 0
    for piece in _pieces(read.text):
        start = read.text.find(piece, at)
        at = start + len(piece)
        kept.extend(range(start, at))
    return Text("".join(read.text[i] for i in kept), [read.starts[i] for i in kept], [read.ends[i] for i in kept])

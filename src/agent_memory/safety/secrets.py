"""The gate against secrets: finds them under common disguises, and takes them out of a text.

Nothing here promises that a text holds no secret; docs/security.md says what is looked for and how well.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from .claims import CLAIMS, claimed
from .kinds import BY_FORM, Kind
from .views import decoded_runs, joined, long_runs, plain, trace, unescaped

_SHORTEST: Final = 8
_LONG_CLAIM: Final = 8
_MANY_DIGITS: Final = 5
_ROUNDS: Final = 40
_IN_WORDS: Final = tuple((mark, kind) for kind in BY_FORM if not kind.around for mark in kind.marks)
_AROUND: Final = tuple((mark, kind) for kind in BY_FORM if kind.around for mark in kind.marks)
KIND_NAMES: Final = tuple(dict.fromkeys((*(kind.name for kind in BY_FORM), *(claim.name for claim in CLAIMS))))


class Found(NamedTuple):
    """A secret of `kind` at `start`-`end` of a view of the text, see `views.trace`."""

    kind: str
    view: str
    start: int
    end: int


def find_secret(text: str) -> Found | None:
    """The first secret in `text`, whatever disguise it wears; None when nothing looks like one."""
    return next(_all(text), None) if len(text) >= _SHORTEST else None


def redact(text: str) -> str:
    """`text` with each secret replaced by `[redacted:<kind>]`; all of it where a secret cannot be cut out."""
    for _ in range(_ROUNDS):
        found = find_secret(text)
        if found is None:
            return text
        traced = trace(text, found.view)
        if found.end > len(traced.text):
            break
        start, end = traced.starts[found.start], traced.ends[found.end - 1]
        text = f"{text[:start]}[redacted:{found.kind}]{text[end:]}"
    found = find_secret(text)
    return f"[redacted:{found.kind}]" if found else text


def _all(text: str) -> Iterator[Found]:
    clean = plain(text)
    yield from (Found(kind, "plain", start, end) for kind, start, end in _scan(clean))
    read = unescaped(clean)
    if read is not clean:
        yield from (Found(kind, "unescaped", start, end) for kind, start, end in _scan(read))
    together, seams = joined(read)
    if seams:
        yield from (Found(kind, "joined", start, end) for kind, start, end in _scan(together, seams))


def _scan(text: str, seams: list[int] | None = None) -> Iterator[tuple[str, int, int]]:
    """Each secret of `text`: its kind and where it stands. With `seams` only those that lie across one."""
    long = long_runs(text)
    if long:
        yield from _by_form(text, long, seams)
    for kind, begin, start, end in claimed(text):
        if seams is None or (end - start >= _LONG_CLAIM and _crosses(seams, begin, end)):
            yield kind, start, end
    if long:
        yield from _in_runs(text, long)


def _by_form(text: str, long: str, seams: list[int] | None) -> Iterator[tuple[str, int, int]]:
    kinds = [kind for mark, kind in _IN_WORDS if mark in long]
    folded = text.lower()
    kinds += [kind for mark, kind in _AROUND if mark in folded]
    for kind in dict.fromkeys(kinds):
        bounded = seams is None and not kind.open_ended
        for found in _compiled(kind.pattern, bounded).finditer(text):
            start, end = found.span("value") if "value" in found.re.groupindex else found.span()
            if kind.mixed and not _is_mixed(text[start:end]):
                continue
            if seams is None or (_crosses(seams, found.start(), end) and not _begins_inside(text, start, seams, kind)):
                yield kind.name, start, end


def _in_runs(text: str, long: str) -> Iterator[tuple[str, int, int]]:
    for run, said in decoded_runs(long):
        found = next(_scan(said), None) or next(_scan(unescaped(said)), None)
        if found:
            start = text.find(run)
            yield found[0], start, start + len(run)


@cache
def _compiled(pattern: str, bounded: bool) -> re.Pattern[str]:  # noqa: FBT001  # a key of the cache
    return re.compile(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])" if bounded else pattern)


def _crosses(seams: list[int], start: int, end: int) -> bool:
    """Whether a seam lies inside `start`-`end`."""
    at = bisect_left(seams, start + 1)
    return at < len(seams) and seams[at] < end


def _begins_inside(text: str, start: int, seams: list[int], kind: Kind) -> bool:
    """Whether a token seems to begin in the middle of a word that no seam parts."""
    return not kind.open_ended and start > 0 and text[start - 1].isalnum() and start not in seams


def _is_mixed(value: str) -> bool:
    """Whether `value` has digits among letters of both cases, or many digits among letters: no words have."""
    digits = sum(map(str.isdigit, value))
    return digits >= _MANY_DIGITS or (digits > 0 and value not in (value.lower(), value.upper()))

"""The lines of a long text that say most about what was asked, for where the whole has no room."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .graphemes import floor
from .render import visible
from .tokens import weigh

_MARK: Final = "…"
_GAP: Final = re.compile(rf"(?:\A|\n){_MARK}(?:\n|\Z)")
_LINE_END: Final = re.compile(r"\n+")
_SENTENCE_END: Final = re.compile(r"\n+|(?<=[.!?])[ \t]+|(?<=[。！？])")  # noqa: RUF001 - as Chinese and Japanese write them
# Longer lines are taken by sentences, longer sentences in pieces.
_LONGEST: Final = 400
# What a line says counts half for the next, which may answer it, and a little for the one before.
_BEFORE: Final = 0.5
_AFTER: Final = 0.3
# A line takes its end and its `| ` beside its words, and a gap the mark.
_LINE: Final = 1.8
_MARKED: Final = 3.0


def excerpt(content: str, max_tokens: int, needles: Sequence[str]) -> str:
    """The lines and sentences of `content` that hold most of `needles`, in their order, in about `max_tokens`.

    Needles are found in any case; one that few lines hold counts more. `…` on a line of its own stands for what is left
    out. With nothing to find it is the beginning; where no line fits, nothing.
    """
    pieces = list(_pieces(content))
    told = _telling([content[start:end].casefold() for start, end in pieces], needles)
    kept: set[int] = set()
    room = max_tokens - _MARKED
    for place in sorted(range(len(pieces)), key=lambda place: -told[place]):
        start, end = pieces[place]
        line = content[start:end].rstrip("\n")
        tokens = weigh(visible(line)) + _LINE * (end - start - len(line))
        tokens += 0 if {place - 1, place + 1} & kept else _MARKED
        if tokens <= room:
            kept.add(place)
            room -= tokens
        if room < 1:
            break
    return _join(content, [pieces[place] for place in sorted(kept)])


def parts(text: str) -> list[str]:
    """What an excerpt shows, each part as it stands in the whole."""
    return [part for part in _GAP.split(text) if part]


def _pieces(content: str) -> Iterator[tuple[int, int]]:
    """Lines, with what ends them; of a long one its sentences, of a long sentence pieces."""
    for start, end in _between(_LINE_END, content, 0, len(content)):
        if end - start <= _LONGEST:
            yield start, end
            continue
        for first, last in _between(_SENTENCE_END, content, start, end):
            yield from _in_pieces(content, first, last)


def _between(ends: re.Pattern[str], content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in ends.finditer(content, start, end):
        yield start, found.end()
        start = found.end()
    if start < end:
        yield start, end


def _in_pieces(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > _LONGEST:
        middle = floor(content, start + _LONGEST, start)
        middle = middle if middle > start else start + _LONGEST
        yield start, middle
        start = middle
    yield start, end


def _telling(lines: Sequence[str], needles: Sequence[str]) -> list[float]:
    """How much each line says: what it holds of `needles`, and a share of what its neighbours hold."""
    held = [0.0] * len(lines)
    for needle in {needle.casefold() for needle in needles if needle.strip()}:
        places = [place for place, line in enumerate(lines) if needle in line]
        for place in places:
            held[place] += 1 / len(places)
    return [
        own + _BEFORE * before + _AFTER * after
        for own, before, after in zip(held, [0.0, *held], [*held[1:], 0.0], strict=False)
    ]


def _join(content: str, pieces: Sequence[tuple[int, int]]) -> str:
    runs: list[list[int]] = []
    for start, end in pieces:
        if runs and runs[-1][1] == start:
            runs[-1][1] = end
        else:
            runs.append([start, end])
    shown = [content[start:end].strip("\n") for start, end in runs]
    before = [_MARK] if runs and runs[0][0] else []
    after = [_MARK] if runs and runs[-1][1] < len(content) else []
    return "\n".join((*before, f"\n{_MARK}\n".join(shown), *after)) if runs else ""

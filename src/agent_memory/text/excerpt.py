"""The lines of a long text that say most about what was asked, for where the whole has no room."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import accumulate, islice
from typing import Final

from .graphemes import floor
from .needles import chosen
from .render import visible
from .tokens import weigh

GAP: Final = "…"
"""The line that stands for what is left out."""
_GAP: Final = re.compile(rf"(?:\A|\n){GAP}(?:\n|\Z)")
_LINE_END: Final = re.compile(r"\n+")
# The last three are the full stop and marks of Chinese and Japanese.
_SENTENCE_END: Final = re.compile(r"\n+|(?<=[.!?])[ \t]+|(?<=[\u3002\uff01\uff1f])")
# Longer lines are taken by sentences, longer sentences in pieces.
_LONGEST: Final = 400
# What a line says counts half for the next, which may answer it, and a little for the one before.
_BEFORE: Final = 0.5
_AFTER: Final = 0.3
# A line takes its end and its `| ` beside its words, and a gap the mark.
_LINE: Final = 1.8
_MARKED: Final = 3.0
# What bounds the work, far over what usual texts and questions come to. A needle that more lines hold than are common
# tells none apart; and after so many lines that did not fit hardly any will.
_COMMON: Final = 4_096
_MISSES: Final = 1_024


def excerpts(content: str, needles: Sequence[str]) -> Callable[[int], str]:
    """What gives the lines and sentences of `content` that hold most of `needles`, in about so many tokens.

    Needles are found in any case; one that few lines hold counts more. `…` on a line of its own stands for what is left
    out. With nothing to find it is the beginning; where no line fits, or none that holds a needle, nothing.
    """

    @cache
    def ordered() -> tuple[list[tuple[int, int]], list[int], AbstractSet[int]]:
        pieces = list(_pieces(content))
        return pieces, *_by_telling([content[start:end].casefold() for start, end in pieces], needles)

    @cache
    def tokens_of(start: int, end: int) -> float:
        line = content[start:end].rstrip("\n")
        return weigh(visible(line)) + _LINE * (end - start - len(line))

    @cache
    def excerpt(max_tokens: int) -> str:
        pieces, order, holding = ordered()
        kept: set[int] = set()
        room = max_tokens - _MARKED
        misses = 0
        for place in order:
            tokens = tokens_of(*pieces[place])
            tokens += 0 if {place - 1, place + 1} & kept else _MARKED
            if tokens <= room:
                kept.add(place)
                room -= tokens
            else:
                misses += 1
            if room < 1 or misses > _MISSES:
                break
        if holding and holding.isdisjoint(kept):
            return ""
        return _join(content, [pieces[place] for place in sorted(kept)])

    return excerpt


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


def _by_telling(lines: Sequence[str], needles: Sequence[str]) -> tuple[list[int], AbstractSet[int]]:
    """The places of `lines` by how much each says: what it holds of `needles`, and a share of its neighbours'.

    With them those that hold one.
    """
    text = "\n".join(lines)
    starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    held: dict[int, float] = {}
    for needle in map(str.casefold, chosen(needles, len(text))):
        places = [*islice(_places(text, starts, needle), _COMMON + 1)]
        for place in places if len(places) <= _COMMON else ():
            held[place] = held.get(place, 0.0) + 1 / len(places)
    near = {place + step for place in held for step in (-1, 0, 1)} & {*range(len(lines))}
    told = {
        place: held.get(place, 0.0) + _BEFORE * held.get(place - 1, 0.0) + _AFTER * held.get(place + 1, 0.0)
        for place in near
    }
    order = sorted(told, key=lambda place: (-told[place], place))
    return [*order, *(place for place in range(len(lines)) if place not in told)], held.keys()


def _places(text: str, starts: Sequence[int], needle: str) -> Iterator[int]:
    """The lines that hold `needle`, each once, by where in `text` they start."""
    at = text.find(needle)
    while at >= 0:
        place = bisect_right(starts, at) - 1
        yield place
        at = text.find(needle, starts[place + 1])


def _join(content: str, pieces: Sequence[tuple[int, int]]) -> str:
    runs: list[list[int]] = []
    for start, end in pieces:
        if runs and runs[-1][1] == start:
            runs[-1][1] = end
        else:
            runs.append([start, end])
    shown = [content[start:end].strip("\n") for start, end in runs]
    before = [GAP] if runs and runs[0][0] else []
    after = [GAP] if runs and runs[-1][1] < len(content) else []
    return "\n".join((*before, f"\n{GAP}\n".join(shown), *after)) if runs else ""

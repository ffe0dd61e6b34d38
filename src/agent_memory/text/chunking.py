"""Splitting a document into pieces that fit a token limit, at the places where a reader would pause."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from .graphemes import ceiling, floor
from .outline import Outline, read
from .tokens import MOST_CHARACTERS_A_TOKEN, estimate

_FULL_ENOUGH = 0.25


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece: `text` is the document's `[start:end]` (code points); `heading` is the path above it, if any."""

    index: int
    start: int
    end: int
    text: str
    tokens: int
    heading: str | None


def split(text: str, max_tokens: int) -> list[Chunk]:
    """Cut `text` into chunks that rejoin to it, each of at most `max_tokens` (>= 1) estimated tokens.

    Cuts at headings, then blocks, list items and table rows, sentences, lines, words, and inside a word only where
    it alone is over the limit; a heading stays with what follows, a fenced block that fits stays whole. Only a single
    visible character may exceed the limit. A heading of level 1 or 2 starts a new chunk as soon as the one before is
    a quarter full: so an edit moves few boundaries beyond its own section.
    """
    outline = read(text, lambda start, end: _fits(text, start, end, max_tokens))
    ends = _Cutter(text, max_tokens, outline).cut(0, len(text), 0) if text else []
    chunks: list[Chunk] = []
    start = 0
    for index, end in enumerate(ends):
        piece = text[start:end]
        chunks.append(Chunk(index, start, end, piece, estimate(piece), outline.heading_at(start, end)))
        start = end
    return chunks


@dataclass(frozen=True, slots=True)
class _Cutter:
    text: str
    limit: int
    outline: Outline

    def cut(self, start: int, end: int, level: int) -> list[int]:
        """Give the ends of the chunks of `[start:end]`, filling each from the boundaries of `level`."""
        if level == len(self.outline.levels):
            return self._cut_anywhere(start, end)
        bounds = self.outline.levels[level]
        ends: list[int] = []
        at = bisect_right(bounds, start)
        while start < end:
            last = bisect_right(bounds, end - 1, at)
            reach = self._furthest(start, bounds, at, last, end)
            if reach is None:
                atom_end = bounds[at] if at < last else end
                *whole, _ = self.cut(start, atom_end, level + 1)
                if not whole:  # a single visible character over the limit
                    whole = [atom_end]
                ends += whole
                start = whole[-1]
            else:
                start = self._major_heading(start, reach) if level == 0 else reach
                ends.append(start)
            at = bisect_right(bounds, start, at)
        return ends

    def _furthest(self, start: int, bounds: Sequence[int], first: int, last: int, end: int) -> int | None:
        """Find the last of `bounds[first:last]` and `end` up to which the text from `start` fits; estimates grow."""
        size = last - first + 1

        def fits(position: int) -> bool:
            return self._fits(start, end if first + position >= last else bounds[first + position])

        low, step = -1, 1
        while low + step < size and fits(low + step):
            low, step = low + step, step * 2
        high = min(low + step, size)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        if low < 0:
            return None
        return end if first + low >= last else bounds[first + low]

    def _major_heading(self, start: int, reach: int) -> int:
        majors = self.outline.majors
        first, last = bisect_right(majors, start), bisect_right(majors, reach - 1)
        enough = self.limit * _FULL_ENOUGH
        at = bisect_left(majors, enough, first, last, key=lambda major: estimate(self.text[start:major]))
        return majors[at] if at < last else reach

    def _cut_anywhere(self, start: int, end: int) -> list[int]:
        ends: list[int] = []
        while start < end:
            low, step = start, 1
            while low + step <= end and self._fits(start, low + step):
                low, step = low + step, step * 2
            high = min(low + step, end + 1)
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if self._fits(start, middle) else (low, middle)
            cut = floor(self.text, low, start)
            start = cut if cut > start else ceiling(self.text, start + 1, start)
            ends.append(min(start, end))
        return ends

    def _fits(self, start: int, end: int) -> bool:
        return _fits(self.text, start, end, self.limit)


def _fits(text: str, start: int, end: int, limit: int) -> bool:
    return end - start <= limit * MOST_CHARACTERS_A_TOKEN and estimate(text[start:end]) <= limit

"""Where a markdown or plain text may be cut, from the best places to the worst, and which heading rules where."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from .graphemes import is_boundary

SECTION, BLOCK, ITEM, SENTENCE, LINE, WORD, HEADING_END, HEADING_WORD = range(8)

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
_ITEM_OR_ROW = re.compile(r"[ \t>]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|\|)")
_SENTENCE_END = re.compile(
    r"^[ \t>]*\d{1,9}[.)][ \t]"  # an item's number ends no sentence
    r"|(?P<end>[.!?\u2026\u061f\u06d4\u0964\u0965][\"')\]*_\u2019\u201d]*\s+"
    r"|[\u3002\uff01\uff1f\uff61]+[\"'\u2019\u201d\u300d\u300f\u3011\uff09]*\s*)",
    re.MULTILINE,
)
_SPACE = re.compile(r"\s+")
_TEXT = re.compile(r"\S")
_LONGEST_TITLE = 120
_MAJOR_LEVEL = 2


@dataclass(slots=True)
class Heading:
    """A heading line at `start`, its path from the top, and the position `body` of the next line that is not blank."""

    start: int
    level: int
    path: tuple[str, ...]
    body: int


@dataclass(frozen=True, slots=True)
class Outline:
    """Cut positions by level (SECTION is best), each list rising; `majors` are the headings of level 1 and 2."""

    text: str
    levels: tuple[list[int], ...]
    headings: list[Heading]
    majors: list[int]

    def heading_at(self, start: int, end: int) -> str | None:
        """Give the path of headings, as `Setup > Database`, over the first text in `[start:end]`."""
        found = _TEXT.search(self.text, start, end)
        at = bisect_right(self.headings, found.start() if found else start, key=lambda heading: heading.start) - 1
        if at < 0:
            return None
        while at + 1 < len(self.headings) and _owns(self.headings[at], self.headings[at + 1]):
            at += 1
        return " > ".join(title for title in self.headings[at].path if title) or None


def read(text: str, fits: Callable[[int, int], bool]) -> Outline:
    """Find the places to cut; a fenced block for which `fits(start, end)` holds gets none inside."""
    reader = _Reader(text, fits)
    reader.read()
    return Outline(text, reader.levels, reader.headings, reader.majors)


def _owns(heading: Heading, following: Heading) -> bool:
    """A heading with no text of its own belongs to the deeper one right below it."""
    return heading.body == following.start and following.level > heading.level


class _Reader:
    """One pass over the lines of a text."""

    def __init__(self, text: str, fits: Callable[[int, int], bool]) -> None:
        self.text = text
        self.fits = fits
        self.levels: tuple[list[int], ...] = tuple([] for _ in range(8))
        self.headings: list[Heading] = []
        self.majors: list[int] = []
        self.prose_start = 0
        self.after_gap = True
        self.bare = False  # the last heading has no text yet

    def read(self) -> None:
        starts = [0, *(found.end() for found in re.finditer("\n", self.text)), len(self.text)]
        spans = list(pairwise(dict.fromkeys(starts)))
        at = 0
        while at < len(spans):
            start, end = spans[at]
            line = self.text[start:end].rstrip()
            following = self.text[slice(*spans[at + 1])].rstrip("\r\n") if at + 1 < len(spans) else ""
            mark = line.lstrip(" \t>")[:1]
            if not line:
                self.after_gap = True
                at += 1
            elif mark == "#" and (found := _HEADING.match(line)):
                self._heading(start, end, len(found[1]), found[2] or "")
                at += 1
            elif (mark in "`~-*+" or mark.isdigit()) and (fence := _FENCE.match(line)):
                at = self._fence(spans, at, fence[1])
            elif self._is_underlined(line, following):
                self._heading(start, spans[at + 1][1], 1 if "=" in following else 2, line)
                at += 2
            else:
                self._prose(start, line)
                at += 1
        self._close_prose(len(self.text))

    def _is_underlined(self, line: str, following: str) -> bool:
        opens = self.after_gap or self.bare
        return (
            opens and not _ITEM_OR_ROW.match(line) and not _UNDERLINE.match(line) and bool(_UNDERLINE.match(following))
        )

    def _heading(self, start: int, end: int, level: int, title: str) -> None:
        self._close_prose(start)
        glued = False
        if self.bare:
            self.headings[-1].body = start
            glued = level > self.headings[-1].level
        if glued:
            self._add(HEADING_END, start)
        else:
            self._add(SECTION, start)
            if level <= _MAJOR_LEVEL:
                self.majors.append(start)
        parents = self.headings[-1] if self.headings else None
        above = _path_above(parents, level)
        self.headings.append(Heading(start, level, (*above, _title(title)), len(self.text)))
        self._extend(HEADING_WORD, _ends(_SPACE, self.text, start, end - 1))
        self.prose_start, self.bare, self.after_gap = end, True, False

    def _fence(self, spans: list[tuple[int, int]], at: int, marks: str) -> int:
        """Take the fenced block that opens on line `at`; give the number of the line after it."""
        start = spans[at][0]
        self._close_prose(start)
        self._begin(start, BLOCK)
        after = at + 1
        while after < len(spans):
            line = self.text[slice(*spans[after])].strip(" \t>\r\n")
            after += 1
            if line.startswith(marks) and not line.strip(marks[0]):
                break
        end = spans[after - 1][1]
        if not self.fits(start, end):
            self._open_fence(spans[at + 1 : after])
            self._extend(WORD, _ends(_SPACE, self.text, start, end))
        self.prose_start, self.after_gap = end, True
        return after

    def _open_fence(self, spans: list[tuple[int, int]]) -> None:
        blank = False
        for start, end in spans:
            is_blank = not self.text[start:end].strip()
            if not is_blank:
                self._add(ITEM if blank else LINE, start)
            blank = is_blank

    def _prose(self, start: int, line: str) -> None:
        kind = BLOCK if self.after_gap else ITEM if _ITEM_OR_ROW.match(line) else LINE
        self._begin(start, kind)
        self.after_gap = False

    def _begin(self, start: int, kind: int) -> None:
        """Note the first line of something; right under a heading it is no place to cut, or the last but one."""
        if self.bare:
            self.headings[-1].body = start
            self.bare = False
            kind = HEADING_END
        self._add(kind, start)

    def _close_prose(self, end: int) -> None:
        start = self.headings[-1].body if self.headings else self.prose_start
        start = max(self.prose_start, start)
        if start < end:
            self._extend(SENTENCE, _ends(_SENTENCE_END, self.text, start, end))
            self._extend(WORD, _ends(_SPACE, self.text, start, end))
        self.prose_start = end

    def _add(self, level: int, position: int) -> None:
        if position > 0 and is_boundary(self.text, position):
            self.levels[level].append(position)

    def _extend(self, level: int, positions: Iterator[int]) -> None:
        self.levels[level].extend(at for at in positions if is_boundary(self.text, at))


def _ends(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[int]:
    for found in pattern.finditer(text, start, end):
        if found.end() < end and (pattern is _SPACE or found["end"] is not None):
            yield found.end()


def _path_above(last: Heading | None, level: int) -> tuple[str, ...]:
    """Give the titles above a new heading of `level`; a skipped level holds an empty title."""
    path = last.path if last else ()
    return (*path, *[""] * 6)[: level - 1]


def _title(text: str) -> str:
    body = text.rstrip()
    bare = body.rstrip("#")
    title = " ".join((bare if bare[-1:] in ("", " ", "\t") else body).split())
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"

"""The part of a long text that shows why it was found."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .graphemes import ceiling, floor
from .needles import chosen

_MARK = "…"
_SPACE = re.compile(r"\s")
_MOST_PLACES_A_NEEDLE = 200


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text to show, and whether it is less than the whole."""

    text: str
    truncated: bool


def cut(content: str, length: int, needles: Sequence[str]) -> Snippet:
    """Give `content` whole when it has at most `length` characters, else the window that shows most of `needles`.

    The window, with a mark where text is left out, has at most `length` (>= 1) characters. Needles are found in any
    case; a second sight of one counts nothing. Borders fall between words where that costs at most a fifth.
    """
    if len(content) <= length:
        return Snippet(content, truncated=False)
    room = length - 2 * len(_MARK)
    if room < 1:
        return Snippet(_MARK[:length], truncated=True)
    start = _best_start(content, room, needles)
    end = min(len(content), start + room)
    start, end = _to_borders(content, start, end, slack=room // 5)
    before, after = _MARK if start else "", _MARK if end < len(content) else ""
    return Snippet(f"{before}{content[start:end]}{after}", truncated=True)


def _best_start(content: str, room: int, needles: Sequence[str]) -> int:
    """Slide over the places of all needles; of the windows with most needles take the first, its finds centred."""
    places = sorted(_places(content, needles))
    best, best_count, first = (0, 0), 0, 0
    seen: dict[int, int] = {}
    for start, end, needle in places:
        seen[needle] = seen.get(needle, 0) + 1
        while end - places[first][0] > room and places[first][0] < start:
            left = places[first][2]
            seen[left] -= 1
            if not seen[left]:
                del seen[left]
            first += 1
        if len(seen) > best_count:
            best, best_count = (places[first][0], min(end, places[first][0] + room)), len(seen)
    if not best_count or best[1] <= room:
        return 0
    spare = room - (best[1] - best[0])
    return min(max(0, best[0] - spare // 2), len(content) - room)


def _places(content: str, needles: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    for number, needle in enumerate(chosen(needles, len(content))):
        found = re.finditer(re.escape(needle), content, re.IGNORECASE)
        for match, _ in zip(found, range(_MOST_PLACES_A_NEEDLE), strict=False):
            yield match.start(), match.end(), number


def _to_borders(content: str, start: int, end: int, slack: int) -> tuple[int, int]:
    """Move both ends inwards, to a space within `slack` characters, else to the next whole visible character."""
    if start and not _SPACE.match(content[start - 1]):
        space = _SPACE.search(content, start, start + slack)
        start = space.end() if space else start
    if end < len(content) and not _SPACE.match(content[end]):
        spaces = [match.start() for match in _SPACE.finditer(content, end - slack, end)]
        end = spaces[-1] if spaces and spaces[-1] > start else end
    start = min(ceiling(content, start), end)
    return start, floor(content, end, start)

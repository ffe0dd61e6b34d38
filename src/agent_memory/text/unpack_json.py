"""Packs in JSON read back, wherever they stand in a text and however they were written anew."""

import json
from collections.abc import Iterator
from typing import Any, Final, cast

from .compact import facts_of
from .forms import NOTICE
from .render import Entry, item, visible
from .unpack import Frame, Note

_JSON: Final = json.JSONDecoder()
# How many opening braces before the notice may belong to the text of the heading or of the query.
_TRIES: Final = 8


def json_frames(text: str) -> Iterator[Frame]:
    """Each pack in JSON that `text` holds whole."""
    at = 0
    while (notice := text.find(NOTICE, at)) >= 0:
        start, at = notice, notice + len(NOTICE)
        for _ in range(_TRIES):
            start = text.rfind("{", 0, start)
            if start < 0:
                break
            if (found := _frame(text, start)) and found.end > notice:
                yield found
                at = found.end
                break


def _frame(text: str, start: int) -> Frame | None:
    try:
        value, end = _JSON.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    given = cast("dict[str, Any]", value)
    memories = given.get("memories")
    if given.get("notice") != NOTICE or not isinstance(memories, list):
        return None
    notes = [_note(cast("dict[str, Any]", one)) for one in cast("list[Any]", memories) if isinstance(one, dict)]
    return Frame(start, end, "", tuple(notes))


def _note(given: dict[str, Any]) -> Note:
    """The note that the long form of a pack would have, with the id first among its facts."""

    def text(name: str) -> str:
        return str(given.get(name) or "")

    entry = Entry(
        id=text("id"),
        title=text("title"),
        memory_type=text("memoryType"),
        source=text("source"),
        trust=text("trust"),
        age_days=0.0,
        updated_at=text("updatedAt"),
        url=None,
        tags=(),
        content=text("content"),
    )
    lines = (f"title: {visible(entry.title)}", "", *map(visible, entry.content.split("\n")))
    return Note(f"id {item(entry.id)}, {facts_of(entry)}", lines)

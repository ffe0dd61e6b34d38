"""Records of the original memory Actor, as memories of ours."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from ..models import instant
from ..models.memory import CONFIDENCE, IMPORTANCE, Memory, MemoryRecord
from ..models.vocabulary import Channel, MemoryType, Source, Trust

W = TypeVar("W", MemoryType, Source)

CONTENT_LENGTH: Final = 200_000
_TITLE_LENGTH: Final = 300
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_KNOWN: Final = frozenset(MemoryRecord.__annotations__)


class RecordError(Exception):
    """A record holds no memory; the text says why, without repeating content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A memory with what its record said: addresses as they stand there, trust still to be decided.

    `dated` says that its instants are its own, not `now`; `notes` what could not be taken over as it was.
    """

    memory: Memory
    archived: bool
    dated: bool
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Reader:
    """Takes fields out of a record one by one, and notes what it has to leave."""

    record: Mapping[str, Any]
    notes: list[str] = field(default_factory=list[str])
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    def text(self, name: str) -> str | None:
        """A text with something in it."""
        value = self.record.get(name)
        if value is not None and not isinstance(value, str):
            self._leave(name, value, "is no text")
        return value if isinstance(value, str) and value.strip() else None

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of a list, each once."""
        value = self.record.get(name)
        if value is not None and not isinstance(value, list):
            self._leave(name, value, "is no list")
            return ()
        items = (item.strip() for item in cast("list[Any]", value or []) if isinstance(item, str))
        return tuple(dict.fromkeys(item for item in items if item))

    def ratio(self, name: str, default: float) -> float:
        """A number in 0-1."""
        value = self.record.get(name)
        try:
            number = default if value is None else float("nan" if isinstance(value, bool) else value)
        except (TypeError, ValueError):
            number = float("nan")
        if 0 <= number <= 1:
            return number
        self._leave(name, value, f"is no number in 0-1; {default} was taken")
        return default

    def word(self, name: str, default: W) -> W:
        """A word of the closed list that `default` is of."""
        value: Any = self.text(name)
        try:
            return default if value is None else type(default)(value)
        except ValueError:
            self._leave(name, value, f"is another word; {default.value} was taken")
            return default

    def moment(self, name: str) -> str | None:
        """An instant."""
        value = self.text(name)
        try:
            return None if value is None else instant.parse(value)
        except ValueError:
            self._leave(name, value, "is no date")
            return None

    def object(self, name: str) -> dict[str, Any]:
        """A JSON object."""
        value = self.record.get(name)
        if value is not None and not isinstance(value, dict):
            self._leave(name, value, "is no object")
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}

    def _leave(self, name: str, value: Any, why: str) -> None:
        self.notes.append(f"{name} {why}")
        self.extra[f"original{name[:1].upper()}{name[1:]}"] = value


def to_memory(given: Any, *, key_id: str | None, archived: bool, channel: Channel, now: str) -> Original:
    """The memory in the record `given`; `key_id` stands in for a missing id. What is not understood is kept in `extra`.

    Raises:
        RecordError: there is no content, or the id can be no id of ours.
    """
    if not isinstance(given, dict):
        raise RecordError("is no record of a memory")
    record = cast("Mapping[str, Any]", given)
    read = _Reader(record)
    memory_id = read.text("id") or key_id or ""
    if not _ID.fullmatch(memory_id):
        raise RecordError("has no id of 1-64 letters, digits, _ and -")
    content = read.text("content")
    if content is None:
        raise RecordError("has no content")
    if len(content) > CONTENT_LENGTH:
        raise RecordError(f"has {len(content)} characters of content, up to {CONTENT_LENGTH} are allowed")
    created, updated, dated = _instants(read, now)
    memory = Memory(
        id=memory_id,
        content=content,
        title=(read.text("title") or "")[:_TITLE_LENGTH],
        created_at=created,
        updated_at=updated,
        url=read.text("url"),
        memory_type=read.word("memoryType", MemoryType.GENERAL),
        tags=read.texts("tags"),
        confidence=read.ratio("confidence", CONFIDENCE),
        importance=read.ratio("importance", IMPORTANCE),
        category=read.text("category"),
        source=read.word("source", Source.AGENT),
        channel=channel,
        trust=Trust.NORMAL,
        project_id=read.text("projectId"),
        session_id=read.text("sessionId"),
        related_urls=read.texts("relatedUrls"),
        pinned=record.get("pinned") is True,
        metadata=read.object("metadata"),
        extra={**{name: value for name, value in record.items() if name not in _KNOWN}, **read.extra},
    )
    return Original(
        memory=memory, archived=archived or record.get("archived") is True, dated=dated, notes=tuple(read.notes)
    )


def archived_records(value: Any) -> Iterator[tuple[str | None, Any]]:
    """The records in what stood under `archived_memories`: a list, a table by id, or either below `memories`."""
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        below = table.get("memories")
        yield from archived_records(below) if isinstance(below, list | dict) else table.items()
    elif isinstance(value, list):
        yield from ((None, record) for record in cast("list[Any]", value))


def later(one: Original, other: Original) -> Original:
    """Of two records of one memory the one that was changed later; of equals the one that is not archived."""
    return max(one, other, key=lambda found: (found.memory.updated_at, not found.archived, found.memory.content))


def _instants(read: _Reader, now: str) -> tuple[str, str, bool]:
    """When it was created and updated, neither ahead of `now`, and whether the record said so."""
    created, updated = read.moment("createdAt"), read.moment("updatedAt")
    first = created or updated or now
    last = max(updated or first, first)
    if last > now:
        read.notes.append("a date lies ahead; now was taken")
    elif created is None and updated is None:
        read.notes.append("there is no date; now was taken")
        return now, now, False
    return min(first, now), min(last, now), last <= now

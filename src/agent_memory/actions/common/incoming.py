"""What a source of an import holds: lines of exports, and records of the original Actor."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final, NotRequired, Protocol

from typing_extensions import TypedDict

from ...errors import InvalidRequestError
from ...lifecycle.original import Original, RecordError, archived_records, later, to_memory
from ...store.codec import Stored
from ...store.export_line import LineError, read_line
from ...store.keys import parse_revision_key, segment_time
from ..base import Context
from .coerce import check_json

_ARCHIVE: Final = "archived_memories"
_EXPORT = re.compile(r"EXPORT(?:-\d+)?(?:\.\w+)?|.+\.(?:jsonl|ndjson)", re.IGNORECASE)
_RECORD = re.compile(r"memory-(?P<id>.+?)(?:\.json)?")
_SIDECAR: Final = "__metadata__.json"
_BOM: Final = b"\xef\xbb\xbf"
_READS_AT_ONCE: Final = 16
_PROGRESS_EVERY: Final = 250
_TOO_DEEP: Final = "is nested too deep"


class Source(Protocol):
    """A folder or a key-value store, only to be read."""

    async def get(self, key: str) -> bytes | None:
        """The bytes under `key`."""
        ...

    def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All names."""
        ...


class Problem(TypedDict):
    """What could not be imported: `source` is a file or key, `line` counts from 1."""

    source: str
    line: NotRequired[int]
    reason: str


@dataclass(slots=True)
class Incoming:
    """What was read. `revisions` are those of exports by the id of their memory, `originals` memories by id.

    `deleted` counts records that the original Actor has emptied, `edited` revisions changed since their export.
    """

    revisions: dict[str, list[Stored]] = field(default_factory=dict[str, list[Stored]])
    originals: dict[str, Original] = field(default_factory=dict[str, Original])
    problems: list[Problem] = field(default_factory=list[Problem])
    sources: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    deleted: set[str] = field(default_factory=set[str])
    edited: int = 0

    @property
    def found(self) -> int:
        """How many memories were read."""
        return len(self.revisions.keys() | self.originals.keys())


async def read_incoming(source: Source, context: Context) -> Incoming:
    """Read everything in `source` that is an export or belongs to the original Actor.

    Raises:
        InvalidRequestError: there is neither.
    """
    names = [name async for name in source.list_keys() if not name.endswith(_SIDECAR)]
    if any(parse_revision_key(name) or segment_time(name) is not None for name in names):
        raise InvalidRequestError(
            "This is a memory store of this version. Nothing changed. Use it under its memoryStoreId, "
            "or export it and import that."
        )
    exports, records = _sort(names)
    incoming = Incoming(sources=exports)
    for name in exports:
        await _read_export(name, await source.get(name) or b"", incoming, context)
    await _read_records(source, records, incoming, context)
    if not exports and not records:
        raise InvalidRequestError(
            f"Nothing to import among {len(names)} entries: neither lines of an export (EXPORT, *.ndjson, *.jsonl) nor "
            "records of the original Actor (memory-<id>, archived_memories)."
        )
    return incoming


def _sort(names: list[str]) -> tuple[list[str], list[str]]:
    """The names of exports and of the original's records; a single file of another name counts as an export."""
    records = [name for name in names if _RECORD.fullmatch(name) or name.removesuffix(".json") == _ARCHIVE]
    exports = [name for name in names if _EXPORT.fullmatch(name) and name not in records]
    return (names, []) if len(names) == 1 and not records else (exports, records)


async def _read_export(name: str, value: bytes, incoming: Incoming, context: Context) -> None:
    lines = value.removeprefix(_BOM).split(b"\n")
    for number, line in enumerate(lines, 1):
        if number % _PROGRESS_EVERY == 0:
            await context.progress(number, len(lines), f"lines of {name} read")
        if not line.strip():
            continue
        try:
            revisions, edited = _read_line(line)
        except (LineError, ValueError) as error:
            incoming.problems.append(Problem(source=name, line=number, reason=str(error)))
            continue
        incoming.edited += edited
        incoming.revisions.setdefault(revisions[0].key.memory_id, []).extend(revisions)


def _read_line(line: bytes) -> tuple[list[Stored], int]:
    value = _parse(line)
    try:
        revisions, edited = read_line(value)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    for stored in revisions:
        memory = stored.revision.memory
        for part in (memory.metadata, *memory.extra.values()):
            check_json(part)
    return revisions, edited


async def _read_records(source: Source, names: list[str], incoming: Incoming, context: Context) -> None:
    now = context.now()
    for start in range(0, len(names), _READS_AT_ONCE):
        some = names[start : start + _READS_AT_ONCE]
        values = await asyncio.gather(*(source.get(name) for name in some))
        for name, value in zip(some, values, strict=True):
            _read_record(name, value or b"", incoming, context, now)
        await context.progress(start + len(some), len(names), "records read")
    if names:
        incoming.sources.append(f"{len(names)} entries of the original Actor")
    incoming.deleted -= incoming.originals.keys()


def _read_record(name: str, value: bytes, incoming: Incoming, context: Context, now: str) -> None:
    match = _RECORD.fullmatch(name)
    try:
        parsed = _parse(value.removeprefix(_BOM))
    except ValueError as error:
        incoming.problems.append(Problem(source=name, reason=str(error)))
        return
    for key_id, record in [(match["id"], parsed)] if match else archived_records(parsed):
        if record is None:
            incoming.deleted.add(key_id or name)
            continue
        try:
            original = to_memory(
                check_json(record), key_id=key_id, archived=match is None, channel=context.channel, now=now
            )
        except (RecordError, ValueError) as error:
            incoming.problems.append(Problem(source=name, reason=str(error)))
            continue
        known = incoming.originals.get(original.memory.id)
        incoming.originals[original.memory.id] = later(known, original) if known else original


def _parse(text: bytes) -> Any:
    """The JSON in `text`.

    Raises:
        ValueError: it is none; the text says why without repeating it.
    """
    try:
        return json.loads(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise ValueError("is no text in UTF-8") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON ({error.msg} at character {error.pos + 1})") from None

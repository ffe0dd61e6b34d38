"""Revisions and segments as bytes, each revision under a hash of its own, so that damage is ours to detect.

A revision is one line of JSON. A segment is a header line, then a line `<key> <json>` for each revision.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import from_json

from ..models.identity import dedupe_digest
from ..models.revision import Revision, from_body, newer_version, to_body
from ..models.vocabulary import State
from .keys import RevisionKey, parse_revision_key

SEGMENT_BYTES: Final = 3_900_000
_HEADER: Final = b'{"agentMemorySegment":1,"revisions":%d}'
_MOVED: Final = b"agentMemorySegment moved "
_HASH_DIGITS: Final = 20
STUB: Final = b"purged"
"""What overwrites the content of a purged memory before its key is deleted."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A revision, its key, and the line of bytes that it is stored as."""

    key: RevisionKey
    revision: Revision
    line: bytes

    @property
    def size(self) -> int:
        """Bytes of the line."""
        return len(self.line)


class DamagedError(Exception):
    """Stored bytes are not what was written."""


class NewerError(DamagedError):
    """Stored bytes are what a newer version has written, and this one does not understand them."""


def to_json(value: Any) -> str:
    """Compact JSON; refuses NaN and Infinity with ValueError."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def encode(revision: Revision) -> Stored:
    """`revision` with the line that stores it and the key it belongs under."""
    line = to_json(to_body(revision)).encode()
    dedupe = dedupe_digest(revision.memory) if revision.state is State.ACTIVE else revision.state.value
    return Stored(RevisionKey(revision.memory.id, revision.number, dedupe, _digest(line)), revision, line)


def decode(key: RevisionKey, line: bytes) -> Stored:
    """The revision in `line`.

    Raises:
        DamagedError: `line` is not what was written under `key`.
        NewerError: a newer version has written it, and has done more than add fields.
    """
    if _digest(line) != key.hash:
        message = f"{key}: the content does not match its hash"
        raise DamagedError(message)
    body: Any = None
    try:
        body = from_json(line)
        revision = from_body(body)
    except (KeyError, TypeError, ValueError) as error:
        if newer := newer_version(body):
            message = f"memory {key.memory_id} has {newer}"
            raise NewerError(message) from error
        message = f"{key}: {error}"
        raise DamagedError(message) from error
    if revision.memory.id != key.memory_id or revision.number != key.number:
        message = f"{key}: it holds revision {revision.number} of memory {revision.memory.id}"
        raise DamagedError(message)
    return Stored(key, revision, line)


def encode_segment(revisions: Iterable[Stored]) -> bytes:
    """One segment that holds `revisions` in order."""
    return _segment([b"%s %s" % (str(stored.key).encode(), stored.line) for stored in revisions])


def split(revisions: Iterable[Stored]) -> Iterator[list[Stored]]:
    """`revisions` in order, in groups that each fit one segment of about 3.9 MB."""
    group: list[Stored] = []
    size = 0
    for stored in revisions:
        row = row_size(stored)
        if group and size + row > SEGMENT_BYTES:
            yield group
            group, size = [], 0
        group.append(stored)
        size += row
    if group:
        yield group


def row_size(stored: Stored) -> int:
    """Bytes that a revision takes in a segment."""
    return len(str(stored.key)) + stored.size + 2


def decode_segment(value: bytes) -> Iterator[tuple[RevisionKey | None, bytes]]:
    """The keys and lines of a segment, undecoded; the key is None where a row cannot be read or is missing."""
    header, *rows = value.split(b"\n")
    for row in rows:
        key, _, line = row.partition(b" ")
        yield parse_revision_key(key.decode("ascii", "replace")), line
    if header != _HEADER % len(rows):
        yield None, header


def without_memories(segment: bytes, memory_ids: Collection[str]) -> bytes | None:
    """`segment` without the content of `memory_ids`, None when nothing is left.

    Rows are copied as they are, damaged ones too; what says that a memory was purged stays.
    """
    _, *rows = segment.split(b"\n")
    kept = [row for row in rows if not _is_content_of(row, memory_ids)]
    return _segment(kept) if kept else None


def moved(to: Iterable[str], milliseconds: int) -> bytes:
    """What is left in place of a segment whose rows stand elsewhere now; `milliseconds` of the epoch is when."""
    return _MOVED + to_json({"to": list(to), "at": milliseconds}).encode()


def parse_moved(value: bytes) -> tuple[list[str], int] | None:
    """Where the rows of a segment stand now and since when; None when `value` is no such note, or a damaged one."""
    if not value.startswith(_MOVED):
        return None
    try:
        note = json.loads(value[len(_MOVED) :])
        return [str(name) for name in note["to"]], int(note["at"])
    except (KeyError, TypeError, ValueError):
        return None


def _is_content_of(row: bytes, memory_ids: Collection[str]) -> bool:
    key = parse_revision_key(row.partition(b" ")[0].decode("ascii", "replace"))
    return key is not None and key.memory_id in memory_ids and key.state is not State.PURGED


def _segment(rows: list[bytes]) -> bytes:
    return b"\n".join([_HEADER % len(rows), *rows])


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()[:_HASH_DIGITS]

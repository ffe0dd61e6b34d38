"""A memory as a line of an export, such that each stored line, its hash and its key can be made again from it.

{"agentMemoryExport":1,"id":"…","state":"active","revisions":[{"key":"memory-…","revision":{…}}]}
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, NotRequired, cast

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from ..models import instant
from ..models.memory import Memory, MemoryRecord
from ..models.revision import Revision, from_body, newer_version
from ..models.vocabulary import Scope, State, Trust
from .codec import SEGMENT_BYTES, DamagedError, Stored, decode, encode, to_json
from .keys import RevisionKey, parse_revision_key
from .resolve import Head

FORMAT: Final = 1
LINE_BYTES: Final = 7_900_000
_FRAME_BYTES: Final = 200
_SHOWN: Final = 20
_REASON_LENGTH: Final = 150


class LineError(Exception):
    """A line is none of an export, or holds what no store could hold; the text says why."""


class _Origin(TypedDict):
    at: str
    index: int
    keys: dict[str, str]


class _Claim(TypedDict):
    attempt: str
    decision: str
    withdrawn: bool


class _Settlement(TypedDict):
    resolution: str
    decision: str
    memoryId: NotRequired[str]
    reason: NotRequired[str]


class _Body(TypedDict):
    """What `models.revision.to_body` writes; fields that this version does not know may be there."""

    format: int
    number: int
    parents: list[str]
    at: str
    by: str
    channel: NotRequired[str]
    toolCallId: NotRequired[str]
    state: str
    origin: _Origin
    reinforces: NotRequired[bool]
    claim: NotRequired[_Claim]
    settlement: NotRequired[_Settlement]
    memory: MemoryRecord


def history_of(head: Head, revisions: Iterable[Stored]) -> list[Stored]:
    """What an export tells of a memory, the oldest revision first; of a purged one only that it was purged."""
    purged = head.state is State.PURGED
    kept = (stored for stored in revisions if not purged or stored.revision.state is State.PURGED)
    return sorted(kept, key=lambda s: (s.revision.number, s.revision.at, s.key.hash))


def lines_of(head: Head, revisions: Iterable[Stored]) -> Iterator[bytes]:
    """The line of one memory with its history; several lines where one would be over about 8 MB."""
    start = to_json({"agentMemoryExport": FORMAT, "id": head.memory.id, "state": head.state.value})[:-1].encode()
    rows: list[bytes] = []
    size = _FRAME_BYTES
    for stored in history_of(head, revisions):
        row = b'{"key":"%s","revision":%s}' % (str(stored.key).encode(), stored.line)
        if rows and size + len(row) > LINE_BYTES:
            yield _line(start, rows)
            rows, size = [], _FRAME_BYTES
        rows.append(row)
        size += len(row) + 1
    yield _line(start, rows)


def read_line(value: Any) -> tuple[list[Stored], int]:
    """The revisions in a line, already parsed as JSON, and how many of them were edited since they were exported.

    An edited revision becomes one of its own: the successor of what it was made from. Nobody stands behind it, so it
    has no approval and at most normal trust.

    Raises:
        LineError: it is no line of an export, of a newer version, or its fields are not what a memory has.
    """
    line = _object(value)
    if "agentMemoryExport" not in line:
        raise LineError("is no line of an export: it has no agentMemoryExport")
    if line["agentMemoryExport"] != FORMAT:
        came = str(line["agentMemoryExport"])[:_SHOWN]
        raise LineError(f"is of export format {came}, this version reads {FORMAT}; import it with a newer version")
    rows = line.get("revisions")
    if not isinstance(rows, list) or not rows:
        raise LineError("has no revisions")
    found = [_read_row(_object(row), line.get("id")) for row in cast("list[Any]", rows)]
    return [stored for stored, _ in found], sum(edited for _, edited in found)


def _line(start: bytes, rows: Iterable[bytes]) -> bytes:
    return b'%s,"revisions":[%s]}\n' % (start, b",".join(rows))


def _object(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _read_row(row: Mapping[str, Any], memory_id: Any) -> tuple[Stored, bool]:
    """The revision in `row`, and whether it differs from what was exported."""
    key = parse_revision_key(str(row.get("key")))
    if key is None:
        raise LineError("has a revision without a key")
    body: Any = row.get("revision")
    revision = _read_body(body)
    if not key.memory_id == revision.memory.id == memory_id:
        raise LineError("names more than one id")
    stored, edited = _stored(key, body, revision)
    if stored.size > SEGMENT_BYTES:
        raise LineError(f"has a revision of {stored.size / 1e6:.1f} MB, up to {SEGMENT_BYTES / 1e6} MB are allowed")
    if parse_revision_key(str(stored.key)) != stored.key:
        raise LineError("has a revision with a number that no key can have")
    return stored, edited


def _stored(key: RevisionKey, body: Any, revision: Revision) -> tuple[Stored, bool]:
    if (key.number, key.state) == (revision.number, revision.state):
        try:
            return decode(key, to_json(body).encode()), False
        except DamagedError:
            pass  # it was edited
    memory = replace(revision.memory, approval=None)
    memory = replace(memory, trust=Trust.NORMAL) if memory.trust is Trust.HIGH else memory
    return encode(replace(revision, number=revision.number + 1, parents=(key.hash,), memory=memory)), True


def _read_body(body: Any) -> Revision:
    try:
        _shape().validate_python(body, strict=True)
        to_json(body).encode()
        revision = from_body(body)
        _check(revision)
    except (KeyError, TypeError, ValueError) as error:
        raise LineError(_why(body, error)) from None
    return revision


def _why(body: Any, error: Exception) -> str:
    """What is wrong, with at most a glimpse of what was written there."""
    if newer := newer_version(body):
        return f"has {newer}; import it with a newer version"
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"has a wrong {'.'.join(map(str, first['loc'])) or 'revision'}: {first['msg']}"
    return f"has a revision that cannot be read: {_reason(error)}"


def _check(revision: Revision) -> None:
    """Raise ValueError for what no revision of ours can say."""
    memory = revision.memory
    for moment in (revision.at, revision.origin.at, memory.created_at, memory.updated_at):
        if instant.parse(moment) != moment:
            raise ValueError("its instants must be UTC with milliseconds, such as 2026-03-01T09:30:00.000Z")
    if not (0 <= memory.confidence <= 1 and 0 <= memory.importance <= 1):
        raise ValueError("its confidence and importance must lie in 0-1")
    needed = {Scope.PROJECT: ("projectId", memory.project_id), Scope.SESSION: ("sessionId", memory.session_id)}
    name, given = needed.get(memory.scope, ("", "")) if memory.scope else ("", "")
    if given is None:
        raise ValueError(f"its scope {memory.scope} needs {name}")
    at = memory.created_at, memory.updated_at
    bare = Memory(id=memory.id, content="", title="", created_at=at[0], updated_at=at[1], scope=memory.scope)
    if revision.state is State.PURGED and memory != bare:
        raise ValueError("it holds content and says purged")


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeEncodeError):
        return "it holds half of a surrogate pair"
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)[:_REASON_LENGTH]


@cache
def _shape() -> TypeAdapter[_Body]:
    return TypeAdapter(_Body)

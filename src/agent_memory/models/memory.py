"""One memory as a value, and its JSON record."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NotRequired

from typing_extensions import TypedDict

from .vocabulary import Channel, MemoryType, Scope, Source, Trust

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SCHEMA_VERSION: Final = 1
CONFIDENCE: Final = 0.8
IMPORTANCE: Final = 0.5
"""What a memory has when nobody said otherwise."""
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Where a chunk stands in its document; `start` and `end` are code points of the document's text."""

    document_id: str
    index: int
    start: int
    end: int
    tokens: int
    heading: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """That a person stands behind a memory: when, who, and the digest of what was approved (`approval_digest`)."""

    at: str
    by: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What an agent wrote down. Instants are texts as in `instant`; confidence and importance lie in 0-1.

    `echo` marks what came with the frame of a context pack around it. `extra` holds the fields of a record that this
    version does not know, so that an update keeps them, and `schema_version` is the version that first wrote them.
    """

    id: str
    content: str
    title: str
    created_at: str
    updated_at: str
    url: str | None = None
    site: str | None = None
    memory_type: MemoryType = MemoryType.GENERAL
    tags: tuple[str, ...] = ()
    confidence: float = CONFIDENCE
    importance: float = IMPORTANCE
    category: str | None = None
    source: Source = Source.AGENT
    channel: Channel = Channel.API
    trust: Trust = Trust.NORMAL
    project_id: str | None = None
    session_id: str | None = None
    scope: Scope | None = None
    related_urls: tuple[str, ...] = ()
    pinned: bool = False
    approval: Approval | None = None
    supersedes: str | None = None
    part: Part | None = None
    echo: bool = False
    metadata: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    extra: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    schema_version: int = SCHEMA_VERSION

    @property
    def content_hash(self) -> str:
        """First 16 hexadecimal digits of the content's SHA-256."""
        return hash_content(self.content)


class DocumentRecord(TypedDict):
    """`Part` as stored and as shown."""

    documentId: str
    index: int
    start: int
    end: int
    tokens: int
    heading: str | None


class MemoryRecord(TypedDict):
    """A memory as stored and as shown: the original Actor's fields, and sessionId, pinned, schemaVersion."""

    id: str
    url: str | None
    site: str | None
    title: str
    content: str
    memoryType: str
    tags: list[str]
    confidence: float
    importance: float
    category: str | None
    source: str
    channel: str
    trust: str
    projectId: str | None
    sessionId: str | None
    relatedUrls: list[str]
    pinned: bool
    createdAt: str
    updatedAt: str
    contentHash: str
    archived: bool
    metadata: dict[str, Any]
    schemaVersion: int
    scope: NotRequired[str]
    approved: NotRequired[dict[str, str]]
    supersedes: NotRequired[str]
    document: NotRequired[DocumentRecord]
    echo: NotRequired[bool]


def hash_content(content: str) -> str:
    """First 16 hexadecimal digits of the SHA-256 of `content` in UTF-8."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def to_record(memory: Memory, *, archived: bool = False) -> MemoryRecord:
    """`memory` as a JSON object; unknown fields come first, so that known ones win."""
    record: dict[str, Any] = {
        **memory.extra,
        "id": memory.id,
        "url": memory.url,
        "site": memory.site,
        "title": memory.title,
        "content": memory.content,
        "memoryType": memory.memory_type.value,
        "tags": list(memory.tags),
        "confidence": memory.confidence,
        "importance": memory.importance,
        "category": memory.category,
        "source": memory.source.value,
        "channel": memory.channel.value,
        "trust": memory.trust.value,
        "projectId": memory.project_id,
        "sessionId": memory.session_id,
        "relatedUrls": list(memory.related_urls),
        "pinned": memory.pinned,
        "createdAt": memory.created_at,
        "updatedAt": memory.updated_at,
        "contentHash": memory.content_hash,
        "archived": archived,
        "metadata": dict(memory.metadata),
        "schemaVersion": memory.schema_version,
    }
    if memory.scope is not None:
        record["scope"] = memory.scope.value
    if memory.approval is not None:
        approval = memory.approval
        record["approved"] = {"at": approval.at, "by": approval.by, "digest": approval.digest}
    if memory.supersedes is not None:
        record["supersedes"] = memory.supersedes
    if memory.echo:
        record["echo"] = True
    if memory.part is not None:
        part = memory.part
        record["document"] = {
            "documentId": part.document_id,
            "index": part.index,
            "start": part.start,
            "end": part.end,
            "tokens": part.tokens,
            "heading": part.heading,
        }
    return record  # pyright: ignore[reportReturnType]  # a TypedDict cannot be open to unknown fields before 3.15


def difference(before: Memory, after: Memory) -> list[str]:
    """The names of the fields in which two states of a memory differ, without those that follow from others."""
    old: dict[str, Any] = dict(to_record(before))
    new: dict[str, Any] = dict(to_record(after))
    derived = {"contentHash", "site", "trust", "updatedAt"}
    names = dict.fromkeys((*new, *old))
    return [name for name in names if new.get(name) != old.get(name) and name not in derived]


@cache
def record_shape() -> "TypeAdapter[MemoryRecord]":
    """Checks that each field of MemoryRecord has its type; unknown fields may be there."""
    from pydantic import TypeAdapter

    return TypeAdapter(MemoryRecord)


_KNOWN: Final = frozenset(MemoryRecord.__annotations__)


def from_record(record: Mapping[str, Any]) -> Memory:
    """The memory that `record` describes; a record of a newer schemaVersion may have more fields.

    Raises:
        KeyError, TypeError, ValueError: `record` is not what `to_record` writes.
    """
    document, scope, approved = record.get("document"), record.get("scope"), record.get("approved")
    version = record.get("schemaVersion", SCHEMA_VERSION)
    if version > SCHEMA_VERSION:
        record_shape().validate_python(record, strict=True)
    return Memory(
        id=record["id"],
        content=record["content"],
        title=record["title"],
        created_at=record["createdAt"],
        updated_at=record["updatedAt"],
        url=record["url"],
        site=record["site"],
        memory_type=MemoryType(record["memoryType"]),
        tags=tuple(record["tags"]),
        confidence=record["confidence"],
        importance=record["importance"],
        category=record["category"],
        source=Source(record["source"]),
        channel=Channel(record["channel"]),
        trust=Trust(record["trust"]),
        project_id=record["projectId"],
        session_id=record["sessionId"],
        scope=None if scope is None else Scope(scope),
        related_urls=tuple(record["relatedUrls"]),
        pinned=record["pinned"],
        approval=None
        if approved is None
        else Approval(at=approved["at"], by=approved["by"], digest=approved["digest"]),
        supersedes=record.get("supersedes"),
        part=None if document is None else _part(document),
        echo=record.get("echo", False),
        metadata=record["metadata"],
        extra=NOTHING if record.keys() <= _KNOWN else {n: v for n, v in record.items() if n not in _KNOWN},
        schema_version=max(version, SCHEMA_VERSION),
    )


def _part(document: Mapping[str, Any]) -> Part:
    return Part(
        document_id=document["documentId"],
        index=document["index"],
        start=document["start"],
        end=document["end"],
        tokens=document["tokens"],
        heading=document["heading"],
    )

"""What the reading actions share: which memories may be looked at, pages, and how a memory is shown."""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from typing_extensions import TypedDict

from ..errors import InvalidRequestError
from ..lifecycle.decay import Decay, decayed_importance, faded, retained
from ..lifecycle.visibility import Filter, fold_tags
from ..models.memory import Memory, to_record
from ..models.vocabulary import State
from ..ranking.document import Document
from ..store.resolve import Head
from ..store.snapshot import Snapshot
from ..text.snippet import cut
from .base import Context, Request
from .fields import (
    DEFAULT_RESULTS,
    QUERY_LENGTH,
    DecayConfig,
    DecayOptions,
    Explain,
    Options,
    ProjectId,
    Query,
    SearchOptions,
    SessionId,
    Url,
)

RESULT_BYTES: Final = 4_000_000
_SPEAKER_LENGTH: Final = 40


class ReadRequest(Request):
    """What recall, search and context_pack have in common."""

    query: Query | None = None
    url: Url | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    search_options: Options = SearchOptions()
    decay_config: DecayOptions = DecayConfig()
    explain: Explain = False


class ReadMemory(TypedDict):
    """A memory in a result: its record, with the content as an excerpt unless asked otherwise, and how it ranks."""

    id: str
    url: str | None
    site: str | None
    title: str
    content: str
    contentTruncated: bool
    memoryType: str
    tags: list[str]
    confidence: float
    importance: float
    decayedImportance: float
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
    score: float
    reasons: list[str]
    matchedTerms: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a read may look at, as of `now`. `hidden` are memories that have faded."""

    snapshot: Snapshot
    shown: Mapping[str, Head]
    hidden: Mapping[str, Head]
    kept: Mapping[str, float]
    decay: Decay
    now: str
    offset: int
    warnings: list[str]
    query: str | None

    def documents(self, heads: Mapping[str, Head]) -> list[Document]:
        """`heads` as ranking sees them."""
        return [_document(head, self.kept[memory_id]) for memory_id, head in heads.items()]


def decay_of(config: DecayConfig, context: Context) -> Decay:
    """The decay in force: what the request says, else the setting."""
    return Decay(
        enabled=context.decay_on if config.enabled is None else config.enabled,
        half_life_days=config.half_life_days,
        min_importance=config.min_importance,
        prune_threshold=config.prune_threshold,
    )


async def set_scene(request: ReadRequest, context: Context) -> Scene:
    """Load the store and pick what `request` may look at, as of now or of the page before."""
    decay = decay_of(request.decay_config, context)
    options = request.search_options
    page = _read_cursor(options.cursor, request)
    snapshot = await context.store.load()
    then = snapshot if page is None else snapshot.as_of(page.at)
    now = context.now() if page is None else page.at
    limits = _filter(request)
    states = (State.ACTIVE, State.ARCHIVED) if options.include_archived else (State.ACTIVE,)
    heads = {i: h for i, h in then.heads.items() if h.state in states and limits.admits(h.memory)}
    kept = {i: retained(h.memory, then.accessed(h.memory), now, decay) for i, h in heads.items()}
    hidden = {i: h for i, h in heads.items() if h.state is State.ACTIVE and faded(h.memory, kept[i], decay)}
    warnings = snapshot.warnings()
    query = request.query
    if query is not None and len(query) > QUERY_LENGTH:
        warnings.append(f"The query has {len(query)} characters; only the first {QUERY_LENGTH} were used.")
        query = query[:QUERY_LENGTH]
    return Scene(
        snapshot=snapshot,
        shown={i: h for i, h in heads.items() if i not in hidden},
        hidden=hidden,
        kept=kept,
        decay=decay,
        now=now,
        offset=0 if page is None else page.offset,
        warnings=warnings,
        query=query,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A memory at its place in an answer."""

    id: str
    score: float
    reasons: tuple[str, ...] = ()
    matched_terms: tuple[str, ...] = ()
    needles: tuple[str, ...] = ()
    parts: Mapping[str, float] | None = None
    collapsed: tuple[str, ...] = ()


def page_of(
    placed: Sequence[Placed], scene: Scene, request: ReadRequest, most: int
) -> tuple[list[ReadMemory], str | None]:
    """The memories of the asked page, at most `most` and 4 MB of JSON, and the cursor of the next page."""
    heads = {**scene.hidden, **scene.shown}
    memories: list[ReadMemory] = []
    size = 0
    for place in placed[scene.offset : scene.offset + most]:
        memory = show(heads[place.id], place, scene, request)
        size += len(json.dumps(memory, ensure_ascii=False).encode())
        if memories and size > RESULT_BYTES:
            break
        memories.append(memory)
    end = scene.offset + len(memories)
    return memories, _write_cursor(request, scene.now, end) if end < len(placed) else None


def show(head: Head, place: Placed, scene: Scene, request: ReadRequest) -> ReadMemory:
    """`head` as a result."""
    options = request.search_options
    record: dict[str, Any] = dict(to_record(head.memory, archived=head.state is State.ARCHIVED))
    if not options.full_content:
        snippet = cut(head.memory.content, options.content_length, place.needles)
        record |= {"content": snippet.text, "contentTruncated": snippet.truncated}
    else:
        record["contentTruncated"] = False
    record |= {
        "decayedImportance": round(decayed_importance(scene.kept[head.memory.id], scene.decay), 4),
        "score": round(place.score, 4),
        "reasons": list(place.reasons),
        "matchedTerms": list(place.matched_terms),
    }
    if place.collapsed:
        record["collapsed"] = list(place.collapsed)
    if request.explain and place.parts is not None:
        record["explain"] = {name: round(part, 6) for name, part in place.parts.items()}
    if head.conflicts:
        record["conflicts"] = list(head.conflicts)
    return cast("ReadMemory", record)


def effective_limit(max_results: int, options: SearchOptions) -> int:
    """Of limit and maxResults the one that is not the default 20, else the smaller."""
    given = [n for n in (max_results, options.limit or DEFAULT_RESULTS) if n != DEFAULT_RESULTS]
    return min(given, default=DEFAULT_RESULTS)


async def note_access(scene: Scene, memory_ids: Iterable[str], context: Context) -> None:
    """Remember that these memories were read; only what is read fades more slowly."""
    await context.store.touch(scene.snapshot, memory_ids)


def _document(head: Head, kept: float) -> Document:
    memory = head.memory
    return Document(
        id=memory.id,
        content=memory.content,
        title=memory.title,
        tags=memory.tags,
        url=memory.url,
        site=memory.site,
        memory_type=memory.memory_type.value,
        project_id=memory.project_id,
        session_id=memory.session_id,
        speaker=_speaker(memory),
        updated_at=memory.updated_at,
        created_at=memory.created_at,
        confidence=memory.confidence,
        importance=memory.importance,
        retained=kept,
        order=(head.origin.at, head.origin.index),
    )


def _speaker(memory: Memory) -> str | None:
    """metadata.speaker, else a leading `Name:`."""
    given = memory.metadata.get("speaker")
    if isinstance(given, str) and given.strip():
        return given.strip()
    name, colon, _ = memory.content[: _SPEAKER_LENGTH + 1].partition(":")
    return name if colon and name and "\n" not in name and name.replace(" ", "").isalpha() else None


def _filter(request: ReadRequest) -> Filter:
    options = request.search_options
    projects = {request.project_id, options.project_id, *(options.project_ids or ())} - {None}
    return Filter(
        projects=frozenset(cast("set[str]", projects)),
        session_id=options.session_id,
        memory_types=frozenset(options.memory_types or ()),
        tags=fold_tags(options.tags),
        category=options.category,
        since=options.since,
        until=options.until,
        include_archived=options.include_archived,
    )


@dataclass(frozen=True, slots=True)
class _Cursor:
    at: str
    offset: int


def _asked(request: ReadRequest) -> str:
    """What a cursor is bound to: the whole request but its cursor and page size."""
    given = request.model_dump(mode="json", exclude={"search_options": {"cursor", "limit"}, "max_results": True})
    return hashlib.sha256(json.dumps([type(request).__name__, given], sort_keys=True).encode()).hexdigest()[:16]


def _write_cursor(request: ReadRequest, at: str, offset: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([_asked(request), at, offset]).encode()).decode()


def _read_cursor(cursor: str | None, request: ReadRequest) -> _Cursor | None:
    if cursor is None:
        return None
    field: Literal["searchOptions.cursor"] = "searchOptions.cursor"
    try:
        asked, at, offset = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        page = _Cursor(str(at), int(offset))
    except (binascii.Error, ValueError, TypeError):
        message = (
            f"{field} is no cursor of ours. Give the nextCursor of the page before, or leave it out for the first page."
        )
        raise InvalidRequestError(message, field=field) from None
    if asked != _asked(request):
        message = (
            f"{field} belongs to another request. Ask with the same fields as for the page before, or leave it out."
        )
        raise InvalidRequestError(message, field=field)
    return page

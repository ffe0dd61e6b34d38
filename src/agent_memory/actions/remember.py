"""remember: write down one memory, or up to a thousand."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NotRequired, cast

from pydantic import ValidationError
from typing_extensions import TypedDict

from ..errors import ConflictError, InvalidRequestError, MemoryServiceError
from ..models.identity import dedupe_digest
from ..models.memory import Memory, MemoryRecord, to_record
from ..models.revision import Origin, Revision
from ..models.vocabulary import State
from ..store.resolve import Head
from ..store.snapshot import Snapshot
from .base import Action, Context, Request, Result
from .common.coerce import without
from .common.writing import fingerprint, first_revision, make_memory, require_text
from .fields import (
    Content,
    Details,
    DryRun,
    IdempotencyKey,
    Memories,
    MemoryDetails,
    MemoryItem,
    ProjectId,
    SessionId,
    Url,
)
from .parse import EMPTY, invalid

_NAMESPACE: Final = uuid.UUID("6f1d3c0a-8a51-4d9e-9d51-0c9b1d1f7a10")
_PROGRESS_EVERY: Final = 100


class RememberRequest(Request):
    """One memory in `content`, or many in `memories`."""

    content: Content | None = None
    memories: Memories | None = None
    url: Url | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    idempotency_key: IdempotencyKey | None = None
    memory_details: Details | None = None
    dry_run: DryRun = False


class ItemResult(TypedDict):
    """What became of one item of a bulk write."""

    index: int
    ok: bool
    memoryId: NotRequired[str]
    status: NotRequired[str]
    error: NotRequired[dict[str, Any]]


class RememberResult(Result):
    """The stored memory, or the results of a bulk write."""

    dryRun: bool
    memory: NotRequired[MemoryRecord]
    status: NotRequired[str]
    counts: NotRequired[dict[str, int]]
    results: NotRequired[list[ItemResult]]


@dataclass(frozen=True, slots=True)
class _Stored:
    """What became of one item: the memory that now stands for it."""

    status: str
    memory: Memory


@dataclass(slots=True)
class _Batch:
    """The memories known so far, by what identifies them, and the revisions to add."""

    by_digest: dict[str, Memory]
    by_id: dict[str, Head]
    started: str
    added: list[Revision] = field(default_factory=list[Revision])
    fresh: dict[str, Revision] = field(default_factory=dict[str, Revision])


async def remember(request: RememberRequest, context: Context) -> RememberResult:
    """Store what is new and answer what is already there.

    A duplicate (same project, session, url, type and text) answers the existing memory; a repeated idempotencyKey
    answers the memory that it made.
    """
    if request.memories is not None:
        return await _remember_many(request, context)
    warnings: list[str] = []
    snapshot = await context.store.load(access=False)
    batch = _start(snapshot, context)
    stored = _add(_single_item(request), batch, context, warnings)
    if not request.dry_run:
        snapshot = await context.store.commit(snapshot, batch.added)
        if request.idempotency_key and batch.added:
            snapshot = await context.store.recheck(snapshot, stored.memory.id)
            _check_race(snapshot.heads[stored.memory.id], batch.added[0], request.idempotency_key)
    where = context.store.store_id
    done = {"created": "Remembered", "duplicate": "Already known", "replayed": "Already remembered with this key"}
    verb = "Would remember" if request.dry_run and stored.status == "created" else done[stored.status]
    return RememberResult(
        memory=to_record(stored.memory),
        status=stored.status,
        dryRun=request.dry_run,
        message=f"{verb} 1 memory in {where}.",
        warnings=[*warnings, *snapshot.warnings()],
    )


async def _remember_many(request: RememberRequest, context: Context) -> RememberResult:
    if request.content is not None:
        message = "Give either content or memories, not both; nothing was stored."
        raise InvalidRequestError(message, field="memories")
    raw: Sequence[Any] = request.memories or ()
    warnings: list[str] = []
    snapshot = await context.store.load(access=False)
    batch = _start(snapshot, context)
    results: list[ItemResult] = []
    for index, (item, refusal) in enumerate(_parse_items(raw, request)):
        try:
            if refusal is not None or item is None:
                raise refusal or InvalidRequestError("no item")
            stored = _add(item, batch, context, warnings, f"memories[{index}]")
            results.append(ItemResult(index=index, ok=True, memoryId=stored.memory.id, status=stored.status))
        except MemoryServiceError as error:
            body = {"code": error.code, "message": error.message, "details": dict(error.details)}
            results.append(ItemResult(index=index, ok=False, error=body))
        if (index + 1) % _PROGRESS_EVERY == 0:
            await context.progress(index + 1, len(raw), "memories read")
    counts = {s: sum(r.get("status") == s for r in results) for s in ("created", "duplicate", "replayed")}
    counts["failed"] = sum(not r["ok"] for r in results)
    if counts["failed"] == len(results):
        first = next(r["error"] for r in results if "error" in r)
        message = f"None of the {len(results)} memories was stored. The first problem: {first['message']}"
        raise InvalidRequestError(message, results=results)
    if not request.dry_run:
        snapshot = await context.store.commit(snapshot, batch.added)
    return RememberResult(
        counts=counts,
        results=results,
        dryRun=request.dry_run,
        message=_bulk_message(counts, context.store.store_id, dry=request.dry_run),
        warnings=[*warnings, *snapshot.warnings()],
    )


def _single_item(request: RememberRequest) -> MemoryItem:
    if request.content is None:
        message = "content is required: the text to remember, up to 200,000 characters. Or give many as memories."
        raise InvalidRequestError(message, field="content")
    return MemoryItem.model_construct(
        content=request.content,
        url=request.url,
        project_id=request.project_id,
        session_id=request.session_id,
        idempotency_key=request.idempotency_key,
        memory_details=request.memory_details,
    )


def _parse_items(
    raw: Sequence[Any], request: RememberRequest
) -> Iterator[tuple[MemoryItem | None, InvalidRequestError | None]]:
    """Each item validated on its own; project, session and url of the root stand in where an item has none."""
    root = {"url": request.url, "projectId": request.project_id, "sessionId": request.session_id}
    for index, value in enumerate(raw):
        if not isinstance(value, dict):
            message = f'memories[{index}] must be an object such as {{"content": "…"}}, not {type(value).__name__}.'
            yield None, InvalidRequestError(message, field=f"memories[{index}]")
            continue
        given = {**root, **without(cast("dict[str, Any]", value), EMPTY)}
        try:
            yield MemoryItem.model_validate(given), None
        except ValidationError as error:
            yield None, invalid(error, MemoryItem, f"memories[{index}]")


def _start(snapshot: Snapshot, context: Context) -> _Batch:
    return _Batch({dedupe_digest(h.memory): h.memory for h in snapshot.active()}, dict(snapshot.heads), context.now())


def _add(item: MemoryItem, batch: _Batch, context: Context, warnings: list[str], at: str = "") -> _Stored:
    """Take `item` into the batch, unless it is already there."""
    require_text(item.content, f"{at}.content" if at else "content")
    key = item.idempotency_key
    asked = fingerprint(item.model_dump(mode="json", exclude={"idempotency_key"}, exclude_none=True))
    memory_id = str(uuid.uuid5(_NAMESPACE, f"{context.store.store_id}\n{key}") if key else uuid.UUID(context.new_id()))
    if key and (known := _by_key(memory_id, key, asked, batch)):
        return _Stored("replayed", known)
    memory = make_memory(
        memory_id=memory_id,
        content=item.content,
        url=item.url,
        project_id=item.project_id,
        session_id=item.session_id,
        details=item.memory_details or MemoryDetails(),
        context=context,
        warnings=warnings,
    )
    digest = dedupe_digest(memory)
    if twin := batch.by_digest.get(digest):
        if _details_differ(twin, item):
            warnings.append(
                f"{at or 'This text'} is already memory {twin.id}; its details were left as they are. Use "
                "update to change them."
            )
        return _Stored("duplicate", twin)
    origin = Origin(at=batch.started, index=len(batch.added), idempotency_key=key, fingerprint=asked if key else None)
    revision = first_revision(memory, origin, context)
    batch.added.append(revision)
    batch.by_digest[digest] = memory
    batch.fresh[memory_id] = revision
    return _Stored("created", memory)


def _by_key(memory_id: str, key: str, asked: str, batch: _Batch) -> Memory | None:
    """The memory that `key` already made; raises ConflictError when it was made of something else or is forgotten."""
    fresh, head = batch.fresh.get(memory_id), batch.by_id.get(memory_id)
    if fresh is None and head is None:
        return None
    origin = fresh.origin if fresh else head.origin if head else None
    if origin and origin.fingerprint != asked:
        message = f"idempotencyKey {key!r} was used for another memory, {memory_id}. Nothing was stored. Use a new key."
        raise ConflictError(message, memoryId=memory_id)
    if head and head.state is State.FORGOTTEN:
        message = (
            f"The memory made with idempotencyKey {key!r} was forgotten. Nothing was stored. Use a new key to "
            "remember it anew."
        )
        raise ConflictError(message, memoryId=memory_id)
    return fresh.memory if fresh else head.memory if head else None


def _check_race(head: Head, mine: Revision, key: str) -> None:
    if head.origin.fingerprint != mine.origin.fingerprint:
        message = f"Another writer used idempotencyKey {key!r} for another memory at the same time. Use a new key."
        raise ConflictError(message, memoryId=head.memory.id)


def _details_differ(twin: Memory, item: MemoryItem) -> bool:
    if item.memory_details is None:
        return False
    record: dict[str, Any] = dict(to_record(twin))
    given = item.memory_details.model_dump(mode="json", by_alias=True, exclude_none=True)
    return any(record[name] != value for name, value in given.items())


def _bulk_message(counts: dict[str, int], where: str, *, dry: bool) -> str:
    extra = [
        f"{counts[name]} {word}"
        for name, word in (("duplicate", "already known"), ("replayed", "replayed"), ("failed", "failed"))
        if counts[name]
    ]
    note = f" ({', '.join(extra)})" if extra else ""
    verb = "Would remember" if dry else "Remembered"
    return f"{verb} {counts['created']} memories in {where}{note}."


ACTION = Action(
    name="remember",
    summary="Write down a fact, decision, quirk or rule, or up to 1,000 at once.",
    request=RememberRequest,
    result=RememberResult,
    handle=remember,
    read_only=False,
    destructive=False,
    idempotent=False,
    aliases=("store",),
    example={
        "action": "remember",
        "memoryStoreId": "acme~site-memory-agent",
        "content": "The staging database is reset every night at 02:00 UTC; run long imports after that.",
        "memoryDetails": {"memoryType": "fact", "tags": ["staging", "database"]},
    },
)

"""remember: write down one memory, or up to a thousand."""

from typing import Any, Final, NotRequired

from typing_extensions import TypedDict

from ..errors import ConflictError, InvalidRequestError, MemoryServiceError
from ..models.memory import MemoryRecord, to_record
from ..models.revision import Revision
from ..store.resolve import Head
from .base import Action, Context, Result, WriteRequest
from .common.intake import Intake
from .common.items import parse_items
from .common.low_texts import claimed_low
from .common.reach import reach_of, told
from .common.receipt import Receipt, receipt_of
from .common.wording import how_many
from .fields.write import (
    Content,
    Details,
    DryRun,
    IdempotencyKey,
    Memories,
    OnSecret,
    ProjectId,
    Reinforce,
    SessionId,
    Url,
    WantsReceipt,
)
from .objects import MemoryItem

_PROGRESS_EVERY: Final = 100


class RememberRequest(WriteRequest):
    """One memory in `content`, or many in `memories`."""

    content: Content | None = None
    memories: Memories | None = None
    url: Url | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    idempotency_key: IdempotencyKey | None = None
    memory_details: Details | None = None
    reinforce: Reinforce = False
    on_secret: OnSecret = "refuse"
    dry_run: DryRun = False
    receipt: WantsReceipt | None = None


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
    receipt: NotRequired[Receipt]
    counts: NotRequired[dict[str, int]]
    results: NotRequired[list[ItemResult]]


async def remember(request: RememberRequest, context: Context) -> RememberResult:
    """Store what is new and answer what is already there.

    A duplicate (same project, session, url, type and text) answers the existing memory; a repeated idempotencyKey
    answers the memory that it made.
    """
    if request.memories is not None:
        return await _remember_many(request, context)
    warnings: list[str] = []
    snapshot = await context.store.load(access=False)
    intake = Intake(snapshot, context)
    stored = intake.add(_single_item(request), warnings, reinforce=request.reinforce)
    if not request.dry_run:
        snapshot = await context.store.commit(snapshot, intake.revisions)
        if intake.revisions and (request.idempotency_key or stored.status == "reinforced"):
            snapshot = await context.store.recheck(snapshot, stored.memory.id)
            _check_race(snapshot.heads[stored.memory.id], intake.revisions[0], request.idempotency_key)
    where = context.store.store_id
    done = {
        "created": "Would remember" if request.dry_run else "Remembered",
        "duplicate": "Already known:",
        "replayed": "Already remembered under this key:",
        "reinforced": "Would reinforce" if request.dry_run else "Reinforced",
    }
    result = RememberResult(
        memory=to_record(told(stored.memory, snapshot, reach_of(context, request.project_id, request.session_id))),
        status=stored.status,
        dryRun=request.dry_run,
        message=f"{done[stored.status]} 1 memory in {where}.",
        warnings=[*warnings, *snapshot.warnings()],
    )
    if stored.status == "created" and not request.dry_run:
        receipt = await receipt_of(stored.memory, context, snapshot, asked=request.receipt)
        if receipt is not None:
            result["receipt"] = receipt
    return result


async def _remember_many(request: RememberRequest, context: Context) -> RememberResult:
    if request.content is not None:
        message = "Give either content or memories, not both; nothing was stored."
        raise InvalidRequestError(message, field="memories")
    raw = request.memories or ()
    warnings: list[str] = []
    snapshot = await context.store.load(access=False)
    parsed = list(parse_items("memories", raw, _root(request), redacting=request.on_secret == "redact"))
    intake = Intake(snapshot, context, claimed_low(item for item, _ in parsed))
    results: list[ItemResult] = []
    for index, (item, refusal) in enumerate(parsed):
        try:
            if refusal is not None or item is None:
                raise refusal or InvalidRequestError("no item")
            stored = intake.add(item, warnings, f"memories[{index}]", reinforce=request.reinforce)
            results.append(ItemResult(index=index, ok=True, memoryId=stored.memory.id, status=stored.status))
        except MemoryServiceError as error:
            body = {"code": error.code, "message": error.message, "details": dict(error.details)}
            results.append(ItemResult(index=index, ok=False, error=body))
        if (index + 1) % _PROGRESS_EVERY == 0:
            await context.progress(index + 1, len(raw), "memories read")
    statuses = ("created", "duplicate", "replayed", *(["reinforced"] if request.reinforce else []))
    counts = {status: sum(result.get("status") == status for result in results) for status in statuses}
    counts["failed"] = sum(not r["ok"] for r in results)
    if counts["failed"] == len(results):
        first = next(r["error"] for r in results if "error" in r)
        message = f"None of {how_many(len(results))} was stored. The first problem: {first['message']}"
        raise InvalidRequestError(message, results=results)
    if not request.dry_run:
        snapshot = await context.store.commit(snapshot, intake.revisions)
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


def _root(request: RememberRequest) -> dict[str, Any]:
    return {"url": request.url, "projectId": request.project_id, "sessionId": request.session_id}


def _check_race(head: Head, mine: Revision, key: str | None) -> None:
    if mine.reinforces and head.state.hidden:
        message = f"Memory {head.memory.id} was forgotten by another writer just now. Nothing was counted or stored."
        raise ConflictError(message, memoryId=head.memory.id)
    if key and head.origin.keys.get(key) != mine.origin.keys[key]:
        message = f"Another writer used idempotencyKey {key!r} for another memory at the same time. Use a new key."
        raise ConflictError(message, memoryId=head.memory.id)


def _bulk_message(counts: dict[str, int], where: str, *, dry: bool) -> str:
    extra = [
        f"{counts[name]} {word}"
        for name, word in (
            ("duplicate", "already known"),
            ("replayed", "replayed"),
            ("reinforced", "reinforced"),
            ("failed", "failed"),
        )
        if counts.get(name)
    ]
    note = f" ({', '.join(extra)})" if extra else ""
    verb = "Would remember" if dry else "Remembered"
    return f"{verb} {how_many(counts['created'])} in {where}{note}."


ACTION = Action(
    name="remember",
    summary="Write down a fact, decision, quirk or rule, or up to 1,000 at once.",
    when="Use it as soon as something worth knowing next time turns up, and before a session ends; not for secrets.",
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

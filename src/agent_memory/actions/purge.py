"""purge: remove a memory and its whole history for good."""

from collections.abc import Iterable

from ..errors import InvalidRequestError, NotFoundError
from ..models.identity import keyed_id
from ..models.memory import Memory
from ..models.revision import Origin, Revision
from ..models.vocabulary import Scope, State
from ..store.codec import Stored
from ..store.resolve import Head
from .base import Action, Context, Result, WriteRequest
from .common.queue import reviews_of
from .common.reach import proposed, reach_of
from .common.wording import how_many
from .fields.read import MemoryId
from .fields.write import Confirm, DryRun, ProjectId, SessionId


class PurgeRequest(WriteRequest):
    """Which memory, said twice."""

    memory_id: MemoryId
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    confirm: Confirm | None = None
    dry_run: DryRun = False


class PurgeResult(Result):
    """What is gone: how many revisions of it, and of reviews settled into it, were stored."""

    memoryId: str
    revisions: int
    dryRun: bool


async def purge(request: PurgeRequest, context: Context) -> PurgeResult:
    """Write down that the memory is purged, then remove its content from every stored value.

    With it go the reviews that were settled into it. A review can be purged like a memory.
    """
    where, memory_id = context.store.store_id, request.memory_id
    wanted = f"DELETE {memory_id}"
    if request.confirm != wanted:
        message = (
            f'confirm must be "{wanted}": a purge cannot be undone. Nothing changed. To hide a memory, use forget.'
        )
        raise InvalidRequestError(message, field="confirm")
    snapshot = await context.store.load(access=False)
    reach = reach_of(context, request.project_id, request.session_id)
    head = proposed(snapshot, memory_id, reach)
    if head is None:
        message = f"No memory {memory_id} in {where}. Nothing changed."
        raise NotFoundError(message, memoryId=memory_id)
    into = (r for r in reviews_of(snapshot) if r.settlement and r.settlement.memory_id == memory_id)
    heads = [head, *(review.head for review in into)]
    revisions = sum(len(snapshot.revisions[head.memory.id]) for head in heads)
    if not request.dry_run:
        histories = ((head, snapshot.revisions[head.memory.id]) for head in heads)
        tombstones = [tombstone(head, history, reach.scope_of(head.memory), context) for head, history in histories]
        snapshot = await context.store.commit(snapshot, tombstones)
        await context.store.scrub(snapshot)
    verb = "Would purge" if request.dry_run else "Purged"
    history = how_many(revisions, "revision", "revisions")
    return PurgeResult(
        memoryId=memory_id,
        revisions=revisions,
        dryRun=request.dry_run,
        message=f"{verb} memory {memory_id} and its {history} from {where}; it cannot be restored.",
        warnings=[*snapshot.warnings(), "Answers of earlier runs (OUTPUT, datasets) may still hold its text."],
    )


def tombstone(head: Head, history: Iterable[Stored], scope: Scope | None, context: Context) -> Revision:
    """A revision without content that absorbs all others of its memory, `history`.

    Its scope still hides that it ever was. Of the idempotency keys that stood for it, the ids that they would give are
    kept, so that none is used again.
    """
    now = context.now()
    keys = {keyed_id(context.store.store_id, key): "" for stored in history for key in stored.revision.origin.keys}
    return Revision(
        number=head.number + 1,
        parents=(head.hash, *head.conflicts),
        at=now,
        by=context.writer,
        state=State.PURGED,
        memory=Memory(id=head.memory.id, content="", title="", created_at=now, updated_at=now, scope=scope),
        origin=Origin(at=head.origin.at, index=head.origin.index, keys=keys),
        channel=context.channel,
        tool_call_id=context.tool_call_id,
    )


ACTION = Action(
    name="purge",
    summary="Remove a memory and its whole history for good.",
    when="Use it only when the user wants the content gone for ever; to hide it, use forget.",
    request=PurgeRequest,
    result=PurgeResult,
    handle=purge,
    read_only=False,
    destructive=True,
    idempotent=True,
    example={
        "action": "purge",
        "memoryStoreId": "acme~site-memory-agent",
        "memoryId": "<memoryId>",
        "confirm": "DELETE <memoryId>",
    },
)

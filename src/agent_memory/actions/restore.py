"""restore: bring back what was forgotten or archived, or an earlier revision."""

from dataclasses import replace

from ..errors import NotFoundError
from ..lifecycle.scope import Reach
from ..models.memory import Memory, MemoryRecord, to_record
from ..models.vocabulary import State
from ..safety.provenance import regained
from ..store.resolve import Head, label
from ..store.snapshot import Snapshot
from .base import Action, Context, Result, WriteRequest
from .common.reach import known, reach_of, told
from .common.writing import next_revision
from .fields.read import MemoryId, Revision
from .fields.write import DryRun, ProjectId, SessionId


class RestoreRequest(WriteRequest):
    """Which memory, and perhaps which of its revisions."""

    memory_id: MemoryId
    revision: Revision | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    dry_run: DryRun = False


class RestoreResult(Result):
    """The memory as it is again; its earlier revisions stay in its history."""

    memory: MemoryRecord
    revision: str
    restoredFrom: str
    dryRun: bool


async def restore(request: RestoreRequest, context: Context) -> RestoreResult:
    """Make a memory active again; with `revision` also with the content it had then."""
    where, memory_id = context.store.store_id, request.memory_id
    snapshot = await context.store.load()
    reach = reach_of(context, request.project_id, request.session_id)
    head = known(snapshot, memory_id, reach)
    if head is None:
        message = f"No memory {memory_id} in {where}. Nothing changed. A purged memory cannot be restored."
        raise NotFoundError(message, memoryId=memory_id)
    memory = _wanted(request.revision, head, snapshot, context, reach)
    source = request.revision or head.revision
    changes = head.state is not State.ACTIVE or memory != head.memory
    if changes and request.dry_run:
        message = f"Would restore memory {memory_id} in {where} from revision {source}."
    elif changes:
        revision = next_revision(head, memory, State.ACTIVE, context)
        snapshot = await context.store.recheck(await context.store.commit(snapshot, [revision]), memory_id)
        head = snapshot.heads[memory_id]
        if head.state.hidden:
            message = f"Memory {memory_id} in {where} was {head.state} by another writer just now, so it stays so."
            raise NotFoundError(message, memoryId=memory_id)
        await context.store.touch(snapshot, [memory_id])
        message = f"Restored memory {memory_id} in {where} from revision {source}."
    else:
        message = f"Memory {memory_id} in {where} is active and as it was in revision {source}; nothing changed."
    return RestoreResult(
        memory=to_record(told(memory if request.dry_run else head.memory, snapshot, reach)),
        revision=head.revision,
        restoredFrom=source,
        dryRun=request.dry_run,
        message=message,
        warnings=snapshot.warnings(),
    )


def _wanted(revision: str | None, head: Head, snapshot: Snapshot, context: Context, reach: Reach) -> Memory:
    """The memory as it was in `revision`, changed now where it differs from what it is."""
    if revision is None:
        return head.memory
    known = {
        label(s.revision.number, s.key.hash): s.revision.memory
        for s in snapshot.revisions[head.memory.id]
        if reach.admits(s.revision.memory)
    }
    if revision not in known:
        message = f"Memory {head.memory.id} has no revision {revision}. It has: {', '.join(sorted(known))}."
        raise NotFoundError(message, memoryId=head.memory.id)
    then = regained(known[revision], known.values(), context.channel)
    return head.memory if then == head.memory else replace(then, updated_at=max(context.now(), then.created_at))


ACTION = Action(
    name="restore",
    summary="Bring back a forgotten or archived memory, or an earlier revision of it.",
    when="Use it to undo a forget, an update or an archiving.",
    request=RestoreRequest,
    result=RestoreResult,
    handle=restore,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={"action": "restore", "memoryStoreId": "acme~site-memory-agent", "memoryId": "<memoryId>"},
)

"""forget: hide memories from every read; they can be restored until they are purged."""

from ..errors import NotFoundError
from ..lifecycle.scope import Reach
from ..models.vocabulary import State
from ..store.snapshot import Snapshot
from .base import Action, Context, Result, WriteRequest
from .common.ids import wanted_ids
from .common.reach import SEARCH_FIRST, find, reach_of
from .common.wording import how_many
from .common.writing import check_revision, next_revision
from .fields.read import DocumentId, MemoryId, MemoryIds
from .fields.write import DryRun, IfRevision, ProjectId, SessionId


class ForgetRequest(WriteRequest):
    """Which memories: by id, or all chunks of a document."""

    memory_id: MemoryId | None = None
    memory_ids: MemoryIds | None = None
    document_id: DocumentId | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    if_revision: IfRevision | None = None
    dry_run: DryRun = False


class ForgetResult(Result):
    """What is hidden now, and what was not there."""

    memoryIds: list[str]
    notFound: list[str]
    dryRun: bool


async def forget(request: ForgetRequest, context: Context) -> ForgetResult:
    """Forget what is there; not_found when nothing is."""
    where = context.store.store_id
    snapshot = await context.store.load(access=False)
    asked = wanted_ids(request.memory_id, request.memory_ids, request.document_id)
    reach = reach_of(context, request.project_id, request.session_id)
    chunks = _chunks_of(request.document_id, snapshot, reach) if request.document_id else []
    ids = [*dict.fromkeys([*(i for i in asked if not chunks or i != request.document_id), *chunks])]
    heads = [head for i in ids if (head := find(snapshot, i, reach))]
    missing = [i for i in ids if find(snapshot, i, reach) is None]
    if not heads:
        what = (
            f"memory or document {request.document_id}" if request.document_id else f"memory {', '.join(missing[:3])}"
        )
        message = f"No {what} in {where}. Nothing changed. {SEARCH_FIRST}"
        raise NotFoundError(message, memoryIds=missing)
    for head in heads:
        check_revision(head, request.if_revision)
    revisions = [next_revision(head, head.memory, State.FORGOTTEN, context) for head in heads]
    if not request.dry_run:
        snapshot = await context.store.commit(snapshot, revisions)
    forgotten = [head.memory.id for head in heads]
    what = f"memory {forgotten[0]}" if len(forgotten) == 1 else how_many(len(forgotten))
    verb = "Would forget" if request.dry_run else "Forgot"
    note = f" {len(missing)} not found." if missing else ""
    return ForgetResult(
        memoryIds=forgotten,
        notFound=missing,
        dryRun=request.dry_run,
        message=f"{verb} {what} in {where}: hidden from every read, the content is kept.{note}",
        warnings=snapshot.warnings(),
    )


def _chunks_of(document_id: str, snapshot: Snapshot, reach: Reach) -> list[str]:
    return [
        head.memory.id
        for head in snapshot.heads.values()
        if find(snapshot, head.memory.id, reach) and head.memory.part and head.memory.part.document_id == document_id
    ]


ACTION = Action(
    name="forget",
    summary="Hide memories, or all chunks of a document, from every read.",
    when="Use it when the user asks, or a memory misleads; restorable.",
    request=ForgetRequest,
    result=ForgetResult,
    handle=forget,
    read_only=False,
    destructive=True,
    idempotent=True,
    aliases=("delete",),
    example={"action": "forget", "memoryStoreId": "acme~site-memory-agent", "memoryId": "<memoryId>"},
)

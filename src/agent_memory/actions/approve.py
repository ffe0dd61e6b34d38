"""approve: a person makes a rule standing, as it is now."""

from dataclasses import replace
from typing import Final

from ..errors import ConflictError, ForbiddenError, NotFoundError
from ..lifecycle.briefing import is_approved
from ..models.identity import approval_digest
from ..models.memory import Approval, Memory, MemoryRecord, to_record
from ..models.vocabulary import State, Trust
from ..store.resolve import Head, label
from ..store.snapshot import Snapshot
from .base import Action, Context, Result, WriteRequest
from .common.reach import SEARCH_FIRST, find, reach_of, told
from .common.writing import check_revision, next_revision
from .fields.read import MemoryId
from .fields.write import DryRun, IfRevision, ProjectId, SessionId

_UNSEEN: Final = (
    "ifRevision was not given, so this is approved as it is now: read it in this answer. With the revision that was "
    "read (get, list and brief show it) nothing else can stand in its place."
)


class ApproveRequest(WriteRequest):
    """Which memory; with the revision that the person has read nothing else is approved in its place."""

    memory_id: MemoryId
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    if_revision: IfRevision | None = None
    dry_run: DryRun = False


class ApproveResult(Result):
    """The memory, and whether it was not approved before."""

    memory: MemoryRecord
    changed: bool
    revision: str
    dryRun: bool


async def approve(request: ApproveRequest, context: Context) -> ApproveResult:
    """Note that a person stands behind the memory as it is now; a later change of its text needs a new approval."""
    where, memory_id = context.store.store_id, request.memory_id
    if not context.may_approve:
        raise ForbiddenError(
            "Only a person approves rules: in Apify Console, at a terminal, or with a token that may approve. "
            "Nothing changed. Ask the person you work for to approve it."
        )
    snapshot = await context.store.load(access=False)
    reach = reach_of(context, request.project_id, request.session_id)
    head = find(snapshot, memory_id, reach)
    if head is None:
        message = f"No memory {memory_id} in {where}. Nothing changed. {SEARCH_FIRST}"
        raise NotFoundError(message, memoryId=memory_id)
    memory = head.memory
    changed = not is_approved(memory)
    if changed or not _said_the_same(head, request.if_revision, snapshot):
        check_revision(head, request.if_revision)
    _check(memory, context)
    if changed:
        approval = Approval(at=context.now(), by=context.writer, digest=approval_digest(memory))
        memory = replace(memory, approval=approval)
    if changed and not request.dry_run:
        revision = next_revision(head, memory, head.state, context)
        snapshot = await context.store.recheck(await context.store.commit(snapshot, [revision]), memory_id)
        head = snapshot.heads[memory_id]
        if not is_approved(head.memory) or head.state.hidden:
            message = f"Memory {memory_id} in {where} was changed by another writer just now. Look again, then decide."
            raise ConflictError(message, memoryId=memory_id, revision=head.revision)
        memory = head.memory
    verb = "Would approve" if request.dry_run else "Approved"
    return ApproveResult(
        memory=to_record(told(memory, snapshot, reach), archived=head.state is State.ARCHIVED),
        changed=changed,
        revision=head.revision,
        dryRun=request.dry_run,
        message=f"{verb} memory {memory_id} in {where}." if changed else f"Memory {memory_id} was approved before.",
        warnings=[*snapshot.warnings(), *([] if request.if_revision else [_UNSEEN])],
    )


def _said_the_same(head: Head, revision: str | None, snapshot: Snapshot) -> bool:
    """Whether the memory said in `revision` what is approved of it now, so that a retry finds it done."""
    group = snapshot.revisions[head.memory.id]
    read = (s.revision.memory for s in group if label(s.revision.number, s.key.hash) == revision)
    return any(approval_digest(memory) == approval_digest(head.memory) for memory in read)


def _check(memory: Memory, context: Context) -> None:
    """Refuse what can be no rule.

    Raises:
        ConflictError: it is of another type, or came from a page or an import.
    """
    if memory.memory_type not in context.policy.rule_types:
        types = ", ".join(sorted(context.policy.rule_types))
        message = (
            f"Memory {memory.id} is a {memory.memory_type}; only {types} can stand as rules. Nothing changed. "
            "Update its memoryType first."
        )
        raise ConflictError(message, memoryId=memory.id)
    if memory.trust is Trust.LOW:
        message = (
            f"Memory {memory.id} came from a page or an import, which never becomes a rule. Nothing changed. "
            "Remember the rule in your own words, then approve that."
        )
        raise ConflictError(message, memoryId=memory.id)


ACTION = Action(
    name="approve",
    summary="Make a rule or preference standing; only a person can.",
    tool=False,
    request=ApproveRequest,
    result=ApproveResult,
    handle=approve,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={"action": "approve", "memoryStoreId": "acme~site-memory-agent", "memoryId": "<memoryId>"},
)

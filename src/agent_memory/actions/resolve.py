"""resolve: a person decides what becomes of a proposal."""

from dataclasses import replace
from typing import NotRequired

from ..errors import ConflictError, ForbiddenError, InvalidRequestError, NotFoundError
from ..lifecycle.briefing import is_approved, stands
from ..lifecycle.proposals import added, merged, updated
from ..models.identity import approval_digest
from ..models.memory import Approval, Memory, MemoryRecord, to_record
from ..models.review import Settlement
from ..models.revision import Revision
from ..models.vocabulary import Resolution, State, Trust
from ..safety.provenance import lowered
from ..store.codec import encode
from ..store.resolve import Head, counts
from ..store.snapshot import Snapshot
from .base import Action, Context, Result, WriteRequest
from .common.newer import Succession
from .common.queue import Review, find_review
from .common.reach import SEARCH_FIRST, Reach, find, reach_of, told
from .common.settling import claim, decision_of, require_pending, settling
from .common.writing import next_revision
from .fields.read import MemoryId
from .fields.write import DryRun, ProjectId, PromoteToGlobal, Reason, ReviewId, SessionId
from .fields.write import Resolve as ResolutionField
from .objects import CONTENT_LENGTH


class ResolveRequest(WriteRequest):
    """Which review, and what is decided."""

    review_id: ReviewId
    resolution: ResolutionField
    memory_id: MemoryId | None = None
    promote_to_global: PromoteToGlobal = False
    reason: Reason | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    dry_run: DryRun = False


class ResolveResult(Result):
    """What was decided; `memory` is the one that was added, merged into or updated.

    `changed` is false where the review was settled like this before.
    """

    reviewId: str
    resolution: str
    memoryId: str | None
    memory: NotRequired[MemoryRecord]
    changed: bool
    dryRun: bool


async def resolve(request: ResolveRequest, context: Context) -> ResolveResult:
    """Settle the review and change what that changes, in one write."""
    where, review_id = context.store.store_id, request.review_id
    if not context.may_approve:
        raise ForbiddenError(
            "Only a person settles reviews: in Apify Console, at a terminal, or with a token that may approve. "
            "Nothing changed. Ask the person you work for to decide."
        )
    _check(request)
    reach = reach_of(context, request.project_id, request.session_id)
    snapshot = await context.store.load(access=False)
    before = find_review(snapshot, review_id, reach)
    if before and before.settlement and _is_same(before.settlement, request):
        there = find(snapshot, request.memory_id or review_id, reach)
        return _answer(request, context, snapshot, there, changed=False)
    review = require_pending(review_id, snapshot, reach, context)
    target = _target(request, snapshot, reach, context)
    outcome = _outcome(request, review, target, context)
    if request.dry_run:
        return _answer(request, context, snapshot, outcome, changed=True)
    what = (request.resolution.value, request.memory_id, request.promote_to_global)
    decision = decision_of(context.writer, *what)
    snapshot = await claim(review, decision, snapshot, reach, context)
    review = require_pending(review_id, snapshot, reach, context)
    target = _target(request, snapshot, reach, context)
    outcome = _outcome(request, review, target, context)
    settlement = Settlement(
        resolution=request.resolution, decision=decision, memory_id=request.memory_id, reason=request.reason
    )
    revisions = _revisions(review, target, outcome, settlement, snapshot, context)
    snapshot = await context.store.commit(snapshot, revisions)
    for revision in revisions:
        snapshot = await context.store.recheck(snapshot, revision.memory.id)
    after = find_review(snapshot, review_id, reach)
    if after and after.settlement and after.settlement.decision != decision:
        message = f"Review {review_id} in {where} was settled otherwise by somebody else just now. Look at reviews."
        raise ConflictError(message, reviewId=review_id)
    return _answer(request, context, snapshot, _landed(revisions[0], snapshot, context), changed=True)


def _check(request: ResolveRequest) -> None:
    resolution = request.resolution
    if resolution.changes_another is (request.memory_id is None):
        needs = "needs memoryId, the memory that it is about" if resolution.changes_another else "takes no memoryId"
        raise InvalidRequestError(f"resolution {resolution} {needs}. Nothing changed.", field="memoryId")
    if request.promote_to_global and resolution is not Resolution.ADD:
        message = f"promoteToGlobal goes only with resolution add, not {resolution}. Nothing changed."
        raise InvalidRequestError(message, field="promoteToGlobal")


def _is_same(settlement: Settlement, request: ResolveRequest) -> bool:
    return (settlement.resolution, settlement.memory_id) == (request.resolution, request.memory_id)


def _target(request: ResolveRequest, snapshot: Snapshot, reach: Reach, context: Context) -> Head | None:
    if request.memory_id is None:
        return None
    head = find(snapshot, request.memory_id, reach)
    if head is None:
        message = f"No memory {request.memory_id} in {context.store.store_id}. Nothing changed. {SEARCH_FIRST}"
        raise NotFoundError(message, memoryId=request.memory_id)
    return head


def _outcome(request: ResolveRequest, review: Review, target: Head | None, context: Context) -> Memory | None:
    """The memory as the decision leaves it; None where it leaves none. What a person decides on is approved by it."""
    candidate = review.candidate
    match request.resolution:
        case Resolution.ADD:
            memory = added(candidate, everywhere=request.promote_to_global)
            confirmed = True
        case Resolution.MERGE | Resolution.UPDATE if target:
            combine = merged if request.resolution is Resolution.MERGE else updated
            memory = lowered(combine(target.memory, candidate), [candidate.trust])
            memory = replace(memory, updated_at=max(context.now(), memory.created_at))
            confirmed = request.resolution is Resolution.UPDATE or stands(target.memory, context.policy.rule_types)
        case _:
            return None
    if len(memory.content) > CONTENT_LENGTH:
        message = f"The merged text would have {len(memory.content)} characters, up to {CONTENT_LENGTH} are allowed."
        raise InvalidRequestError(f"{message} Nothing changed. Add the candidate instead.", field="resolution")
    rule = memory.memory_type in context.policy.rule_types and memory.trust is not Trust.LOW
    if not (rule and confirmed):
        return memory if is_approved(memory) else replace(memory, approval=None)
    return replace(memory, approval=Approval(at=context.now(), by=context.writer, digest=approval_digest(memory)))


def _revisions(  # noqa: PLR0913  # what is decided, about what, and what was there
    review: Review,
    target: Head | None,
    outcome: Memory | None,
    settlement: Settlement,
    snapshot: Snapshot,
    context: Context,
) -> list[Revision]:
    """What has to be stored, in one write: of the memory that changes, if another one does, and of the review."""
    head = review.head
    if target is None:
        state, memory = (State.SETTLED, head.memory) if outcome is None else (State.ACTIVE, outcome)
        return [replace(settling(review, next_revision(head, memory, state, context), snapshot), settlement=settlement)]
    settled = settling(review, next_revision(head, head.memory, State.SETTLED, context), snapshot)
    state = State.FORGOTTEN if outcome is None else target.state
    change = next_revision(target, outcome or target.memory, state, context)
    return [change, replace(settled, settlement=settlement)]


def _landed(change: Revision, snapshot: Snapshot, context: Context) -> Head:
    """The head of the memory that `change` is of.

    Raises:
        NotFoundError: a forget or a purge of another writer has absorbed the change.
    """
    memory_id = change.memory.id
    head = snapshot.heads[memory_id]
    if not counts(encode(change).key.hash, head, snapshot.revisions[memory_id]):
        message = (
            f"Memory {memory_id} in {context.store.store_id} was forgotten or purged by another writer just now, so it "
            "stays so. The review is settled."
        )
        raise NotFoundError(message, memoryId=memory_id)
    return head


def _answer(
    request: ResolveRequest, context: Context, snapshot: Snapshot, outcome: Head | Memory | None, *, changed: bool
) -> ResolveResult:
    resolution, where = request.resolution, context.store.store_id
    adds, verb = resolution is Resolution.ADD, "Would settle" if request.dry_run else "Settled"
    result = ResolveResult(
        reviewId=request.review_id,
        resolution=resolution.value,
        memoryId=request.review_id if adds else request.memory_id,
        changed=changed,
        dryRun=request.dry_run,
        message=f"{verb} review {request.review_id} in {where}: {resolution}."
        if changed
        else f"Review {request.review_id} in {where} was settled like this before.",
        warnings=[*snapshot.warnings()],
    )
    memory = outcome.memory if isinstance(outcome, Head) and not outcome.state.hidden else outcome
    if isinstance(memory, Memory) and resolution not in (Resolution.DELETE, Resolution.IGNORE):
        archived = isinstance(outcome, Head) and outcome.state is State.ARCHIVED
        reach = reach_of(context, request.project_id, request.session_id)
        result["memory"] = to_record(told(memory, snapshot, reach), archived=archived)
        if newest := Succession(snapshot).newest(memory.id, reach):
            result["warnings"].append(
                f"Memory {memory.id} was superseded by memory {newest.id}, so it stays behind that one. If it holds "
                f"again, update it: memoryDetails.supersedes {newest.id}."
            )
    return result


ACTION = Action(
    name="resolve",
    summary="Settle a review: add, merge, update, delete or ignore; only a person can.",
    tool=False,
    request=ResolveRequest,
    result=ResolveResult,
    handle=resolve,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={
        "action": "resolve",
        "memoryStoreId": "acme~site-memory-agent",
        "reviewId": "<reviewId>",
        "resolution": "add",
    },
)

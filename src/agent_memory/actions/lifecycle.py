"""lifecycle: how the standing rules fare: which are said again and again, and which nobody uses."""

from collections.abc import Sequence

from typing_extensions import TypedDict

from ..lifecycle.briefing import stands
from ..models.instant import days_between
from ..store.resolve import Head
from .base import Action, Context, Request, Result
from .common.newer import newer_of
from .common.reach import reach_of
from .fields.read import DEFAULT_RESULTS
from .fields.upkeep import DEFAULT_IDLE_DAYS, IdleDays, Limit
from .fields.write import ProjectId, SessionId


class LifecycleRequest(Request):
    """Whose rules, how long unused is idle, and how many of each to name."""

    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    idle_days: IdleDays = DEFAULT_IDLE_DAYS
    limit: Limit = DEFAULT_RESULTS


class Standing(TypedDict):
    """The rules that stand: how many, how many of them were reinforced, how often in all.

    `repeatRate` is the share that was, 0-1: how much of what was settled had to be said again.
    """

    active: int
    reinforced: int
    total: int
    repeatRate: float


class Recurrence(TypedDict):
    """A rule that had to be said again: how often, and when last."""

    memoryId: str
    title: str
    count: int
    lastAt: str


class Idle(TypedDict):
    """A rule that was neither reinforced nor retrieved for whole `days`."""

    memoryId: str
    title: str
    lastUsedAt: str
    days: int


class LifecycleResult(Result):
    """Rules said again most often first, rules unused for longest first; nothing is changed."""

    standing: Standing
    recurrence: list[Recurrence]
    idle: list[Idle]


async def lifecycle(request: LifecycleRequest, context: Context) -> LifecycleResult:
    """Look at the rules that stand for this caller."""
    snapshot, now = await context.store.load(), context.now()
    reach = reach_of(context, request.project_id, request.session_id)
    known = [head for head in snapshot.active() if reach.admits(head.memory)]
    newer = newer_of(snapshot, reach.admits)
    rules = [h for h in known if h.memory.id not in newer and stands(h.memory, context.policy.rule_types)]
    again = sorted((h for h in rules if h.reinforcements), key=lambda h: (-len(h.reinforcements), h.memory.id))
    used = sorted((snapshot.accessed(head.memory, now), head.memory.id) for head in rules)
    titles = {head.memory.id: head.memory.title for head in rules}
    idle = [
        Idle(memoryId=memory_id, title=titles[memory_id], lastUsedAt=at, days=int(days_between(at, now)))
        for at, memory_id in used
        if days_between(at, now) >= request.idle_days
    ]
    return LifecycleResult(
        standing=_standing(rules, again),
        recurrence=[
            Recurrence(
                memoryId=head.memory.id,
                title=head.memory.title,
                count=len(head.reinforcements),
                lastAt=head.reinforcements[-1],
            )
            for head in again[: request.limit]
        ],
        idle=idle[: request.limit],
        message=(
            f"{len(rules)} rules stand in {context.store.store_id}: {len(again)} were said again, {len(idle)} were not "
            f"used for {request.idle_days} days."
        ),
        warnings=snapshot.warnings(),
    )


def _standing(rules: Sequence[Head], again: Sequence[Head]) -> Standing:
    return Standing(
        active=len(rules),
        reinforced=len(again),
        total=sum(len(head.reinforcements) for head in again),
        repeatRate=round(len(again) / len(rules), 4) if rules else 0.0,
    )


ACTION = Action(
    name="lifecycle",
    summary="See how the standing rules fare: said again and again, or never used.",
    when="Use it in a review of the rules: what keeps being corrected, what nobody needs.",
    request=LifecycleRequest,
    result=LifecycleResult,
    handle=lifecycle,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={"action": "lifecycle", "memoryStoreId": "acme~site-memory-agent", "idleDays": 30},
)

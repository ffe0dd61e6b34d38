"""stats: what a store holds, counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from ..lifecycle.briefing import brief
from ..lifecycle.visibility import Filter
from ..models.memory import Memory
from ..models.vocabulary import State
from ..text.render import visible
from .base import Action, Context, Request, Result
from .common.newer import newer_of
from .common.reach import reach_of
from .common.wording import how_many
from .fields.read import AsOf, Format
from .fields.write import ProjectId, SessionId

_TOP_TAGS = 20
_NO_PROJECT = "(none)"


class StatsRequest(Request):
    """Which store, and of it perhaps one project and what belongs to none."""

    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    as_of: AsOf | None = None
    format: Format | None = None


class SizeBytes(TypedDict):
    """Bytes of records: those shown, their earlier revisions, and all of forgotten memories."""

    live: int
    history: int
    forgotten: int


class StatsResult(Result):
    """Counts; the by… tables count active memories."""

    totalMemories: int
    archived: int
    forgotten: int
    pendingReviews: int
    byType: dict[str, int]
    byProject: dict[str, int]
    bySource: dict[str, int]
    byTag: dict[str, int]
    oldest: str | None
    lastUpdated: str | None
    line: NotRequired[str]
    sizeBytes: SizeBytes


async def stats(request: StatsRequest, context: Context) -> StatsResult:
    """Count memories by type, project, source and tag, and their bytes."""
    snapshot = await context.store.load(access=False)
    then = snapshot.as_of(request.as_of) if request.as_of else snapshot
    limits = Filter(
        reach=reach_of(context, request.project_id, request.session_id),
        projects=frozenset([request.project_id]) if request.project_id else None,
    )
    still = {i for i in then.heads if then is snapshot or snapshot.find(i)}
    heads = [
        head
        for i, head in then.heads.items()
        if i in still and limits.admits(head.memory) and limits.reach.admits(snapshot.heads[i].memory)
    ]
    active = [head.memory for head in heads if head.state is State.ACTIVE]
    states = Counter(head.state for head in heads)
    forgotten = [head for head in heads if head.state is State.FORGOTTEN]
    kept = [head for head in heads if not head.state.hidden]
    total = states[State.ACTIVE]
    pending = sum(h.state is State.PROPOSED and limits.admits(h.memory) for h in then.heads.values())
    newer = newer_of(then, limits.admits)
    line = _line(request, context, total, [memory for memory in active if memory.id not in newer], pending)
    return StatsResult(
        **({"line": line} if request.format == "line" else {}),
        totalMemories=total,
        archived=states[State.ARCHIVED],
        forgotten=states[State.FORGOTTEN],
        pendingReviews=pending,
        byType=_count(memory.memory_type.value for memory in active),
        byProject=_count(memory.project_id or _NO_PROJECT for memory in active),
        bySource=_count(memory.source.value for memory in active),
        byTag=_count((tag for memory in active for tag in memory.tags), _TOP_TAGS),
        oldest=min((memory.created_at for memory in active), default=None),
        lastUpdated=max((memory.updated_at for memory in active), default=None),
        sizeBytes=SizeBytes(
            live=sum(head.size for head in kept),
            history=sum(head.history_size for head in kept),
            forgotten=sum(head.size + head.history_size for head in forgotten),
        ),
        message=(
            f"{context.store.store_id} holds {how_many(total)}, {states[State.ARCHIVED]} archived, "
            f"{states[State.FORGOTTEN]} forgotten."
        ),
        warnings=snapshot.warnings(),
    )


def _line(request: StatsRequest, context: Context, total: int, current: Sequence[Memory], pending: int) -> str:
    """The counts for a status bar; fields that would say nothing are left out."""
    found, limits = brief(current, context.policy.rule_types), context.policy.brief_limits
    fields = {
        "store": visible(context.store.store_id),
        "project": visible(request.project_id or ""),
        "memories": str(total or ""),
        "pendingReviews": str(pending or ""),
        "rules": _shown(len(found.rules), limits.rules),
        "digest": _shown(len(found.digest), limits.digest),
    }
    return " | ".join(f"{name}={value}" for name, value in fields.items() if value)


def _shown(total: int, most: int) -> str:
    return f"{min(total, most)}/{total}" if total and most else ""


def _count(words: Iterable[str], most: int | None = None) -> dict[str, int]:
    """How often each word occurs, the most frequent first, ties by name."""
    ranked = sorted(Counter(words).items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[:most])


ACTION = Action(
    name="stats",
    summary="Count what a store holds, by type, project, source and tag, with sizes.",
    when="Use it to see how large a store is and what it is about.",
    request=StatsRequest,
    result=StatsResult,
    handle=stats,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={"action": "stats", "memoryStoreId": "acme~site-memory-agent"},
)

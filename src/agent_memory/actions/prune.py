"""prune: archive what has faded; nothing is ever deleted."""

from typing_extensions import TypedDict

from ..lifecycle.decay import Candidate, plan_prune, retained
from ..models.vocabulary import State
from .base import Action, Context, Result, WriteRequest
from .common.reach import may_name, reach_of
from .common.reading import decay_of
from .common.writing import next_revision
from .fields.upkeep import DecayOptions
from .fields.write import DryRun, ProjectId, SessionId
from .objects import DecayConfig

_LISTED = 1_000


class PruneRequest(WriteRequest):
    """Which store, perhaps only one project of it, and how memories fade."""

    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    decay_config: DecayOptions = DecayConfig()
    dry_run: DryRun = False


class ArchivedMemory(TypedDict):
    """A memory that prune archives, with what it has retained of its confidence."""

    id: str
    title: str
    retained: float


class PruneResult(Result):
    """What was archived, or would be; `archived` lists the first 1,000 that are in reach, or all to a person."""

    pruned: int
    remaining: int
    archived: list[ArchivedMemory]
    decayEnabled: bool
    dryRun: bool


async def prune(request: PruneRequest, context: Context) -> PruneResult:
    """Plan, then archive in one write; with projectId only memories of that project."""
    where = context.store.store_id
    reach = reach_of(context, request.project_id, request.session_id)
    decay = decay_of(request.decay_config, context)
    snapshot = await context.store.load()
    now = context.now()
    heads = [h for h in snapshot.active() if request.project_id in (None, h.memory.project_id)]
    candidates = [Candidate(h.memory, retained(h.memory, snapshot.accessed(h.memory, now), now, decay)) for h in heads]
    cap = request.decay_config.max_memories_per_user if request.decay_config.enabled else None
    plan = plan_prune(candidates, decay, cap)
    warnings: list[str] = []
    if not decay.enabled:
        warnings.append(
            'Decay is off here, so nothing fades. Give decayConfig {"enabled": true} or set DECAY_ENABLED=true.'
        )
    if request.decay_config.max_memories_per_user and cap is None:
        warnings.append("maxMemoriesPerUser is a cap only together with decayConfig.enabled: true; it was not applied.")
    if not request.dry_run:
        by_id = {head.memory.id: head for head in heads}
        revisions = [next_revision(by_id[c.memory.id], c.memory, State.ARCHIVED, context) for c in plan]
        snapshot = await context.store.commit(snapshot, revisions)
        await context.store.tidy(snapshot)
    named = [c for c in plan if may_name(c.memory.id, snapshot, reach, context)]
    verb = "Would archive" if request.dry_run else "Archived"
    return PruneResult(
        pruned=len(plan),
        remaining=len(heads) - len(plan),
        archived=[
            ArchivedMemory(id=c.memory.id, title=c.memory.title, retained=round(c.kept, 6)) for c in named[:_LISTED]
        ],
        decayEnabled=decay.enabled,
        dryRun=request.dry_run,
        message=f"{verb} {len(plan)} of {len(heads)} memories in {where}.",
        warnings=[*snapshot.warnings(), *warnings],
    )


ACTION = Action(
    name="prune",
    summary="Archive memories that have faded; they stay and can be found with includeArchived.",
    when="Use it with dryRun first, when a store has grown stale.",
    request=PruneRequest,
    result=PruneResult,
    handle=prune,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={
        "action": "prune",
        "memoryStoreId": "acme~site-memory-agent",
        "dryRun": True,
        "decayConfig": {"enabled": True},
    },
)

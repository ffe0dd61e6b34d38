"""revert: take back changes, by who made them, where they came from, or when; a plan first."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from typing_extensions import TypedDict

from ..errors import InvalidRequestError, NotFoundError
from ..lifecycle.undo import undo
from ..models.memory import Memory
from ..models.revision import Revision
from ..models.vocabulary import State
from ..safety.provenance import regained
from ..store.codec import Stored, encode
from ..store.resolve import Head, counts, label
from ..store.snapshot import Snapshot
from .base import Action, Context, Result, WriteRequest
from .common.changes import all_changes, changed_fields
from .common.newer import newer_of
from .common.reach import reach_of
from .common.succession import tell_of_rewording
from .common.wording import how_many
from .common.writing import next_revision
from .fields.read import MemoryId
from .fields.upkeep import Apply, Changes
from .fields.write import ProjectId, SessionId
from .objects import ChangeFilter

_LISTED = 1_000
_LOST = "was forgotten or purged by another writer just now, so it stays so"


class RevertRequest(WriteRequest):
    """Which changes, and whether to carry it out."""

    memory_id: MemoryId | None = None
    changes: Changes = ChangeFilter()
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    apply: Apply = False


class Step(TypedDict):
    """What becomes of one memory: `change` is forgotten or reverted, `fields` are the names of what is put back.

    `toRevision` names the revision that it is like again; null where later changes of others were kept.
    """

    memoryId: str
    change: str
    fromRevision: str
    toRevision: str | None
    fields: list[str]
    laterChangesKept: bool


class Skipped(TypedDict):
    """A memory with such a change that stays as it is, and why."""

    memoryId: str
    reason: str


class RevertResult(Result):
    """The plan, the first 1,000 steps; `applied` says whether it was carried out."""

    plan: list[Step]
    skipped: list[Skipped]
    counts: dict[str, int]
    applied: bool


@dataclass(frozen=True, slots=True)
class _Turn:
    """A memory, what it becomes, and what that rests on."""

    head: Head
    memory: Memory
    state: State
    like: str | None
    built_upon: bool


async def revert(request: RevertRequest, context: Context) -> RevertResult:
    """Make memories what they would be without the named changes, by a new revision each; nothing is destroyed."""
    wanted = request.changes
    if request.memory_id is None and not wanted.model_dump(exclude_none=True):
        raise InvalidRequestError(
            "changes is empty: say whose or which changes to take back (writer, source, channel, toolCallId, since, "
            "until), or give memoryId. Nothing changed.",
            field="changes",
        )
    snapshot = await context.store.load(access=False)
    reach = reach_of(context, request.project_id, request.session_id)
    unwanted: dict[str, set[str]] = {}
    for change in all_changes(snapshot, reach, request.memory_id):
        if change.fits(wanted):
            unwanted.setdefault(change.revision.memory.id, set()).add(change.stored.key.hash)
    turns: list[_Turn] = []
    skipped: list[Skipped] = []
    for memory_id, hashes in unwanted.items():
        if snapshot.heads[memory_id].state is State.PURGED:
            continue
        if not all(reach.admits(stored.revision.memory) for stored in snapshot.revisions[memory_id]):
            reason = "was of another scope before; name its projectId and sessionId, or restore it there"
            skipped.append(Skipped(memoryId=memory_id, reason=reason))
            continue
        turn = _turn(snapshot.heads[memory_id], snapshot.revisions[memory_id], hashes, context)
        if isinstance(turn, _Turn):
            turns.append(turn)
        elif turn:
            skipped.append(Skipped(memoryId=memory_id, reason=turn))
    revisions = [next_revision(turn.head, turn.memory, turn.state, context) for turn in turns]
    warnings: list[str] = []
    tell_of_rewording(revisions, newer_of(snapshot, reach.admits), snapshot, reach, warnings)
    if request.apply and turns:
        snapshot, lost = await _apply(revisions, snapshot, context)
        turns = [turn for turn in turns if turn.head.memory.id not in lost]
        skipped += [Skipped(memoryId=memory_id, reason=_LOST) for memory_id in lost]
    plan = [_step(turn) for turn in turns]
    numbers = {name: sum(step["change"] == name for step in plan) for name in ("forgotten", "reverted")}
    numbers["skipped"] = len(skipped)
    where = context.store.store_id
    verb = "Took back" if request.apply else "Would take back"
    hint = "" if request.apply or not plan else " Nothing changed yet: send apply true to carry it out."
    return RevertResult(
        plan=plan[:_LISTED],
        skipped=skipped[:_LISTED],
        counts=numbers,
        applied=request.apply,
        message=f"{verb} changes of {how_many(len(plan))} in {where}, {numbers['skipped']} skipped.{hint}",
        warnings=[*snapshot.warnings(), *warnings],
    )


async def _apply(revisions: list[Revision], snapshot: Snapshot, context: Context) -> tuple[Snapshot, list[str]]:
    """Write all of them and look again: the ids of those that a forget or a purge of another writer has absorbed.

    Raises:
        NotFoundError: it has absorbed all of them.
    """
    snapshot = await context.store.commit(snapshot, revisions)
    lost: list[str] = []
    for revision in revisions:
        memory_id = revision.memory.id
        snapshot = await context.store.recheck(snapshot, memory_id)
        if not counts(encode(revision).key.hash, snapshot.heads[memory_id], snapshot.revisions[memory_id]):
            lost.append(memory_id)
    if len(lost) == len(revisions):
        message = f"Memory {lost[0]} in {context.store.store_id} {_LOST}. Nothing was taken back."
        raise NotFoundError(message, memoryIds=lost)
    await context.store.touch(snapshot, [revision.memory.id for revision in revisions])
    return snapshot, lost


def _turn(head: Head, group: tuple[Stored, ...], unwanted: set[str], context: Context) -> "_Turn | str | None":
    """What becomes of a memory; the reason why it stays; or None when nothing of it is left to take back."""
    by_hash = {stored.key.hash: stored for stored in group}
    chain = _chain(head, by_hash)
    marked = {id(stored.revision) for stored in chain if stored.key.hash in unwanted}
    undone = undo([stored.revision for stored in chain], lambda revision: id(revision) in marked)
    if undone is None:
        return None
    if undone.memory is None:
        if head.state.hidden:
            return None
        if undone.built_upon:
            return "was created by such a change and changed by others since; look at its history, then forget it"
        return _Turn(head, head.memory, State.FORGOTTEN, None, built_upon=False)
    memory = regained(undone.memory, (stored.revision.memory for stored in group), context.channel)
    if (memory, undone.state) == (head.memory, head.state):
        return None
    return _Turn(head, memory, undone.state, _like(memory, undone.state, chain), undone.built_upon)


def _chain(head: Head, by_hash: Mapping[str, Stored]) -> list[Stored]:
    """The revisions that lead to `head`, the first one first; where writers met, the way of the one that stood."""
    chain = [by_hash[head.hash]]
    while (parent := next((p for p in chain[-1].revision.parents if p in by_hash), None)) is not None:
        chain.append(by_hash[parent])
    return chain[::-1]


def _like(memory: Memory, state: State, chain: list[Stored]) -> str | None:
    def same(revision: Revision) -> bool:
        return revision.state is state and replace(revision.memory, trust=memory.trust, pinned=memory.pinned) == memory

    return next((label(s.revision.number, s.key.hash) for s in reversed(chain) if same(s.revision)), None)


def _step(turn: _Turn) -> Step:
    forgotten = turn.state is State.FORGOTTEN and turn.head.state is not State.FORGOTTEN
    return Step(
        memoryId=turn.head.memory.id,
        change="forgotten" if forgotten else "reverted",
        fromRevision=turn.head.revision,
        toRevision=turn.like,
        fields=changed_fields(turn.head.memory, turn.memory),
        laterChangesKept=turn.built_upon,
    )


ACTION = Action(
    name="revert",
    summary="Take back changes by writer, source, way in or time; shows a plan until apply is true.",
    when="Use it when a writer or a source proves wrong; it plans until told to apply.",
    request=RevertRequest,
    result=RevertResult,
    handle=revert,
    read_only=False,
    destructive=True,
    idempotent=True,
    example={
        "action": "revert",
        "memoryStoreId": "acme~site-memory-agent",
        "changes": {"source": "crawl", "since": "2026-03-01"},
    },
)

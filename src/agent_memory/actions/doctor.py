"""doctor: look for what is wrong with a store, and mend what can be mended."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from typing_extensions import TypedDict

from ..lifecycle import checkup
from ..lifecycle.checkup import Finding
from ..models.instant import to_text
from ..models.memory import Memory
from ..models.revision import to_body
from ..models.vocabulary import Scope, State
from ..store.keys import is_ours, parse_revision_key
from ..store.leftovers import Leftover, may_go
from ..store.manifest import MANIFEST_IDS
from ..store.resolve import Head
from ..store.snapshot import Snapshot
from .base import Action, Context, Result, WriteRequest
from .common.newer import newer_of
from .common.reach import Reach, may_name, reach_of
from .common.screening import secret_in
from .common.writing import next_revision
from .fields.upkeep import Repair
from .fields.write import ProjectId, SessionId

_LISTED = 1_000
_UNTOLD = "is about a memory of a project or session that was not named; name it, or let a person ask"


class DoctorRequest(WriteRequest):
    """Which store, whether to mend it, and which project and session may be named."""

    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    repair: Repair = False


class FindingLine(TypedDict):
    """One finding; `about` are ids or keys, `mendable` says that a repair takes care of it.

    Ids out of reach are named to a person only: else `about` leaves them out, and `detail` is not told.
    """

    kind: str
    about: list[str]
    detail: str
    mendable: bool


class DoctorResult(Result):
    """What was found, the first 1,000, and counts by kind; `repaired` counts what a repair has mended."""

    findings: list[FindingLine]
    counts: dict[str, int]
    repaired: int
    repair: bool


@dataclass(frozen=True, slots=True)
class _Examined:
    """A store as it was looked at, and what was found."""

    snapshot: Snapshot
    leftovers: list[Leftover]
    found: list[Finding]


async def doctor(request: DoctorRequest, context: Context) -> DoctorResult:
    """Report first; with `repair` forget exact duplicates, remove purged content, and tidy up. No last copy goes."""
    where = context.store.store_id
    first = await _examine(context)
    mendable = [finding for finding in first.found if finding.mendable]
    mended = await _repair(first, mendable, context) if request.repair else 0
    counts = Counter(finding.kind for finding in first.found)
    told = ", ".join(f"{number} {kind}" for kind, number in counts.items()) or "nothing to report"
    done = f" {mended} of {len(mendable)} mended." if mendable else ""
    if mendable and not request.repair:
        done = f" {len(mendable)} can be mended: repair true."
    reach = reach_of(context, request.project_id, request.session_id)
    return DoctorResult(
        findings=[_line(finding, first.snapshot, reach, context) for finding in first.found[:_LISTED]],
        counts=dict(counts),
        repaired=mended,
        repair=request.repair,
        message=f"Examined {len(first.snapshot.heads)} memories in {where}: {told}.{done}",
        warnings=[*first.snapshot.notes],
    )


async def _repair(first: _Examined, mendable: list[Finding], context: Context) -> int:
    """Mend what can be mended; how much of it another look does not find any more."""
    spare = [first.snapshot.heads[i] for finding in mendable if finding.kind == "duplicate" for i in finding.about[1:]]
    forgets = [next_revision(head, head.memory, State.FORGOTTEN, context) for head in spare]
    await context.store.mend(await context.store.commit(first.snapshot, forgets), first.leftovers)
    left = (await _examine(context)).found
    return sum(finding not in left for finding in mendable)


async def _examine(context: Context) -> _Examined:
    snapshot = await context.store.in_full(await context.store.load())
    leftovers = await context.store.leftovers()
    keys = [key async for key in context.store.kv.list_keys()]
    groups = _duplicates(snapshot)
    soon = to_text(context.clock() + timedelta(minutes=checkup.SKEW_MINUTES))
    purged = [i for i, head in snapshot.heads.items() if _came_back(head, snapshot)]
    newest = [i for i, head in snapshot.heads.items() if not head.state.hidden][-MANIFEST_IDS:]
    found = [
        *checkup.damage(snapshot.damaged),
        *checkup.leftovers(purged, len(snapshot.layout.covered)),
        *checkup.duplicates(groups),
        *checkup.conflicts({i: head.conflicts for i, head in snapshot.heads.items() if head.conflicts}),
        *checkup.orphans(_without_parents(snapshot)),
        *checkup.skewed({s.key.memory_id: s.revision.at for s in snapshot.stored()}, soon),
        *checkup.unlisted(newest, await context.store.listed()),
        *checkup.files((left.kind, left.name, may_go(left, snapshot)) for left in leftovers),
        *checkup.stored_secrets(_secrets(snapshot)),
        *checkup.misnamed(key for key in keys if not is_ours(key)),
    ]
    return _Examined(snapshot, leftovers, found)


def _duplicates(snapshot: Snapshot) -> dict[str, list[str]]:
    """The ids of active memories by what makes duplicates of them, the one to keep first.

    That is the first, but for one that supersedes another, or that an idempotencyKey stands for. A memory that was
    superseded is no duplicate of one that says the same again.
    """
    newer = newer_of(snapshot, lambda _: True)
    groups: dict[str, list[Head]] = {}
    for head in snapshot.active():
        successor = snapshot.heads.get(newer.get(head.memory.id, ""))
        if successor is None or not _stands_wherever(successor.memory, head.memory):
            groups.setdefault(head.dedupe, []).append(head)
    return {
        dedupe: [head.memory.id for head in sorted(heads, key=lambda h: (not h.memory.supersedes, not h.origin.keys))]
        for dedupe, heads in groups.items()
    }


def _stands_wherever(one: Memory, other: Memory) -> bool:
    """Whether everybody who sees `other` sees `one`."""
    same = (one.scope, one.project_id, one.session_id) == (other.scope, other.project_id, other.session_id)
    return same or one.scope is Scope.GLOBAL


def _without_parents(snapshot: Snapshot) -> dict[str, set[str]]:
    """By id, the hashes that revisions name as parents and that no stored revision has; a purge removes on purpose."""
    found: dict[str, set[str]] = {}
    for memory_id, group in snapshot.revisions.items():
        if snapshot.heads[memory_id].state is not State.PURGED:
            parents = {parent for stored in group for parent in stored.revision.parents}
            if missing := parents - {stored.key.hash for stored in group}:
                found[memory_id] = missing
    return found


def _secrets(snapshot: Snapshot) -> dict[str, tuple[str, str]]:
    """By id, the kind and the field of a secret that any revision of a memory holds."""
    found: dict[str, tuple[str, str]] = {}
    for memory_id, group in snapshot.revisions.items():
        secret = next(filter(None, (secret_in(to_body(stored.revision)) for stored in group)), None)
        if secret:
            found[memory_id] = secret
    return found


def _came_back(head: Head, snapshot: Snapshot) -> bool:
    group = snapshot.revisions[head.memory.id]
    return head.state is State.PURGED and any(s.revision.state is not State.PURGED for s in group)


def _line(finding: Finding, snapshot: Snapshot, reach: Reach, context: Context) -> FindingLine:
    about = [name for name in finding.about if may_name(_memory_id(name), snapshot, reach, context)]
    told = len(about) == len(finding.about) and may_name(_memory_id(finding.detail), snapshot, reach, context)
    detail = finding.detail if told or finding.kind == "unindexed" else _UNTOLD
    return FindingLine(kind=finding.kind, about=about, detail=detail, mendable=finding.mendable)


def _memory_id(text: str) -> str:
    """The memory that a key, or a detail that begins with one, is of; else `text` itself."""
    key = parse_revision_key(re.split(r"[:.]? ", text, maxsplit=1)[0].rstrip(":"))
    return key.memory_id if key else text


ACTION = Action(
    name="doctor",
    summary="Look for damage, duplicates, conflicts and leftovers; mend what can be mended.",
    when="Use it when an answer warns of damage, duplicates or conflicts.",
    request=DoctorRequest,
    result=DoctorResult,
    handle=doctor,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={"action": "doctor", "memoryStoreId": "acme~site-memory-agent"},
)

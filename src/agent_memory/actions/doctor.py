"""doctor: look for what is wrong with a store, and mend what can be mended."""

from datetime import timedelta

from typing_extensions import TypedDict

from ..lifecycle.checkup import (
    SKEW_MINUTES,
    Finding,
    conflicts,
    damage,
    duplicates,
    leftovers,
    misnamed,
    skewed,
)
from ..models.instant import to_text
from ..models.vocabulary import State
from ..store.keys import is_ours
from ..store.resolve import Head
from ..store.snapshot import Snapshot
from .base import Action, Context, Request, Result
from .common.writing import next_revision
from .fields import Repair

_LISTED = 1_000


class DoctorRequest(Request):
    """Which store, and whether to mend it."""

    repair: Repair = False


class FindingLine(TypedDict):
    """One finding; `about` are ids or keys, `mendable` says that a repair takes care of it."""

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


async def doctor(request: DoctorRequest, context: Context) -> DoctorResult:
    """Report first; with `repair` forget exact duplicates, remove purged content, and tidy up. No last copy goes."""
    where = context.store.store_id
    snapshot = await context.store.load()
    found = _examine(snapshot, [key async for key in context.store.kv.list_keys()], context)
    mendable = sum(finding.mendable for finding in found)
    if request.repair:
        spare = [snapshot.heads[i] for finding in found if finding.kind == "duplicate" for i in finding.about[1:]]
        forgets = [next_revision(head, head.memory, State.FORGOTTEN, context) for head in spare]
        await context.store.tidy(await context.store.commit(snapshot, forgets))
    counts = {kind: sum(f.kind == kind for f in found) for kind in dict.fromkeys(f.kind for f in found)}
    told = ", ".join(f"{number} {kind}" for kind, number in counts.items()) or "nothing to report"
    done = f" {mendable} mended." if request.repair else f" {mendable} can be mended: repair true." if mendable else ""
    return DoctorResult(
        findings=[_line(finding) for finding in found[:_LISTED]],
        counts=counts,
        repaired=mendable if request.repair else 0,
        repair=request.repair,
        message=f"Examined {len(snapshot.heads)} memories in {where}: {told}.{done}",
        warnings=[*snapshot.notes],
    )


def _examine(snapshot: Snapshot, keys: list[str], context: Context) -> list[Finding]:
    groups: dict[str, list[str]] = {}
    for head in snapshot.active():
        groups.setdefault(head.dedupe, []).append(head.memory.id)
    soon = to_text(context.clock() + timedelta(minutes=SKEW_MINUTES))
    purged = [i for i, head in snapshot.heads.items() if _came_back(head, snapshot)]
    return [
        *damage(snapshot.damaged),
        *leftovers(purged, len(snapshot.layout.covered)),
        *duplicates(groups),
        *conflicts({i: head.conflicts for i, head in snapshot.heads.items() if head.conflicts}),
        *skewed({s.key.memory_id: s.revision.at for s in snapshot.stored()}, soon),
        *misnamed(key for key in keys if not is_ours(key)),
    ]


def _came_back(head: Head, snapshot: Snapshot) -> bool:
    group = snapshot.revisions[head.memory.id]
    return head.state is State.PURGED and any(s.revision.state is not State.PURGED for s in group)


def _line(finding: Finding) -> FindingLine:
    return FindingLine(kind=finding.kind, about=list(finding.about), detail=finding.detail, mendable=finding.mendable)


ACTION = Action(
    name="doctor",
    summary="Look for damage, duplicates, conflicts and leftovers; mend what can be mended.",
    request=DoctorRequest,
    result=DoctorResult,
    handle=doctor,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={"action": "doctor", "memoryStoreId": "acme~site-memory-agent"},
)

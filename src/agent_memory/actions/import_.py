"""import: bring over an export, or the store of the original Actor; what is here already stays."""

from typing import Final, NotRequired

from ..errors import InvalidRequestError, SecretRefusedError
from ..models.vocabulary import State
from ..store.codec import SEGMENT_BYTES, Stored
from ..store.snapshot import Snapshot
from ..store.transfer import Plan, plan_import
from .base import Action, Context, Result, WriteRequest
from .common.admitting import admit, now_standing
from .common.adopting import IMPORTED_BY, revision_of
from .common.incoming import Incoming, Problem, Source, read_incoming
from .common.wording import how_many
from .fields.transfer import ImportPath, SourceStore
from .fields.write import DryRun, OnSecret

_LISTED: Final = 100
_TOLD: Final = 10


class ImportRequest(WriteRequest):
    """Where from: files of a local run, or a key-value store on Apify."""

    import_path: ImportPath | None = None
    source_store: SourceStore | None = None
    on_secret: OnSecret = "refuse"
    dry_run: DryRun = False


class ImportResult(Result):
    """What became of the memories that were read; `failed` lists the first 100 lines or records that could not be.

    `counts` has created, updated, purged, unchanged, kept (another history or a purge here stays), deleted (emptied
    by the original Actor) and failed.
    """

    counts: dict[str, int]
    revisions: int
    sources: list[str]
    failed: NotRequired[list[Problem]]
    dryRun: bool


async def import_memories(request: ImportRequest, context: Context) -> ImportResult:
    """Add the revisions that the store lacks, all at once; ids and times stay, and importing again adds nothing."""
    incoming = await read_incoming(await _source(request, context), context)
    if incoming.problems and not incoming.found:
        raise InvalidRequestError(
            f"Nothing could be read and nothing changed. Bad lines or records: {len(incoming.problems)}. "
            f"The first: {_tell(incoming.problems[0])}.",
            brief="Nothing could be read and nothing changed. The answer says which lines or records are bad.",
            failed=incoming.problems[:_LISTED],
        )
    snapshot = await context.store.load(access=False)
    revisions = _admitted(_revisions(incoming, snapshot), incoming, snapshot, context, request)
    plan = plan_import(before := snapshot, revisions)
    if not request.dry_run:
        await context.progress(0, len(plan.added), "revisions written")
        snapshot = await context.store.add(snapshot, plan.added)
        await context.progress(len(plan.added), len(plan.added), "revisions written")
        if any(stored.revision.state is State.PURGED for stored in plan.added):
            await context.store.scrub(snapshot)
    after = snapshot.plus(plan.added, snapshot.layout) if request.dry_run else snapshot
    standing = now_standing(before, after, context.policy.rule_types)
    counts = {
        "created": len(plan.created),
        "updated": len(plan.updated),
        "purged": len(plan.purged),
        "unchanged": len(plan.unchanged),
        "kept": len(plan.kept),
        "deleted": len(incoming.deleted),
        "failed": len(incoming.problems),
    }
    result = ImportResult(
        counts=counts,
        revisions=len(plan.added),
        sources=incoming.sources,
        dryRun=request.dry_run,
        message=_message(plan, counts, context.store.store_id, dry=request.dry_run),
        warnings=[*_warnings(incoming, plan, standing), *snapshot.warnings()],
    )
    if incoming.problems:
        result["failed"] = incoming.problems[:_LISTED]
    return result


async def _source(request: ImportRequest, context: Context) -> Source:
    if (request.import_path is None) is (request.source_store is None):
        raise InvalidRequestError(
            "Give importPath (a file or folder, in a run on your own machine) or sourceStore (a key-value store on "
            "Apify), and not both. Nothing changed.",
            field="importPath",
        )
    if request.source_store is not None:
        return await context.exchange.open_source(request.source_store)
    if context.exchange.files is None:
        raise InvalidRequestError(
            "importPath is for runs on your own machine. Here, put the export into a key-value store on Apify and "
            "give sourceStore. Nothing changed.",
            field="importPath",
        )
    return context.exchange.files.source(request.import_path or "")


def _revisions(incoming: Incoming, snapshot: Snapshot) -> dict[str, list[Stored]]:
    """All that was read, by id: exported revisions, and one for each original memory that is not here already."""
    revisions = dict(incoming.revisions)
    for memory_id, original in incoming.originals.items():
        stored = revision_of(original, incoming.notes)
        if stored.size > SEGMENT_BYTES:
            reason = f"takes {stored.size / 1e6:.1f} MB, up to {SEGMENT_BYTES / 1e6} MB are allowed"
            incoming.problems.append(Problem(source=f"memory-{memory_id}", reason=reason))
            continue
        here = (s for s in snapshot.revisions.get(memory_id, ()) if s.revision.by == IMPORTED_BY)
        # Channel and clock of another run must not make another revision of the same record.
        same = next((s for s in here if not original.dated or s.revision.at == stored.revision.at), stored)
        revisions[memory_id] = [*revisions.get(memory_id, ()), same]
    return revisions


def _admitted(
    revisions: dict[str, list[Stored]], incoming: Incoming, snapshot: Snapshot, context: Context, request: ImportRequest
) -> dict[str, list[Stored]]:
    """What may be stored of `revisions`; a memory with a secret in any of them is left out and told.

    Raises:
        SecretRefusedError: nothing is left.
    """
    admitted: dict[str, list[Stored]] = {}
    refusals: list[SecretRefusedError] = []
    for memory_id, group in revisions.items():
        here = {stored.key.hash for stored in snapshot.revisions.get(memory_id, ())}
        try:
            admitted[memory_id] = admit(group, here, context, incoming.notes, redacting=request.on_secret == "redact")
        except SecretRefusedError as refusal:
            refusals.append(refusal)
            kind, field = refusal.details["kind"], refusal.details["field"]
            name = "a memory" if field == "id" else f"memory {memory_id}"
            incoming.problems.append(Problem(source=name, reason=f"holds what looks like a secret ({kind}) in {field}"))
    if refusals and not admitted:
        raise SecretRefusedError(
            f"{refusals[0].message} Nothing else could be imported.",
            **refusals[0].details,
            failed=incoming.problems[:_LISTED],
        )
    return admitted


def _warnings(incoming: Incoming, plan: Plan, standing: list[str]) -> list[str]:
    warnings: list[str] = []
    if problems := incoming.problems:
        told = "; ".join(_tell(problem) for problem in problems[:_TOLD])
        warnings.append(f"Lines or records left out: {len(problems)}. {told}{_more(len(problems))}.")
    if incoming.edited:
        warnings.append(
            f"Revisions edited since their export: {incoming.edited}. Each counts as a change of the exported one; "
            "none of them stands as a rule until you approve it."
        )
    if standing:
        told = ", ".join(standing[:_TOLD])
        warnings.append(
            f"What this file says makes {how_many(len(standing))} stand as rules: {told}{_more(len(standing))}. Agents "
            "follow them: read them (brief), and forget what no person of yours wrote."
        )
    if plan.kept:
        told = ", ".join(plan.kept[:_TOLD])
        warnings.append(
            f"Stays as it is here, since it has another history or is purged: {how_many(len(plan.kept))}, "
            f"{told}{_more(len(plan.kept))}."
        )
    if notes := incoming.notes:
        warnings.append(f"Not taken over as it was: {'; '.join(notes[:_TOLD])}{_more(len(notes))}.")
    return warnings


def _tell(problem: Problem) -> str:
    line = f" line {problem['line']}" if "line" in problem else ""
    return f"{problem['source']}{line} {problem['reason']}"


def _more(count: int) -> str:
    return f" and {count - _TOLD} more" if count > _TOLD else ""


def _message(plan: Plan, counts: dict[str, int], where: str, *, dry: bool) -> str:
    failed = f" Lines or records that could not be read: {counts['failed']}." if counts["failed"] else ""
    if not plan.added:
        there = counts["unchanged"] + counts["kept"]
        return f"Nothing {'would change' if dry else 'changed'} in {where}: {how_many(there)} there already.{failed}"
    told = ", ".join(f"{counts[name]} {name}" for name in ("created", "updated", "purged", "unchanged") if counts[name])
    return f"{'Would import' if dry else 'Imported'} into {where}: {told}.{failed}"


ACTION = Action(
    name="import",
    summary="Bring over an export, or a store of the original Actor; what is here already stays.",
    when="Use it to take over a backup or an older store.",
    request=ImportRequest,
    result=ImportResult,
    handle=import_memories,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={
        "action": "import",
        "memoryStoreId": "acme~site-memory-agent",
        "importPath": "examples/export.ndjson",
        "dryRun": True,
    },
)

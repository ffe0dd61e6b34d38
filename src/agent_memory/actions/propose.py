"""propose: put texts into the review queue, for a person to decide about; no memory is written."""

from ..errors import InvalidRequestError, MemoryServiceError
from .base import Action, Context, Result, WriteRequest
from .common.items import parse_items
from .common.low_texts import claimed_low
from .common.proposing import ProposalResult, Proposals
from .fields.write import Candidates, DryRun, OnSecret, ProjectId, SessionId


class ProposeRequest(WriteRequest):
    """What may become memories; project and session stand in where a candidate names none."""

    candidates: Candidates
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    on_secret: OnSecret = "refuse"
    dry_run: DryRun = False


class ProposeResult(Result):
    """What became of each candidate."""

    counts: dict[str, int]
    results: list[ProposalResult]
    dryRun: bool


async def propose(request: ProposeRequest, context: Context) -> ProposeResult:
    """Queue what nobody has said yet; a candidate that is refused does not stop the others."""
    where = context.store.store_id
    snapshot = await context.store.load(access=False)
    root = {"projectId": request.project_id, "sessionId": request.session_id}
    results: list[ProposalResult] = []
    items = [*parse_items("candidates", request.candidates, root, redacting=request.on_secret == "redact")]
    proposals = Proposals(snapshot, context, claimed_low(item for item, _ in items))
    for index, (item, refusal) in enumerate(items):
        try:
            if refusal is not None or item is None:
                raise refusal or InvalidRequestError("no item")
            results.append(proposals.take(item, index))
        except MemoryServiceError as error:
            body = {"code": error.code, "message": error.message, "details": dict(error.details)}
            results.append(ProposalResult(index=index, ok=False, error=body))
    counts = {
        status: sum(result.get("status") == status for result in results)
        for status in ("queued", "duplicate", "replayed")
    }
    counts["failed"] = sum(not result["ok"] for result in results)
    if counts["failed"] == len(results):
        first = next(result["error"] for result in results if "error" in result)
        message = f"None of {len(results)} candidates was queued. The first problem: {first['message']}"
        raise InvalidRequestError(message, results=results)
    if not request.dry_run:
        snapshot = await context.store.commit(snapshot, proposals.revisions)
    told = ", ".join(f"{counts[name]} {name}" for name in ("duplicate", "replayed", "failed") if counts[name])
    verb = "Would queue" if request.dry_run else "Queued"
    return ProposeResult(
        counts=counts,
        results=results,
        dryRun=request.dry_run,
        message=f"{verb} {counts['queued']} of {len(results)} candidates for review in {where}"
        f"{f' ({told})' if told else ''}. No memory was written.",
        warnings=[*proposals.warnings, *snapshot.warnings()],
    )


ACTION = Action(
    name="propose",
    summary="Put up to 100 texts into the review queue; a person decides which become memories.",
    when="Use it for rules and corrections that nobody has confirmed.",
    request=ProposeRequest,
    result=ProposeResult,
    handle=propose,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={
        "action": "propose",
        "memoryStoreId": "acme~site-memory-agent",
        "candidates": [
            {
                "content": "Never run migrations on a Friday.",
                "memoryDetails": {
                    "memoryType": "rule",
                    "metadata": {"agentDid": "Ran a migration on Friday at 16:00.", "verdict": "Wait for Monday."},
                },
            }
        ],
    },
)

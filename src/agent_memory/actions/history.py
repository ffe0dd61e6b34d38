"""history: every revision of a memory, without its content."""

from typing_extensions import TypedDict

from ..errors import NotFoundError
from ..models.memory import Memory
from ..models.revision import Revision
from ..models.vocabulary import State
from ..store.codec import Stored
from ..store.resolve import label
from .base import Action, Context, Request, Result
from .common.changes import changed_fields
from .common.reach import SEARCH_FIRST, known, reach_of
from .fields.read import MemoryId
from .fields.write import ProjectId, SessionId


class HistoryRequest(Request):
    """Which memory."""

    memory_id: MemoryId
    project_id: ProjectId | None = None
    session_id: SessionId | None = None


class RevisionLine(TypedDict):
    """One change: when, by whom and by which way in, the fields that differ from before, and the state it led to."""

    revision: str
    at: str
    by: str
    channel: str | None
    toolCallId: str | None
    changed: list[str]
    state: str


class HistoryResult(Result):
    """Newest first; a forgotten memory has a history too, so that it can be restored."""

    memoryId: str
    state: str
    current: str
    revisions: list[RevisionLine]


async def history(request: HistoryRequest, context: Context) -> HistoryResult:
    """The revisions of one memory; not_found when there never was one of this id."""
    snapshot = await context.store.load(access=False)
    head = known(snapshot, request.memory_id, reach_of(context, request.project_id, request.session_id))
    if head is None:
        message = f"No memory {request.memory_id} in {context.store.store_id}. {SEARCH_FIRST}"
        raise NotFoundError(message, memoryId=request.memory_id)
    group = {stored.key.hash: stored for stored in snapshot.revisions[request.memory_id]}
    changes = (stored for stored in group.values() if stored.revision.claim is None)
    newest = sorted(changes, key=lambda s: (s.revision.number, s.revision.at, s.key.hash), reverse=True)
    return HistoryResult(
        memoryId=request.memory_id,
        state=head.state.value,
        current=head.revision,
        revisions=[_line(stored, group) for stored in newest],
        message=(
            f"Memory {request.memory_id} in {context.store.store_id} has {len(newest)} revisions; it is {head.state}."
        ),
        warnings=snapshot.warnings(),
    )


def _line(stored: Stored, group: dict[str, Stored]) -> RevisionLine:
    revision = stored.revision
    before = next((group[parent].revision.memory for parent in revision.parents if parent in group), None)
    return RevisionLine(
        revision=label(revision.number, stored.key.hash),
        at=revision.at,
        by=revision.by,
        channel=revision.channel and revision.channel.value,
        toolCallId=revision.tool_call_id,
        changed=_changed(revision, before),
        state=revision.state.value,
    )


def _changed(revision: Revision, before: Memory | None) -> list[str]:
    if revision.reinforces:
        return ["reinforced"]
    if revision.state is State.PROPOSED:
        return [State.PROPOSED.value]
    return changed_fields(before, revision.memory) if before else ["created"]


ACTION = Action(
    name="history",
    summary="List every revision of a memory: when, by whom, what changed.",
    when="Use it to see who changed a memory and when, or to find a revision to restore.",
    request=HistoryRequest,
    result=HistoryResult,
    handle=history,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={"action": "history", "memoryStoreId": "acme~site-memory-agent", "memoryId": "<memoryId>"},
)

"""events: who changed what and when, without any content."""

from typing_extensions import TypedDict

from ..errors import NotFoundError
from .base import Action, Context, Request, Result
from .common.changes import Change, all_changes
from .common.cursor import Cursor, read_cursor, write_cursor
from .common.reach import SEARCH_FIRST, reach_of
from .common.showing import effective_limit
from .fields.read import DEFAULT_RESULTS, MaxResults, MemoryId, Options
from .fields.upkeep import Changes
from .fields.write import ProjectId, SessionId
from .objects import ChangeFilter, SearchOptions


class EventsRequest(Request):
    """Of which memory, or of all; and which changes."""

    memory_id: MemoryId | None = None
    changes: Changes = ChangeFilter()
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    max_results: MaxResults = DEFAULT_RESULTS
    search_options: Options = SearchOptions()


class Event(TypedDict):
    """One change. `change` is created, updated, reinforced, archived, restored, forgotten, purged or proposed.

    `fields` are names only. Of `writer`, `channel` and `toolCallId` what is known; `source` and `trust` are those of
    the memory after it.
    """

    memoryId: str
    revision: str
    at: str
    change: str
    fields: list[str]
    writer: str
    channel: str | None
    toolCallId: str | None
    source: str | None
    trust: str | None


class EventsResult(Result):
    """One page, the newest first."""

    count: int
    total: int
    truncated: bool
    nextCursor: str | None
    events: list[Event]


async def events(request: EventsRequest, context: Context) -> EventsResult:
    """The revisions and tombstones of the store as a list of what was done."""
    page = read_cursor(request.search_options.cursor, request) or Cursor(context.now())
    snapshot = await context.store.load(access=False)
    where, memory_id = context.store.store_id, request.memory_id
    reach = reach_of(context, request.project_id, request.session_id)
    known = list(all_changes(snapshot, reach, memory_id))
    if memory_id is not None and not known:
        message = f"No memory {memory_id} in {where}. {SEARCH_FIRST}"
        raise NotFoundError(message, memoryId=memory_id)
    wanted = [change for change in known if change.revision.at <= page.at and change.fits(request.changes)]
    wanted.sort(key=lambda c: (c.revision.at, c.revision.number, c.stored.key.hash), reverse=True)
    start = next((at + 1 for at, c in enumerate(wanted) if c.stored.key.hash == page.after), page.offset)
    end = start + effective_limit(request.max_results, request.search_options)
    shown = wanted[start:end]
    more = Cursor(page.at, offset=end, after=shown[-1].stored.key.hash) if end < len(wanted) else None
    return EventsResult(
        count=len(shown),
        total=len(wanted),
        truncated=more is not None,
        nextCursor=write_cursor(request, more) if more else None,
        events=[_event(change) for change in shown],
        message=f"{len(shown)} of {len(wanted)} changes in {where}.",
        warnings=snapshot.warnings(),
    )


def _event(change: Change) -> Event:
    revision, purged = change.revision, change.kind == "purged"
    return Event(
        memoryId=revision.memory.id,
        revision=change.name,
        at=revision.at,
        change=change.kind,
        fields=change.fields,
        writer=revision.by,
        channel=change.channel and change.channel.value,
        toolCallId=revision.tool_call_id,
        source=None if purged else revision.memory.source.value,
        trust=None if purged else revision.memory.trust.value,
    )


ACTION = Action(
    name="events",
    summary="List who changed what and when, newest first, without any content.",
    when="Use it to see what changed lately and who changed it.",
    request=EventsRequest,
    result=EventsResult,
    handle=events,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={
        "action": "events",
        "memoryStoreId": "acme~site-memory-agent",
        "changes": {"source": "crawl", "since": "2026-03-01"},
    },
)

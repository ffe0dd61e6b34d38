"""list: every memory of a store by its state, page by page, newest first."""

from typing import NotRequired, cast

from typing_extensions import TypedDict

from ..errors import InvalidRequestError
from ..models.memory import Memory, MemoryRecord, to_record
from ..models.vocabulary import State
from ..store.resolve import Head
from ..text.snippet import cut
from .base import Action, Context, Request, Result
from .common.cursor import Cursor, read_cursor, write_cursor
from .common.reach import reach_of, told
from .common.reading import make_filter
from .common.showing import effective_limit
from .fields.read import DEFAULT_RESULTS, MaxResults, Options, Status
from .fields.write import ProjectId, SessionId
from .objects import SearchOptions


class ListRequest(Request):
    """Which memories: by state, and whatever searchOptions narrows them to."""

    status: Status | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    max_results: MaxResults = DEFAULT_RESULTS
    search_options: Options = SearchOptions()


class ForgottenMemory(TypedDict):
    """As much of a forgotten memory as it takes to restore the right one."""

    id: str
    title: str
    memoryType: str
    projectId: str | None
    updatedAt: str
    state: str
    revision: str


class ListedMemory(MemoryRecord):
    """A memory with its content as an excerpt."""

    contentTruncated: bool
    state: str
    revision: str
    conflicts: NotRequired[list[str]]


class ListResult(Result):
    """One page; forgotten memories show neither content nor details."""

    count: int
    total: int
    truncated: bool
    nextCursor: str | None
    memories: list[ListedMemory | ForgottenMemory]


async def list_memories(request: ListRequest, context: Context) -> ListResult:
    """All memories of the wanted state that pass the filters, the last changed first; fading hides none."""
    page = read_cursor(request.search_options.cursor, request) or Cursor(context.now())
    snapshot = await context.store.load(access=False)
    reach = reach_of(context, request.project_id, request.session_id, request.search_options)
    limits = make_filter(request.search_options, request.project_id, reach)
    status = request.status or "active"
    if status in ("pending", "settled"):
        message = f"status {status} is for reviews. Use active, archived, forgotten or all here."
        raise InvalidRequestError(message, field="status")
    heads = [h for h in snapshot.heads.values() if _has(h, status) and limits.admits(h.memory)]
    heads.sort(key=lambda head: (head.memory.updated_at, head.memory.id), reverse=True)
    start = next((at + 1 for at, head in enumerate(heads) if head.memory.id == page.after), page.offset)
    end = start + effective_limit(request.max_results, request.search_options)
    shown = heads[start:end]
    more = Cursor(page.at, offset=end, after=shown[-1].memory.id) if end < len(heads) else None
    return ListResult(
        count=len(shown),
        total=len(heads),
        truncated=more is not None,
        nextCursor=write_cursor(request, more) if more else None,
        memories=[_show(head, told(head.memory, snapshot, reach), request.search_options) for head in shown],
        message=f"Listed {len(shown)} of {len(heads)} memories ({status}) in {context.store.store_id}.",
        warnings=snapshot.warnings(),
    )


def _has(head: Head, status: str) -> bool:
    return head.state is not State.PURGED and not head.state.queued and status in ("all", head.state.value)


def _show(head: Head, memory: Memory, options: SearchOptions) -> ListedMemory | ForgottenMemory:
    if head.state is State.FORGOTTEN:
        return ForgottenMemory(
            id=memory.id,
            title=memory.title,
            memoryType=memory.memory_type.value,
            projectId=memory.project_id,
            updatedAt=memory.updated_at,
            state=head.state.value,
            revision=head.revision,
        )
    length = len(memory.content) if options.full_content else options.content_length
    excerpt = cut(memory.content, length, ())
    rivals = {"conflicts": list(head.conflicts)} if head.conflicts else {}
    return cast(
        "ListedMemory",
        {
            **to_record(memory, archived=head.state is State.ARCHIVED),
            "content": excerpt.text,
            "contentTruncated": excerpt.truncated,
            "state": head.state.value,
            "revision": head.revision,
            **rivals,
        },
    )


ACTION = Action(
    name="list",
    summary="List every memory by state, page by page; what was forgotten can be found here.",
    when="Use it to look through a store, not to answer a question.",
    request=ListRequest,
    result=ListResult,
    handle=list_memories,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={"action": "list", "memoryStoreId": "acme~site-memory-agent", "status": "all"},
)

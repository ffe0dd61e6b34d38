"""get: memories by id, whole."""

import json
from typing import NotRequired, cast

from ..errors import NotFoundError, TooLargeError
from ..models.memory import Memory, MemoryRecord, to_record
from ..models.vocabulary import State
from ..store.resolve import Head
from .base import Action, Context, Request, Result
from .common.ids import wanted_ids
from .common.newer import newer_of
from .common.reach import SEARCH_FIRST, find, reach_of, told
from .common.showing import RESULT_BYTES, Reinforced, reinforced
from .common.wording import how_many
from .fields.read import MemoryId, MemoryIds
from .fields.write import ProjectId, SessionId


class GetRequest(Request):
    """One id or several."""

    memory_id: MemoryId | None = None
    memory_ids: MemoryIds | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None


class WholeMemory(MemoryRecord):
    """A record as stored, with the name of its revision and the hashes of concurrent ones that lost to it."""

    revision: str
    supersededBy: NotRequired[str]
    reinforced: NotRequired[Reinforced]
    conflicts: NotRequired[list[str]]


class GetResult(Result):
    """What was found, in the order asked for; forgotten memories are not."""

    memories: list[WholeMemory]
    notFound: list[str]


async def get(request: GetRequest, context: Context) -> GetResult:
    """Whole memories; not_found when none of the ids is known."""
    ids = wanted_ids(request.memory_id, request.memory_ids)
    snapshot = await context.store.load()
    reach = reach_of(context, request.project_id, request.session_id)
    found = [head for i in ids if (head := find(snapshot, i, reach))]
    missing = [i for i in ids if find(snapshot, i, reach) is None]
    if not found:
        message = f"No memory {', '.join(missing[:3])} in {context.store.store_id}. {SEARCH_FIRST}"
        raise NotFoundError(message, memoryIds=missing)
    newer = newer_of(snapshot, reach.admits)
    memories = [_whole(head, told(head.memory, snapshot, reach), newer.get(head.memory.id)) for head in found]
    size = len(json.dumps(memories, ensure_ascii=False).encode())
    if size > RESULT_BYTES and len(found) > 1:
        message = (
            f"These {len(found)} memories take {size / 1e6:.1f} MB, an answer may take 4 MB. Ask for fewer ids at once."
        )
        raise TooLargeError(message)
    notes = await context.store.touch(snapshot, (head.memory.id for head in found))
    note = f" {len(missing)} not found." if missing else ""
    return GetResult(
        memories=memories,
        notFound=missing,
        message=f"Got {how_many(len(found))} from {context.store.store_id}.{note}",
        warnings=[*snapshot.warnings(), *notes],
    )


def _whole(head: Head, memory: Memory, newer: str | None) -> WholeMemory:
    record = to_record(memory, archived=head.state is State.ARCHIVED)
    rivals = {"conflicts": list(head.conflicts)} if head.conflicts else {}
    replaced = {"supersededBy": newer} if newer else {}
    return cast("WholeMemory", {**record, "revision": head.revision, **replaced, **reinforced(head), **rivals})


ACTION = Action(
    name="get",
    summary="Fetch whole memories by id.",
    when="Use it when an excerpt is cut off.",
    request=GetRequest,
    result=GetResult,
    handle=get,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={"action": "get", "memoryStoreId": "acme~site-memory-agent", "memoryId": "<memoryId>"},
)

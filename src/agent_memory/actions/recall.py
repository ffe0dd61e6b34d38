"""recall: all memories, those that fit the page and the task first."""

from ..models.vocabulary import State
from .base import Action, Context, Result
from .common.reading import ReadRequest, note_access, set_scene
from .common.recalling import recall_scene
from .common.showing import ReadMemory, effective_limit, page_of
from .common.wording import how_many
from .fields.read import DEFAULT_RESULTS, MaxResults


class RecallRequest(ReadRequest):
    """Where the agent is and what it is about to do."""

    max_results: MaxResults = DEFAULT_RESULTS


class RecallResult(Result):
    """Memories in recall's order; nothing is left out but by paging."""

    count: int
    total: int
    truncated: bool
    nextCursor: str | None
    hiddenByDecay: int
    memories: list[ReadMemory]


async def recall(request: RecallRequest, context: Context) -> RecallResult:
    """Order by same url, same site, query terms and age; without url and query the newest first."""
    scene = await set_scene(request, context)
    heads = scene.shown
    if not heads and scene.hidden:
        heads = scene.hidden
        days = f"halfLifeDays {scene.decay.half_life_days:g}"
        scene.warnings.append(f"All has faded: {how_many(len(heads))} ({days}), shown all the same.")
    most = effective_limit(request.max_results, request.search_options)
    placed, total = recall_scene(heads, scene, request, scene.page.offset + most + 1)
    memories, cursor = page_of(placed, scene, request, most)
    await note_access(scene, (m["id"] for m in memories), context)
    archived = sum(m["archived"] for m in memories)
    note = f", {archived} of them {State.ARCHIVED.value}" if archived else ""
    return RecallResult(
        count=len(memories),
        total=total,
        truncated=cursor is not None,
        nextCursor=cursor,
        hiddenByDecay=len(scene.hidden),
        memories=memories,
        message=f"Recalled {len(memories)} of {total} memories from {context.store.store_id}{note}.",
        warnings=scene.warnings,
    )


ACTION = Action(
    name="recall",
    summary="Bring back what is known, ordered by page, task and age; filters nothing.",
    when="Use it first, when a session or task begins.",
    request=RecallRequest,
    result=RecallResult,
    handle=recall,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={
        "action": "recall",
        "memoryStoreId": "acme~site-memory-agent",
        "url": "https://shop.example.com/checkout",
        "query": "staging database",
        "maxResults": 5,
    },
)

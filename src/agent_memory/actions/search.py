"""search: the memories that answer a query, and how sure that is."""

from ..errors import InvalidRequestError
from .base import Action, Context, Result
from .common.claims import mark_updated
from .common.matching import count_hits, rank_scene, to_placed
from .common.reading import ReadRequest, note_access, set_scene
from .common.showing import ReadMemory, at_least, effective_limit, page_of
from .common.succession import rank_behind
from .fields.read import DEFAULT_RESULTS, MaxResults


class SearchRequest(ReadRequest):
    """What to look for."""

    max_results: MaxResults = DEFAULT_RESULTS


class SearchResult(Result):
    """Matches, best first. Without a match there is no result, and `why` says so."""

    query: str
    count: int
    total: int
    truncated: bool
    nextCursor: str | None
    verdict: str
    why: str
    unmatchedTerms: list[str]
    hiddenByDecay: int
    memories: list[ReadMemory]
    scores: list[float]


async def search(request: SearchRequest, context: Context) -> SearchResult:
    """Rank what matches; what has faded only counts when nothing else matches."""
    if request.query is None or not request.query.strip():
        message = (
            "query is required for search: say what you want to know, in plain words. Use recall to list "
            "without a query."
        )
        raise InvalidRequestError(message, field="query")
    scene = await set_scene(request, context)
    most = effective_limit(request.max_results, request.search_options)
    ranking = rank_scene(scene, request, scene.page.offset + most + 1)
    placed = at_least(rank_behind([*map(to_placed, ranking.hits)], scene), request)
    total = count_hits(ranking, placed, scene)
    memories, cursor = page_of(placed, scene, request, most)
    mark_updated(memories, scene)
    await note_access(scene, (m["id"] for m in memories), context)
    found = f"Found {total} of {len(scene.shown)} memories" if placed else "Nothing found"
    return SearchResult(
        query=scene.query or "",
        count=len(memories),
        total=total,
        truncated=cursor is not None,
        nextCursor=cursor,
        verdict=ranking.verdict,
        why=ranking.why,
        unmatchedTerms=list(ranking.unmatched),
        hiddenByDecay=len(scene.hidden),
        memories=memories,
        scores=[m["score"] for m in memories],
        message=f"{found} in {context.store.store_id} ({ranking.verdict}).",
        warnings=scene.warnings,
    )


ACTION = Action(
    name="search",
    summary="Find the memories that answer a question; says strong, weak or none.",
    when="Use it before you guess or ask the user.",
    request=SearchRequest,
    result=SearchResult,
    handle=search,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={
        "action": "search",
        "memoryStoreId": "acme~site-memory-agent",
        "query": "when is the staging database reset?",
    },
)

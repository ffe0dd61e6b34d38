"""context_pack: one Markdown text with the memories that matter now, within a budget of tokens."""

from collections.abc import Collection, Iterable, Mapping
from typing import NotRequired

from typing_extensions import TypedDict

from ..errors import InvalidRequestError
from ..models.instant import days_between
from ..ranking.affinity import recall as order
from ..ranking.context import sessions
from ..store.resolve import Head, said_at
from ..text.forms import FORMS
from ..text.packing import Pack, pack
from ..text.render import POSSIBLY_UPDATED, SUPERSEDED, Entry
from .base import Action, Context, Result
from .common.claims import guesses
from .common.matching import count_hits, rank_scene, to_placed
from .common.nonce import make_nonce
from .common.reading import ReadRequest, Scene, note_access, set_scene
from .common.showing import Placed, at_least
from .common.succession import rank_behind
from .fields.read import DEFAULT_PACK_TOKENS, Format, MaxTokens

_CANDIDATES = 100


class ContextPackRequest(ReadRequest):
    """What the agent is about to do, and how much room there is."""

    max_tokens: MaxTokens = DEFAULT_PACK_TOKENS
    format: Format | None = None


class Used(TypedDict):
    """A memory in the pack; `contentTruncated` where the pack shows only a part of it."""

    id: str
    title: str
    score: float
    supersededBy: NotRequired[str]
    possiblyUpdatedBy: NotRequired[str]
    contentTruncated: NotRequired[bool]
    explain: NotRequired[dict[str, float]]


class Dropped(TypedDict):
    """A candidate that is not in the pack."""

    id: str
    reason: str


class ContextPackResult(Result):
    """The pack; insert `contextMarkdown` as a tool result or as user context, never as system text.

    With format json it is empty, and `contextJson` holds the pack as a text of JSON.
    """

    contextMarkdown: str
    contextJson: NotRequired[str]
    memoriesUsed: list[Used]
    dropped: list[Dropped]
    tokenEstimate: int
    maxTokens: int
    nextBudget: int | None
    verdict: str | None
    hiddenByDecay: int


async def context_pack(request: ContextPackRequest, context: Context) -> ContextPackResult:
    """Pack the best candidates; with neither query nor url the most important and newest memories."""
    form = request.format or "markdown"
    if form not in FORMS:
        message = f"format {form} is for stats. Use markdown or json here."
        raise InvalidRequestError(message, field="format")
    scene = await set_scene(request, context)
    most = request.search_options.limit or _CANDIDATES
    placed, number, verdict, empty_reason = _candidates(scene, request, most)
    if number > most:
        scene.warnings.append(f"Only the first {most} of {number} candidates were considered.")
    chosen = {place.id: place for place in placed[:most]}
    turns = _turns(scene, chosen)
    updated = guesses(chosen, scene)
    packed = pack(
        [_entry(scene, place, turns.get(place.id), updated) for place in chosen.values()],
        request.max_tokens,
        make_nonce(context),
        f"Memory of {context.store.store_id}",
        empty_reason=empty_reason,
        query=scene.query,
        form=FORMS[form],
    )
    copies = [(i, place.id) for place in chosen.values() for i in scene.there(place.collapsed)]
    folded = [Dropped(id=i, reason=f"near-copy of {of}") for i, of in copies]
    if not packed.used:
        more = f"no memory fits into {request.max_tokens} tokens; ask for maxTokens {packed.next_budget}."
        scene.warnings.append(f"The pack is empty: {more if packed.dropped else empty_reason}")
    elif (best := next(iter(chosen))) not in packed.used:
        scene.warnings.append(
            f"The best match, memory {best}, has no room in {request.max_tokens} tokens; see dropped."
        )
    await note_access(scene, packed.used, context)
    result = ContextPackResult(
        contextMarkdown=packed.markdown if form == "markdown" else "",
        memoriesUsed=[_used(chosen[i], scene, updated, packed, explain=request.explain) for i in packed.used],
        dropped=[*(Dropped(id=d.id, reason=d.reason) for d in packed.dropped), *folded],
        tokenEstimate=packed.tokens,
        maxTokens=request.max_tokens,
        nextBudget=packed.next_budget,
        verdict=verdict,
        hiddenByDecay=len(scene.hidden),
        message=(
            f"Packed {len(packed.used)} of {len(chosen)} memories of {context.store.store_id} into about "
            f"{packed.tokens} tokens."
        ),
        warnings=scene.warnings,
    )
    if form == "json":
        result["contextJson"] = packed.markdown
    return result


def _candidates(scene: Scene, request: ContextPackRequest, most: int) -> tuple[list[Placed], int, str | None, str]:
    """Best first, no more than needed; how many there are; the verdict of the search; what to say of none."""
    if scene.query and scene.query.strip():
        ranking = rank_scene(scene, request, most)
        placed = _in_place(map(to_placed, ranking.hits), scene, request)
        return placed, count_hits(ranking, placed, scene), ranking.verdict, ranking.why
    heads = scene.shown or scene.hidden
    if request.url:
        if scene.warm:
            from .common.parts import of_site  # numpy is for processes that live long

            heads = of_site(heads, request.url)
        near = order(scene.documents(heads), query=None, url=request.url, now=scene.now)
        fits = (r for r in near if {"same url", "same site"} & set(r.reasons))
        placed = _in_place((Placed(id=r.id, score=r.score, reasons=r.reasons) for r in fits), scene, request)
        return placed, len(placed), None, f"No memory is about {request.url} or its site."
    placed = _in_place(_by_importance(heads), scene, request)
    return placed, len(placed), None, "The store holds no memory that may be shown here."


def _in_place(found: Iterable[Placed], scene: Scene, request: ContextPackRequest) -> list[Placed]:
    placed = rank_behind([*found], scene)
    return at_least((place for place in placed if place.id not in scene.gone), request)


def _used(place: Placed, scene: Scene, updated: Mapping[str, str], packed: Pack, *, explain: bool) -> Used:
    used = Used(id=place.id, title=scene.head(place.id).memory.title, score=round(place.score, 4))
    if newer := scene.successor(place.id):
        used["supersededBy"] = newer
    if later := updated.get(place.id):
        used["possiblyUpdatedBy"] = later
    if place.id in packed.cut:
        used["contentTruncated"] = True
    if explain and place.parts is not None:
        used["explain"] = {name: round(part, 6) for name, part in place.parts.items()}
    return used


def _by_importance(heads: Mapping[str, Head]) -> list[Placed]:
    memories = [head.memory for head in heads.values()]
    memories.sort(key=lambda memory: (memory.importance, memory.updated_at, memory.id), reverse=True)
    return [Placed(id=memory.id, score=memory.importance) for memory in memories]


def _turns(scene: Scene, chosen: Collection[str]) -> dict[str, tuple[int, int]]:
    """The session of each of the `chosen`, and its place among the turns of it that may be shown."""
    talks = {scene.head(i).memory.session_id for i in chosen} - {None}
    if not talks:
        return {}
    if scene.warm:
        from .common.parts import turns_in  # numpy is for processes that live long

        return turns_in(scene.shown, scene.hidden, chosen)
    heads = {**scene.hidden, **scene.shown}
    documents = scene.documents({i: head for i, head in heads.items() if head.memory.session_id in talks})
    return {
        documents[place].id: (number, at)
        for number, session in enumerate(sessions(documents))
        for at, place in enumerate(session)
    }


def _entry(scene: Scene, place: Placed, turn: tuple[int, int] | None, updated: Mapping[str, str]) -> Entry:
    head = scene.head(place.id)
    memory, written = head.memory, said_at(head, scene.snapshot.revisions[place.id])
    return Entry(
        id=memory.id,
        title=memory.title,
        memory_type=memory.memory_type.value,
        source=memory.source.value,
        trust=memory.trust.value,
        age_days=days_between(written, scene.now),
        updated_at=written,
        url=memory.url,
        tags=memory.tags,
        content=memory.content,
        outdated=SUPERSEDED if place.id in scene.newer else POSSIBLY_UPDATED if place.id in updated else "",
        echo=memory.echo,
        score=place.score,
        turn=turn,
        needles=place.needles,
    )


ACTION = Action(
    name="context_pack",
    summary="Put the memories that matter for a task into one Markdown text within a token budget.",
    when="Use it to brief a prompt or a sub-agent.",
    request=ContextPackRequest,
    result=ContextPackResult,
    handle=context_pack,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={
        "action": "context_pack",
        "memoryStoreId": "acme~site-memory-agent",
        "query": "import data into staging",
        "maxTokens": 800,
    },
)

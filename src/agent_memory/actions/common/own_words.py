"""A search for a memory by the words that are its own."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ...models.memory import Memory
from ...ranking.query import Query
from ...ranking.rarest import own_query, rarest
from ...ranking.search import holding
from ...store.snapshot import Snapshot
from ..base import Context
from .matching import rank_scene
from .reading import ReadRequest, Scene, load_newest, view
from .receipt import Receipt, Similar

_WORDS: Final = 6
_LOOKED_AT: Final = 10
_SIMILAR: Final = 3
# Of what the memory's own words find, this share of the best score is near it.
_NEAR: Final = 0.5


async def look_for(memory: Memory, context: Context, snapshot: Snapshot) -> Receipt:
    """Find `memory` in `snapshot`, or in what has come of it, as a read with its project and session would."""
    snapshot = await load_newest(context, snapshot)
    given = {
        "memoryStoreId": context.store.store_id,
        "projectId": memory.project_id,
        "sessionId": memory.session_id,
    }
    request = ReadRequest.model_validate({name: value for name, value in given.items() if value is not None})
    scene, asked = view(request, context, snapshot), own_query(memory.content)
    words = rarest(asked, _containing(scene, asked), _WORDS)
    scene = replace(scene, query=" ".join(words))
    ranking = rank_scene(scene, request, _LOOKED_AT)
    hits = ranking.hits[:_LOOKED_AT]
    alike = [(hit.id, *hit.collapsed) if memory.id in (hit.id, *hit.collapsed) else (hit.id,) for hit in hits]
    places = (place for place, ids in enumerate(alike, 1) if memory.id in ids)
    close = (pair for pair in zip(hits, alike, strict=True) if pair[0].score >= _NEAR * hits[0].score)
    near = [(i, hit.score) for hit, ids in close for i in ids if i != memory.id][:_SIMILAR]
    return Receipt(
        words=[*words],
        rank=next(places, None),
        of=ranking.total,
        similar=[Similar(id=i, title=scene.head(i).memory.title, score=round(score, 4)) for i, score in near],
    )


def _containing(scene: Scene, asked: Query) -> Mapping[str, int]:
    if not scene.warm:
        return holding(scene.documents(scene.shown), asked)
    from .parts import count_holding  # numpy is for processes that live long

    return count_holding(scene.shown, asked)

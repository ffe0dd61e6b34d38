"""Recall's order of what a scene shows: looked up in the index of a warm store, else read."""

from collections.abc import Mapping

from ...ranking.affinity import Recalled, recall
from ...store.resolve import Head
from .reading import ReadRequest, Scene
from .showing import Placed, at_least
from .succession import rank_behind


def recall_scene(
    heads: Mapping[str, Head], scene: Scene, request: ReadRequest, most: int | None = None
) -> tuple[list[Placed], int]:
    """`heads` in recall's order as far as they reach minScore, and how many of them are to be shown.

    It may be no more than the `most` first, unless the page before ended elsewhere than it did.
    """
    placed, total = _recall(heads, scene, request, most)
    return (placed, total) if scene.page.fits(placed) else _recall(heads, scene, request, None)


def _recall(
    heads: Mapping[str, Head], scene: Scene, request: ReadRequest, most: int | None
) -> tuple[list[Placed], int]:
    least = request.search_options.min_score or 0.0
    if not scene.warm:
        first = None if scene.newer or scene.gone or least else most
        found = recall(scene.documents(heads), query=scene.query, url=request.url, now=scene.now, most=first)
        placed = at_least(rank_behind(_placed(found), scene), request)
        return placed, len(heads) if first else sum(place.id not in scene.gone for place in placed)
    from ...ranking.index.recall import Wanted  # numpy is for processes that live long
    from .parts import recall_part

    wanted = Wanted(query=scene.query, url=request.url, now=scene.now, most=None if scene.newer else most, least=least)
    found, reaching = recall_part(heads, wanted)
    placed = at_least(rank_behind(_placed(found), scene), request)
    return placed, len(placed) if scene.newer else reaching


def _placed(recalled: tuple[Recalled, ...]) -> list[Placed]:
    return [
        Placed(
            id=one.id,
            score=one.score,
            reasons=one.reasons,
            matched_terms=one.matched_terms,
            needles=one.needles,
            parts=one.parts,
        )
        for one in recalled
    ]

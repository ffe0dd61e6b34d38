"""What search and context_pack share: ranking the memories of a scene against its query."""

from collections.abc import Mapping
from dataclasses import replace

from ...ranking.hits import Hit, Ranking
from ...ranking.search import search as rank
from ...store.resolve import Head
from .reading import ReadRequest, Scene
from .showing import Placed
from .wording import how_many


def rank_scene(scene: Scene, request: ReadRequest) -> Ranking:
    """The ranking of what is shown; of what has faded, with a warning, when nothing shown matches."""
    ranking = _explained(_rank(scene.shown, scene, request), scene)
    if ranking.hits or not scene.hidden:
        return ranking
    faded = _rank(scene.hidden, scene, request)
    if faded.hits:
        scene.warnings.append(
            f"All that matches has faded: {how_many(len(faded.hits))} (halfLifeDays "
            f"{scene.decay.half_life_days:g}), shown "
            'all the same. Reading one keeps it; decayConfig {"enabled": false} shows all without decay.'
        )
    return faded if faded.hits else ranking


def _explained(ranking: Ranking, scene: Scene) -> Ranking:
    """`ranking`, whose reason also says what it could look at."""
    total, considered = sum(1 for _ in scene.snapshot.active()), len(scene.shown) + len(scene.hidden)
    if total == 0:
        return replace(ranking, why="The store holds no memory yet.")
    if considered == 0:
        return replace(ranking, why=f"No memory passes the filters of the request; the store holds {how_many(total)}.")
    if considered < total and not ranking.hits:
        looked_at = f"Looked at: the {how_many(considered)} of {total} that pass the filters of the request."
        return replace(ranking, why=f"{ranking.why} {looked_at}")
    return ranking


def to_placed(hit: Hit) -> Placed:
    """A ranking's hit at its place in an answer."""
    return Placed(
        id=hit.id,
        score=hit.score,
        reasons=tuple(f"matches {term}" for term in hit.matched_terms),
        matched_terms=hit.matched_terms,
        needles=hit.needles,
        parts=hit.parts,
        collapsed=hit.collapsed,
    )


def _rank(heads: Mapping[str, Head], scene: Scene, request: ReadRequest) -> Ranking:
    documents = scene.documents(heads)
    query = scene.query or ""
    match request.search_options.ranking:
        case "tfidf":
            from ...ranking.tfidf import search_tfidf  # scikit-learn takes a second to import

            return search_tfidf(documents, query, now=scene.now)
        case "recent":
            ranking = rank(documents, query, now=scene.now, url=request.url)
            newest = sorted(ranking.hits, key=lambda hit: (heads[hit.id].memory.updated_at, hit.id), reverse=True)
            return replace(ranking, hits=tuple(newest))
        case "default":
            return rank(documents, query, now=scene.now, url=request.url)

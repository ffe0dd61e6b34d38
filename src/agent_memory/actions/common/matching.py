"""What search and context_pack share: ranking the memories of a scene against its query."""

from collections.abc import Mapping

from ...ranking.hits import Hit, Ranking
from ...ranking.search import search as rank
from ...store.resolve import Head
from .reading import ReadRequest, Scene
from .showing import Placed


def rank_scene(scene: Scene, request: ReadRequest) -> Ranking:
    """The ranking of what is shown; of what has faded, with a warning, when nothing shown matches."""
    ranking = _rank(scene.shown, scene, request)
    if ranking.hits or not scene.hidden:
        return ranking
    faded = _rank(scene.hidden, scene, request)
    if faded.hits:
        scene.warnings.append(
            f"All {len(faded.hits)} matches have faded (halfLifeDays {scene.decay.half_life_days:g}); they "
            "are shown all the "
            'same. Reading one keeps it; decayConfig {"enabled": false} shows all without decay.'
        )
    return faded if faded.hits else ranking


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
            return Ranking(hits=tuple(newest), verdict=ranking.verdict, why=ranking.why, unmatched=ranking.unmatched)
        case "default":
            return rank(documents, query, now=scene.now, url=request.url)

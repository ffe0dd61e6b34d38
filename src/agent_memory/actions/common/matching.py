"""What search and context_pack share: ranking the memories of a scene against its query."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...ranking.hits import Hit, Ranking
from ...ranking.search import search as rank
from ...store.resolve import Head
from .reading import ReadRequest, Scene
from .showing import Placed
from .wording import how_many

# What a hit says for itself beside the words it holds, by part of its score.
_SAID: Final = {
    "reply": "replies to a question that matches",
    "speaker": "said by whom the query names",
    "date": "of the time that the query names",
    "url": "of the same page or site",
}


def rank_scene(scene: Scene, request: ReadRequest, most: int | None = None) -> Ranking:
    """The ranking of what is shown; of what has faded, with a warning, when nothing shown matches.

    Of a warm store it may hold no more than the `most` first hits.
    """
    ranking = _explained(_rank(scene.shown, scene, request, most), scene)
    if ranking.hits or not scene.hidden:
        return ranking
    faded = _rank(scene.hidden, scene, request, most)
    if faded.hits:
        scene.warnings.append(
            f"All that matches has faded: {how_many(faded.total)} (halfLifeDays "
            f"{scene.decay.half_life_days:g}), shown "
            'all the same. Reading one keeps it; decayConfig {"enabled": false} shows all without decay.'
        )
    return faded if faded.hits else ranking


def count_hits(ranking: Ranking, placed: Sequence[Placed], scene: Scene) -> int:
    """How many hits there are in all that reach minScore, given those that are `placed`."""
    if len(ranking.hits) < ranking.total:
        return ranking.reaching
    return sum(place.id not in scene.gone for place in placed)


def _explained(ranking: Ranking, scene: Scene) -> Ranking:
    """`ranking`, whose reason also says what it could look at when it found nothing."""
    if ranking.hits:
        return ranking
    total = sum(scene.reach.admits(head.memory) for head in scene.snapshot.active())
    considered = len(scene.shown) + len(scene.hidden)
    if total == 0:
        return replace(ranking, why="The store holds no memory yet.")
    if considered == 0:
        return replace(ranking, why=f"No memory passes the filters of the request; the store holds {how_many(total)}.")
    if considered < total:
        looked_at = f"Looked at: the {how_many(considered)} of {total} that pass the filters of the request."
        return replace(ranking, why=f"{ranking.why} {looked_at}")
    return ranking


def to_placed(hit: Hit) -> Placed:
    """A ranking's hit at its place in an answer."""
    return Placed(
        id=hit.id,
        score=hit.score,
        reasons=(
            *(f"matches {term}" for term in hit.matched_terms),
            *(f"{word} for {term}" for term, word in hit.related),
            *(_SAID[part] for part in _SAID if part in hit.parts),
        ),
        matched_terms=hit.matched_terms,
        needles=hit.needles,
        parts=hit.parts,
        collapsed=hit.collapsed,
    )


def _rank(heads: Mapping[str, Head], scene: Scene, request: ReadRequest, most: int | None) -> Ranking:
    query = scene.query or ""
    match request.search_options.ranking:
        case "tfidf":
            from ...ranking.tfidf import search_tfidf  # scikit-learn takes a second to import

            return search_tfidf(scene.documents(heads), query, now=scene.now)
        case "recent":
            ranking = _by_evidence(heads, scene, request, None)
            newest = sorted(ranking.hits, key=lambda hit: (heads[hit.id].memory.updated_at, hit.id), reverse=True)
            return replace(ranking, hits=tuple(newest))
        case "default":
            return _by_evidence(heads, scene, request, most)


def _by_evidence(heads: Mapping[str, Head], scene: Scene, request: ReadRequest, most: int | None) -> Ranking:
    """`heads` by what they hold of the query: looked up in the index of a warm store, else read."""
    query, now, url = scene.query or "", scene.now, request.url
    if not scene.warm:
        return rank(scene.documents(heads), query, now=now, url=url)
    from ...ranking.index.search import Ask  # numpy is for processes that live long
    from .parts import look_up

    least = request.search_options.min_score or 0.0
    ask = Ask(query=query, now=now, url=url, most=most, least=least)
    ranking = look_up(heads, scene.kept, ask)
    steps_back = scene.newer and (least or any(hit.id in scene.newer for hit in ranking.hits))
    if steps_back or not scene.page.fits(ranking.hits):  # then others come forward
        return look_up(heads, scene.kept, replace(ask, most=None))
    return ranking

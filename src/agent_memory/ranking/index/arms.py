"""BM25 of all memories at once; the formula and its weights are those of `bm25`, added up in the same order."""

from collections.abc import Mapping

import numpy as np

from ..bm25 import damping, idf, saturated
from ..recipes import Recipe
from .columns import Flags, Floats, Ints, gather, total_by
from .held import Held
from .sessions import Talks


def score(held: Held, damped: Floats, total: int, k1: float, emphasis: Mapping[str, float]) -> Floats:
    """The score of every row, 0 where nothing of `held` stands; `total` memories are looked at."""
    if not len(held.rows):
        return np.zeros(len(damped))
    weights = _weights(held, total, emphasis)
    gains = saturated(held.counts, damped.take(held.rows), k1)
    gains *= weights.take(held.numbers)
    return total_by(held.rows, gains, len(damped))


def weight(held: Held, rows: int, total: int, emphasis: Mapping[str, float]) -> Floats:
    """The weight of all that each of `rows` rows holds, however often: what `once_damped` is a share of."""
    return total_by(held.rows, _weights(held, total, emphasis).take(held.numbers), rows)


def once_damped(damped: Floats, k1: float) -> Floats:
    """The share of its weight that a single mention gives each row, which its length damps by `damped`."""
    return saturated(np.ones(len(damped)), damped, k1)


def damp(lengths: Floats, mask: Flags, k1: float, b: float) -> Floats:
    """How the length of each row damps its counts, measured by the mean of the rows in `mask`."""
    counted = lengths[mask]
    mean = float(counted.sum()) / len(counted) if len(counted) else 0.0
    return damping(lengths, mean, k1, b)


def relative(scores: Floats, top: float = 0.0) -> Floats:
    """`scores` as shares of `top`, of the greatest of them where that is 0."""
    top = top or float(scores.max(initial=0.0))
    return scores / top if top > 0.0 else scores


def around(own: Floats, rows: Ints, talks: Talks, recipe: Recipe) -> Floats:
    """What each of `rows` gains from those before and after it in its session."""
    at = talks.place_of[rows]
    here = talks.session_at[at]
    gains = np.zeros(len(rows))
    for step, weight in ((-1, recipe.previous), (1, recipe.following), (-2, recipe.second), (2, recipe.second)):
        there = at + step
        gains += np.where(talks.session_at[there] == here, weight * own[talks.row_at[there]], 0.0)
    return gains


def session_scores(held: Held, damped: Floats, talks: Talks, recipe: Recipe) -> Floats:
    """BM25 of each session, greatest 1, and a 0 at the end for what is in none."""
    scores = np.zeros(talks.sessions + 1)
    if talks.sessions:
        session = talks.session_of[held.rows]
        inside = np.flatnonzero(session < talks.sessions)
        numbers, sessions, counts = gather(held.numbers[inside], session[inside], held.counts[inside], talks.sessions)
        sizes = np.bincount(numbers, minlength=len(held.keys))
        together = Held(held.keys, numbers, sessions, counts, sizes)
        scores[:-1] = relative(score(together, damped, talks.sessions, recipe.k1, {}))
    return scores


def _weights(held: Held, total: int, emphasis: Mapping[str, float]) -> Floats:
    """What each key of `held` weighs."""
    weights = np.array([idf(size, total) for size in held.sizes.tolist()])
    return weights * np.array([emphasis.get(str(key), 1.0) for key in held.keys]) if emphasis else weights

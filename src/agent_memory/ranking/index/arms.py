"""BM25 of all memories at once; the formula and its weights are those of `bm25`, added up in the same order."""

import numpy as np

from ..bm25 import damping, idf, saturated
from ..recipes import Recipe
from .columns import Flags, Floats, Ints, total_by
from .held import Held
from .sessions import Talks


def score(held: Held, damped: Floats, total: int, k1: float) -> Floats:
    """The score of every row, 0 where nothing of `held` stands; `total` memories are looked at."""
    sizes = held.sizes()
    weights = np.repeat(np.array([idf(int(size), total) for size in sizes]), sizes)
    gains = weights * saturated(held.counts, damped[held.rows], k1)
    return total_by(held.rows, gains, len(damped))


def damp(lengths: Floats, mask: Flags, k1: float, b: float) -> Floats:
    """How the length of each row damps its counts, measured by the mean of the rows in `mask`."""
    counted = lengths[mask]
    mean = float(counted.sum()) / len(counted) if len(counted) else 0.0
    return damping(lengths, mean, k1, b)


def relative(scores: Floats) -> Floats:
    """`scores` as shares of the greatest."""
    top = scores.max(initial=0.0)
    return scores / top if top > 0.0 else scores


def around(own: Floats, talks: Talks, recipe: Recipe) -> Floats:
    """What each row gains from those before and after it in its session."""
    gains = np.zeros(len(own))
    near = np.zeros(len(talks.rows))
    scores = own[talks.rows]
    for step, weight in ((-1, recipe.previous), (1, recipe.following), (-2, recipe.second), (2, recipe.second)):
        here, there = (slice(-step, None), slice(None, step)) if step < 0 else (slice(None, -step), slice(step, None))
        same = talks.session[here] == talks.session[there]
        near[here] += np.where(same, weight * scores[there], 0.0)
    gains[talks.rows] = near
    return gains


def session_scores(held: Held, lengths: Floats, talks: Talks, recipe: Recipe) -> Floats:
    """BM25 of each row's whole session, greatest 1; 0 without a session."""
    spread = np.zeros(len(lengths))
    if not talks.sessions:
        return spread
    session_of = np.full(len(lengths), -1)
    session_of[talks.rows] = talks.session
    sizes = total_by(talks.session, lengths[talks.rows], talks.sessions)
    together = _by_session(held, session_of, talks.sessions)
    scores = relative(
        score(together, damp(sizes, np.ones(len(sizes), bool), recipe.k1, recipe.b_long), len(sizes), recipe.k1)
    )
    spread[talks.rows] = scores[talks.session]
    return spread


def _by_session(held: Held, session_of: Ints, sessions: int) -> Held:
    rows: list[Ints] = []
    counts: list[Floats] = []
    for begin, end in zip(held.starts[:-1], held.starts[1:], strict=True):
        session = session_of[held.rows[begin:end]]
        inside = session >= 0
        sums = total_by(session[inside], held.counts[begin:end][inside], sessions)
        found = np.flatnonzero(sums)
        rows.append(found)
        counts.append(sums[found])
    starts = np.cumsum([0, *map(len, rows)])
    return Held(
        held.keys,
        np.concatenate(rows) if rows else starts[:0],
        np.concatenate(counts) if counts else np.zeros(0),
        starts,
    )

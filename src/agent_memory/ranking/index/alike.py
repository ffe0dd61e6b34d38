"""How near rows come to the first of them: `alike.likeness`, by the numbers of their words."""

from collections.abc import Sequence
from math import fsum, log

import numpy as np

from ..alike import CORE, shares
from .columns import Floats, Ints, spans, total_by
from .language import Language
from .words import Words


def likeness_of(rows: Ints, sums: Sequence[float], words: Words, language: Language) -> list[float]:
    """As `alike.likeness`, for `rows`."""
    starts, size = words.starts.values, len(rows)
    begins = starts[rows]
    lengths = starts[rows + 1] - begins
    stems = language.stems.values[words.tokens.values[spans(begins, lengths)]]
    known = stems >= 0
    found, numbers = np.unique(stems[known], return_inverse=True)
    held, counts = np.unique(numbers * size + np.repeat(np.arange(size), lengths)[known], return_counts=True)
    stem, text = held // size, held % size
    holding = np.bincount(stem, minlength=len(found))
    shared = holding[stem] > 1
    stem, text, counts = stem[shared], text[shared], counts[shared]
    often = np.array([0.0, *(1.0 + log(count) for count in range(1, int(counts.max(initial=0)) + 1))])
    rare = np.array([0.0, *(log((size + 1) / number) for number in range(1, size + 1))])
    values = often[counts] * rare[holding[stem]]
    values /= np.sqrt(_total_of_each(text, values * values, size))[text]
    weights = np.array(sums) / sums[0]
    core = text < CORE
    centre = total_by(stem[core], values[core] * weights[text[core]], len(found))
    return shares(_total_of_each(text, values * centre[stem], size).tolist(), weights[:CORE].tolist())


def _total_of_each(texts: Ints, values: Floats, size: int) -> Floats:
    """The sum of the values of each of `size` texts, exact to the last digit: stems come in no order of their own."""
    order = np.argsort(texts, kind="stable")
    ends = np.cumsum(np.bincount(texts, minlength=size))[:-1]
    return np.array([fsum(part.tolist()) for part in np.split(values[order], ends)])

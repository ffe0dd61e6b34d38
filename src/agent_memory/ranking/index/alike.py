"""How near rows come to the first of them: `alike.likeness`, by the numbers of their words."""

from collections.abc import Sequence

import numpy as np

from ..alike import CORE, shares
from .columns import Ints, spans, total_by
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
    cells = np.bincount(numbers * size + np.repeat(np.arange(size), lengths)[known], minlength=len(found) * size)
    held = np.flatnonzero(cells)
    stem, text = held // size, held % size
    holding = np.bincount(stem, minlength=len(found))
    shared = holding[stem] > 1
    held, stem, text = held[shared], stem[shared], text[shared]
    values = (1.0 + np.log(cells[held])) * np.log((size + 1) / holding[stem])
    values /= np.sqrt(total_by(text, values * values, size))[text]
    weights = np.array(sums) / sums[0]
    core = text < CORE
    centre = total_by(stem[core], values[core] * weights[text[core]], len(found))
    return shares(total_by(text, values * centre[stem], size).tolist(), weights[:CORE].tolist())

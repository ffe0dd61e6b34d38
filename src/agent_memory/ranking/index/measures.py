"""What is measured of the memories that a request may look at; it is the same for one query after another."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..alike import are_long
from ..context import length_weight
from ..recipes import Recipe
from .arms import damp, once_damped
from .columns import Flags, Floats, total_by
from .language import Language
from .sessions import Sessions, Talks

_KEPT: Final = 4


@dataclass(frozen=True, slots=True)
class Measures:
    """Of the rows in `mask`: how many there are, how their lengths damp counts (and a run of 1), and their sessions.

    `limits` is the mask again, None where it lets every row through; `long` as for `alike.are_long`.
    """

    mask: Flags
    limits: Flags | None
    total: int
    damped: Floats
    gram_damped: Floats
    gram_once: Floats
    talks: Talks
    talk_damped: Floats
    long: bool


class Measured:
    """The measures that were taken last, of one language and recipe each."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Recipe], list[Measures]] = {}

    def of(self, mask: Flags, language: Language, recipe: Recipe, sessions: Sessions) -> Measures:
        """The measures of the rows in `mask`."""
        kept = self._kept.setdefault((language.name, recipe), [])
        found = next((one for one in kept if np.array_equal(one.mask, mask)), None)
        if found is None:
            kept[:] = [one for one in kept if len(one.mask) == len(mask)][1 - _KEPT :]
            found = _measure(mask.copy(), language, recipe, sessions)
            kept.append(found)
        return found


def _measure(mask: Flags, language: Language, recipe: Recipe, sessions: Sessions) -> Measures:
    total = int(np.count_nonzero(mask))
    lengths = language.lengths.values
    mean = float(lengths[mask].sum()) / total if total else 0.0
    talks = sessions.among(mask)
    b = length_weight(mean, len(talks.rows), total, recipe)
    gram_damped = damp(language.gram_lengths.values, mask, recipe.k1, b)
    sizes = total_by(talks.session, lengths[talks.rows], talks.sessions)
    return Measures(
        mask=mask,
        limits=None if mask.all() else mask,
        total=total,
        damped=damp(lengths, mask, recipe.k1, b),
        gram_damped=gram_damped,
        gram_once=once_damped(gram_damped, recipe.k1),
        talks=talks,
        long=are_long(mean, len(talks.rows), total, recipe),
        talk_damped=damp(sizes, np.ones(len(sizes), bool), recipe.k1, recipe.b_long),
    )

"""Arrays that grow at their end, and numbers kept by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FIRST: Final = 64
_GROWTH: Final = 1.25
# A row of counts for all memories pays from this share of them on; below it, sorting what there is.
_DENSE: Final = 0.05


class Column:
    """A one-dimensional array to which values are added; what was added never changes."""

    def __init__(self, dtype: Any) -> None:
        self._room: NDArray[Any] = np.empty(_FIRST, dtype)
        self.size = 0

    @property
    def values(self) -> NDArray[Any]:
        """All values so far."""
        return self._room[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes taken, with the room kept for growth."""
        return self._room.nbytes

    def extend(self, added: Sequence[Any] | NDArray[Any]) -> None:
        """Add values at the end."""
        end = self.size + len(added)
        if end > len(self._room):
            room = np.empty(max(end, int(len(self._room) * _GROWTH)), self._room.dtype)
            room[: self.size] = self.values
            self._room = room
        self._room[self.size : end] = added
        self.size = end


@dataclass(frozen=True, slots=True)
class Postings:
    """Numbers by key: those of `keys[i]` (ascending) are `numbers[starts[i]:starts[i + 1]]`, with their `counts`."""

    keys: Ints
    starts: Ints
    numbers: Ints
    counts: NDArray[Any]

    @property
    def nbytes(self) -> int:
        """Bytes taken."""
        return self.keys.nbytes + self.starts.nbytes + self.numbers.nbytes + self.counts.nbytes

    def find(self, wanted: Ints) -> tuple[Ints, Ints]:
        """The places of all numbers of the keys in `wanted`, key by key, and for each the place of its key there."""
        if not len(self.keys):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        known = np.flatnonzero(self.keys[at] == wanted)
        begins = self.starts[at[known]]
        sizes = self.starts[at[known] + 1] - begins
        return spans(begins, sizes), np.repeat(known, sizes)


def spans(begins: Ints, sizes: Ints) -> Ints:
    """The numbers from each of `begins` on, as many as its size says, one span after another."""
    return np.repeat(begins - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))


def total_by(rows: Ints, weights: Floats, total: int) -> Floats:
    """The sum of the weights of each of `total` rows, added in their order."""
    return np.bincount(rows, weights, total).astype(np.float64, copy=False)


def add_up(rows: Ints, weights: Floats, total: int) -> tuple[Ints, Floats]:
    """The distinct `rows` (of `total` possible ones), ascending, and the sum of the weights of each."""
    if len(rows) > _DENSE * total:
        sums = total_by(rows, weights, total)
        found = np.flatnonzero(sums)
        return found, sums[found]
    if not len(rows):
        return rows, weights
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[first], np.add.reduceat(weights[order], first)

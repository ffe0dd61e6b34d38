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
_WAITING: Final = 65_536
_GROWTH: Final = 1.25
# A row of counts for all memories pays from this share of them on; below it, sorting what there is.
_DENSE: Final = 0.05


class Column:
    """A one-dimensional array to which values are added. Those added one by one wait in a list until they are read."""

    def __init__(self, dtype: Any) -> None:
        self._room: NDArray[Any] = np.empty(_FIRST, dtype)
        self._filled = 0
        self._waiting: list[Any] = []

    @property
    def size(self) -> int:
        """How many values there are."""
        return self._filled + len(self._waiting)

    @property
    def values(self) -> NDArray[Any]:
        """All values so far."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._fill(np.array(waiting, self._room.dtype))
        return self._room[: self._filled]

    @property
    def nbytes(self) -> int:
        """Bytes taken, with the room kept for growth."""
        return self._room.nbytes

    def append(self, value: Any) -> None:
        """Add one value at the end."""
        self._waiting.append(value)

    def extend(self, added: Sequence[Any] | NDArray[Any]) -> None:
        """Add values at the end."""
        if isinstance(added, np.ndarray):
            _ = self.values
            self._fill(added)
        else:
            self._waiting.extend(added)
            if len(self._waiting) > _WAITING:
                _ = self.values

    def _fill(self, added: NDArray[Any]) -> None:
        end = self._filled + len(added)
        if end > len(self._room):
            room = np.empty(max(end, int(len(self._room) * _GROWTH)), self._room.dtype)
            room[: self._filled] = self._room[: self._filled]
            self._room = room
        self._room[self._filled : end] = added
        self._filled = end


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


def by_number(numbers: Ints, most: int) -> Ints:
    """The order that sorts `numbers`, which are below `most`, equal ones as they stand: few are sorted by digits."""
    narrow = numbers.astype(np.uint16) if most <= np.iinfo(np.uint16).max else numbers
    return np.argsort(narrow, kind="stable")


def distinct(total: int, *rows: Ints) -> Ints:
    """The distinct rows in all of `rows`, ascending; there are `total` possible ones."""
    seen = np.zeros(total, bool)
    for some in rows:
        seen[some] = True
    return np.flatnonzero(seen)


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

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
# So many spans are copied faster one by one than through the places of all their values.
_FEW: Final = 128
NEAR: Final = 1e-9
"""Sums of the same numbers in another order differ by less than this."""


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
        """Where the numbers of each key in `wanted` begin, and how many it has."""
        if not len(self.keys):
            return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.int64)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        begins = self.starts[at]
        return begins, np.where(self.keys[at] == wanted, self.starts[at + 1] - begins, 0)


def find_in_each(postings: Sequence[Postings], wanted: Ints) -> tuple[Ints, Ints]:
    """`Postings.find` in each of `postings`, a row for each."""
    found = np.zeros((2, len(postings), len(wanted)), np.int64)
    for number, one in enumerate(postings):
        found[:, number] = one.find(wanted)
    return found[0], found[1]


def drawn(values: NDArray[Any], begins: Ints, sizes: Ints) -> NDArray[Any]:
    """Those of `values` from each of `begins` on, as many as its size says, one span after another."""
    if len(begins) > _FEW:
        return values.take(spans(begins, sizes))
    ends = (begins + sizes).tolist()
    return np.concatenate([values[:0], *(values[begin:end] for begin, end in zip(begins.tolist(), ends, strict=True))])


def interleaved(arrays: Sequence[NDArray[Any]], begins: Ints, sizes: Ints) -> NDArray[Any]:
    """The spans of several `arrays`, a row of `begins` and `sizes` for each: all first ones, then all second ones."""
    if begins.size > _FEW:
        spans_of_each = len(begins[0])
        numbers = np.repeat(np.tile(np.arange(spans_of_each), len(arrays)), sizes.ravel())
        return np.concatenate([*map(drawn, arrays, begins, sizes)])[by_number(numbers, spans_of_each)]
    each = zip(begins.T.tolist(), (begins + sizes).T.tolist(), strict=True)
    parts = (array[begin:end] for span in each for array, begin, end in zip(arrays, *span, strict=True))
    return np.concatenate([np.zeros(0, np.uint8), *parts])


def spans(begins: Ints, sizes: Ints, kind: type[np.integer[Any]] = np.int64) -> Ints:
    """The numbers from each of `begins` on, as many as its size says, one span after another."""
    numbers = np.repeat((begins - (np.cumsum(sizes) - sizes)).astype(kind), sizes)
    numbers += np.arange(len(numbers), dtype=kind)
    return numbers


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


def gather(keys: Ints, rows: Ints, weights: Floats, total: int) -> tuple[Ints, Ints, Floats]:
    """The distinct pairs of a key and one of `total` rows, sorted, and the sum of the weights of each."""
    codes = keys * total + rows
    if np.any(codes[1:] < codes[:-1]):
        order = np.argsort(codes, kind="stable")
        codes, keys, rows, weights = codes[order], keys[order], rows[order], weights[order]
    other = codes[1:] != codes[:-1]
    if other.all():
        return keys, rows, weights
    first = np.flatnonzero(np.concatenate(([True], other)))
    return keys.take(first), rows.take(first), np.add.reduceat(weights, first)


def greatest(scores: Floats, most: int | None) -> Ints:
    """The places of the `most` greatest of `scores`, and of those that come as near as makes no difference."""
    if most is None or most >= len(scores):
        return np.arange(len(scores))
    if not most:
        return np.zeros(0, np.int64)
    least = np.partition(scores, len(scores) - most)[len(scores) - most]
    return np.flatnonzero(scores >= least - NEAR)

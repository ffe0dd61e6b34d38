"""Numbers by hash, in little room: the latest wait in a table, the rest stand in sorted arrays."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from .columns import Ints

_RECENT: Final = 16_384


class Hashed:
    """A hash, any 64-bit number with its sign, may have several numbers, each of 32 bits."""

    def __init__(self) -> None:
        self._hashes: Ints = np.zeros(0, np.int64)
        self._numbers: Ints = np.zeros(0, np.int32)
        self._recent: dict[int, list[int]] = {}
        self._waiting = 0

    def add(self, hashes: Iterable[int], number: int) -> None:
        """Add `number` to each of `hashes`."""
        for hashed in hashes:
            self._recent.setdefault(hashed, []).append(number)
            self._waiting += 1
        if self._waiting >= _RECENT:
            self._sort()

    def find(self, hashes: Sequence[int]) -> list[int]:
        """The numbers of each of `hashes`, those of one in the order in which they were added."""
        wanted = np.array(hashes, np.int64)
        begins = self._hashes.searchsorted(wanted).tolist()
        ends = self._hashes.searchsorted(wanted, side="right").tolist()
        found: list[int] = []
        for hashed, begin, end in zip(hashes, begins, ends, strict=True):
            if begin < end:
                found += self._numbers[begin:end].tolist()
            found += self._recent.get(hashed, ())
        return found

    def _sort(self) -> None:
        added = [(hashed, number) for hashed, numbers in self._recent.items() for number in numbers]
        hashes, numbers = np.array(added, np.int64).T
        joined = np.concatenate((self._hashes, hashes))
        order = np.argsort(joined, kind="stable")
        self._hashes = joined[order]
        self._numbers = np.concatenate((self._numbers, numbers.astype(np.int32)))[order]
        self._recent, self._waiting = {}, 0

"""The sessions of the memories, and their turns in the order in which they were said."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from ..context import moment
from ..document import Document
from .columns import Column, Flags, Ints

_PAD: Final = 2


@dataclass(frozen=True, slots=True)
class Talks:
    """The sessions of two or more memories, numbered from 0: how many, and `rows` session by session in order.

    `session_of` each row is `sessions` where it is in none. `row_at` and `session_at` are those of `rows` by place,
    with room around them: two places on, either way, is always a place, of another session where this one ends.
    `place_of` each row is one that stands alone where the row is in no session.
    """

    sessions: int
    rows: Ints
    session: Ints
    session_of: Ints
    row_at: Ints
    session_at: Ints
    place_of: Ints


def _talks(rows: Ints, session: Ints, sessions: int, total: int) -> Talks:
    edge, alone = np.full(_PAD, -1), np.array([-1, -1, -2, -1, -1])
    session_of = np.full(total, sessions)
    session_of[rows] = session
    place_of = np.full(total, _PAD + len(rows) + 2)
    place_of[rows] = np.arange(_PAD, _PAD + len(rows))
    return Talks(
        sessions=sessions,
        rows=rows,
        session=session,
        session_of=session_of,
        row_at=np.concatenate((np.zeros(_PAD, rows.dtype), rows, np.zeros(len(alone), rows.dtype))),
        session_at=np.concatenate((edge, session, alone)),
        place_of=place_of,
    )


class Sessions:
    """Which session each row belongs to, -1 for none. `documents` is the caller's list, by row."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._numbers: dict[tuple[str | None, str], int] = {}
        self._of_row = Column(np.int32)
        self._turns: list[list[int]] = []
        self._order: Ints | None = None

    def add(self) -> None:
        """Add the next row, the document of which stands in the caller's list by now."""
        row = self._of_row.size
        document = self._documents[row]
        if document.session_id is None:
            self._of_row.append(-1)
            return
        number = self._numbers.setdefault((document.project_id, document.session_id), len(self._turns))
        if number == len(self._turns):
            self._turns.append([])
        turns = self._turns[number]
        place = bisect_left(turns, moment(document), key=lambda other: moment(self._documents[other]))
        turns.insert(place, row)
        self._of_row.append(number)
        if self._order is not None:
            begin = int(np.count_nonzero(self._of_row.values[:row] < number)) - self._without(row)
            if number == len(self._turns) - 1:
                begin = len(self._order) - len(turns) + 1
            self._order = np.insert(self._order, begin + place, row)

    def among(self, mask: Flags) -> Talks:
        """The sessions of the rows in `mask`, as far as they still have two or more."""
        order = self._ordered()
        rows = order[mask[order]]
        numbers = self._of_row.values[rows]
        first = np.flatnonzero(np.concatenate(([True], numbers[1:] != numbers[:-1]))) if len(rows) else rows
        sizes = np.diff(np.append(first, len(rows)))
        alone = np.repeat(sizes == 1, sizes)
        several = sizes[sizes > 1]
        session = np.repeat(np.arange(len(several)), several)
        return _talks(rows[~alone], session, len(several), len(mask))

    def turns(self, rows: Iterable[int], mask: Flags) -> dict[int, tuple[int, int]]:
        """By row: the session and the place there of all in `mask` whose session has one of `rows` and is of two."""
        numbers: list[int] = self._of_row.values[[*rows]].tolist()
        talks = {n: [row for row in self._turns[n] if mask[row]] for n in sorted({*numbers}) if n >= 0}
        return {row: (n, at) for n, talk in talks.items() if len(talk) > 1 for at, row in enumerate(talk)}

    def forget_order(self) -> None:
        """Order all rows anew when they are next asked for: cheaper than one by one after many additions."""
        self._order = None

    def _without(self, row: int) -> int:
        return int(np.count_nonzero(self._of_row.values[:row] < 0))

    def _ordered(self) -> Ints:
        if self._order is None:
            self._order = np.fromiter(chain.from_iterable(self._turns), np.int32)
        return self._order

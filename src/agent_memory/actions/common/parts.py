"""What a read of a warm store looks up in its table: some of the memories by row, and what is found among them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...ranking.affinity import Recalled
from ...ranking.hits import Ranking
from ...ranking.index.columns import Flags, Floats
from ...ranking.index.recall import Wanted, recall_index
from ...ranking.index.search import Ask, holding_index, search_index
from ...ranking.query import Query
from ...ranking.site import site_of
from ...store.resolve import Head
from .table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Part(Mapping[str, Head]):
    """Some of the heads of a snapshot: those of the rows in `mask`. Not for use after the table has moved on."""

    table: Table
    heads: Mapping[str, Head]
    mask: Flags

    def __getitem__(self, memory_id: str) -> Head:
        if not self.mask[self.table.index.rows[memory_id]]:
            raise KeyError(memory_id)
        return self.heads[memory_id]

    def __iter__(self) -> Iterator[str]:
        return (memory_id for memory_id in self.heads if memory_id in self)

    def __len__(self) -> int:
        return int(np.count_nonzero(self.mask))


@dataclass(frozen=True, slots=True, eq=False)
class Kept(Mapping[str, float]):
    """What each memory retains of its confidence, by id; `by_row` is the same by row."""

    table: Table
    by_row: Floats

    def __getitem__(self, memory_id: str) -> float:
        return float(self.by_row[self.table.index.rows[memory_id]])

    def __iter__(self) -> Iterator[str]:
        return iter(self.table.index.rows)

    def __len__(self) -> int:
        return len(self.table.index.rows)


def look_up(part: Mapping[str, Head], kept: Mapping[str, float], ask: Ask) -> Ranking:
    """What a search of `part` answers, by the index; both are parts of one table."""
    if not isinstance(part, Part) or not isinstance(kept, Kept):
        raise TypeError(type(part))
    return search_index(part.table.index, replace(ask, mask=part.mask, retained=kept.by_row))


def count_holding(part: Mapping[str, Head], asked: Query) -> dict[str, int]:
    """How many memories of `part` hold each term of `asked`, by the index."""
    if not isinstance(part, Part):
        raise TypeError(type(part))
    return holding_index(part.table.index, asked, part.mask)


def recall_part(part: Mapping[str, Head], wanted: Wanted) -> tuple[tuple[Recalled, ...], int]:
    """What recall answers of `part`, by the index."""
    if not isinstance(part, Part):
        raise TypeError(type(part))
    return recall_index(part.table.index, replace(wanted, mask=part.mask))


def turns_in(
    shown: Mapping[str, Head], hidden: Mapping[str, Head], memory_ids: Iterable[str]
) -> dict[str, tuple[int, int]]:
    """By id: the session and the place there of each in both parts that is of the session of one of `memory_ids`."""
    if not isinstance(shown, Part) or not isinstance(hidden, Part):
        raise TypeError(type(shown))
    index = shown.table.index
    found = index.sessions.turns([index.rows[memory_id] for memory_id in memory_ids], shown.mask | hidden.mask)
    return {index.documents[row].id: turn for row, turn in found.items()}


def of_site(part: Mapping[str, Head], url: str) -> dict[str, Head]:
    """Those of `part` that may be of the page `url` or its site."""
    if not isinstance(part, Part):
        raise TypeError(type(part))
    index, site = part.table.index, site_of(url)
    rows = range(len(index.documents)) if site is None else index.sites.get(site, ())
    near = (index.documents[row].id for row in rows if part.mask[row])
    return {memory_id: part.heads[memory_id] for memory_id in near}

"""The memories of a warm store in columns: a read narrows and searches them without touching each one."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

import numpy as np

from ...lifecycle.decay import TOLERANCE, Decay, exempt, left
from ...lifecycle.scope import Reach
from ...lifecycle.visibility import Filter
from ...models.instant import SECONDS_A_DAY
from ...models.vocabulary import Scope, State
from ...ranking.index.columns import Column, Flags, Floats
from ...ranking.index.index import Index
from ...store.access import Accessed, Accesses
from ...store.derived import Recipe
from ...store.resolve import Head
from ...store.snapshot import Snapshot
from .documents import to_document
from .newer import newer_of

_FILTERS: Final = 32
_NEVER: Final = float("-inf")
_UNSCOPED: Final = (None, Scope.GLOBAL)


class Table:
    """All memories that a read may find, by row of `index`; brought up to date in place."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.index = Index()
        self._heads: list[Head] = []
        self._clear()
        self.follow(snapshot, snapshot.heads)

    def follow(self, snapshot: Snapshot, changed: Iterable[str]) -> None:
        """Become what a table of `snapshot` would be; the heads of all ids but `changed` are as they were."""
        changed = [*changed]
        found = [head for i in changed if (head := snapshot.heads.get(i)) is not None and not head.state.hidden]
        generation = self.index.generation
        self.index.update(added=(to_document(head, head.memory.confidence) for head in found), removed=changed)
        if self.index.generation != generation:
            self._clear()
            found = [snapshot.heads[document.id] for document in self.index.documents]
        for head in found:
            self._add(head)

    def admitted(self, limits: Filter) -> Flags:
        """The rows of the memories that `limits` let through."""
        if not (self._scoped or limits.reach.strict):  # then every caller reaches every memory
            limits = replace(limits, reach=Reach())
        column = self._admitted.pop(limits, None)
        if column is None:
            column = Column(np.bool_)
            column.extend([_admits(limits, head) for head in self._heads])
        self._admitted[limits] = column
        while len(self._admitted) > _FILTERS:
            del self._admitted[next(iter(self._admitted))]
        return column.values & self.index.alive()

    def kept(self, snapshot: Snapshot, now: str, decay: Decay) -> Floats:
        """What each row retains of its confidence: `lifecycle.decay.retained`."""
        confidence = self.index.confidence.values
        if not decay.enabled:
            return confidence
        then = datetime.fromisoformat(now).timestamp()
        self._read_access(snapshot.access)
        accessed = self._accessed.values.copy()
        for row in np.flatnonzero(accessed > then):
            accessed[row] = _instant(snapshot.accessed(self._heads[row].memory, now))
        days = np.maximum(0.0, then - np.maximum(accessed, self.index.updated.values)) / SECONDS_A_DAY
        return np.where(self._exempt.values, confidence, left(confidence, days, decay.half_life_days))

    def faded(self, kept: Floats, decay: Decay) -> Flags:
        """Which rows reads hide, given what each has `kept`: `lifecycle.decay.faded` of the active ones."""
        if not decay.enabled:
            return np.zeros(len(kept), bool)
        return ~self._archived.values & ~self._exempt.values & (kept <= decay.prune_threshold + TOLERANCE)

    def newer(self, snapshot: Snapshot, limits: Filter) -> dict[str, str]:
        """What supersedes what for whom `limits` are."""
        rows = self.index.rows
        heads = [self._heads[row] for row in self._superseding if rows.get(self._heads[row].memory.id) == row]
        return newer_of(snapshot, limits.whole().admits, heads)

    def _clear(self) -> None:
        self._heads.clear()
        self._scoped = False
        self._superseding: list[int] = []
        self._archived = Column(np.bool_)
        self._exempt = Column(np.bool_)
        self._accessed = Column(np.float64)
        self._access: Accesses = {}
        self._changes = 0
        self._admitted: dict[Filter, Column] = {}

    def _add(self, head: Head) -> None:
        memory = head.memory
        if memory.supersedes is not None:
            self._superseding.append(len(self._heads))
        self._heads.append(head)
        self._scoped = self._scoped or memory.scope not in _UNSCOPED
        self._archived.append(head.state is State.ARCHIVED)
        self._exempt.append(exempt(memory))
        self._accessed.extend((_latest(self._access.get(memory.id, ())),))
        for limits, column in self._admitted.items():
            column.append(_admits(limits, head))

    def _read_access(self, access: Accesses) -> None:
        """Take in the times of access that have changed."""
        before, values, rows = self._access, self._accessed.values, self.index.rows
        if isinstance(before, Accessed):
            for memory_id in before.changes[self._changes :]:
                if (row := rows.get(memory_id)) is not None:
                    values[row] = _latest(before[memory_id])
        if access is not before:
            for memory_id, row in rows.items():
                times = access.get(memory_id, ())
                if times is not before.get(memory_id, ()):
                    values[row] = _latest(times)
        self._access = access
        self._changes = len(access.changes) if isinstance(access, Accessed) else 0


def _admits(limits: Filter, head: Head) -> bool:
    return (limits.include_archived or head.state is State.ACTIVE) and limits.admits(head.memory)


def _latest(times: tuple[str, ...]) -> float:
    return _instant(times[0]) if times else _NEVER


def _instant(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _follow(table: Table, snapshot: Snapshot, changed: frozenset[str]) -> Table:
    table.follow(snapshot, changed)
    return table


TABLE: Final = Recipe(build=Table, extend=_follow)

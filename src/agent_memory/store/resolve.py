"""The state of one memory as a function of the set of its revisions, whatever their order of arrival."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..models.memory import Memory
from ..models.revision import Origin, Revision
from ..models.vocabulary import State
from .codec import Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A memory as it stands now. `conflicts` are hashes of concurrent revisions that lost; sizes are bytes."""

    memory: Memory
    state: State
    number: int
    hash: str
    origin: Origin
    conflicts: tuple[str, ...]
    size: int
    history_size: int

    @property
    def revision(self) -> str:
        """How people name this state: its number and the beginning of its hash."""
        return label(self.number, self.hash)


def label(number: int, revision_hash: str) -> str:
    """The name of a revision: `3.fb522cc0`."""
    return f"{number}.{revision_hash[:8]}"


def resolve(revisions: Sequence[Stored]) -> Head:
    """The head of the memory that `revisions` (at least one, all of one id) make up.

    A purge absorbs everything, a forget every revision that does not descend from it; among the rest the highest
    number wins, then the later time, then the greater hash.
    """
    if len(revisions) == 1:
        return _head(revisions[0], (), 0)
    if purges := [stored for stored in revisions if stored.revision.state is State.PURGED]:
        return _head(max(purges, key=_precedence), (), 0)
    by_hash = {stored.key.hash: stored for stored in revisions}
    forgets = {h for h, stored in by_hash.items() if stored.revision.state is State.FORGOTTEN}
    lines = {h: _ancestors(h, by_hash) for h in by_hash}
    standing = [s for h, s in by_hash.items() if h not in forgets and forgets <= lines[h]]
    peers = standing or [by_hash[h] for h in forgets]
    winner = max(peers, key=_precedence)
    superseded = {parent for stored in by_hash.values() for parent in stored.revision.parents}
    rivals = [s.key.hash for s in peers if s is not winner and s.key.hash not in superseded | lines[winner.key.hash]]
    return _head(winner, tuple(sorted(rivals)), sum(s.size for s in by_hash.values()) - winner.size)


def _precedence(stored: Stored) -> tuple[int, str, str]:
    return stored.revision.number, stored.revision.at, stored.key.hash


def _ancestors(start: str, by_hash: dict[str, Stored]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = [*by_hash[start].revision.parents]
    while waiting:
        parent = waiting.pop()
        if parent not in seen:
            seen.add(parent)
            if parent in by_hash:
                waiting.extend(by_hash[parent].revision.parents)
    return frozenset(seen)


def _head(winner: Stored, conflicts: tuple[str, ...], history_size: int) -> Head:
    revision: Revision = winner.revision
    return Head(
        memory=revision.memory,
        state=revision.state,
        number=revision.number,
        hash=winner.key.hash,
        origin=revision.origin,
        conflicts=conflicts,
        size=winner.size,
        history_size=history_size,
    )

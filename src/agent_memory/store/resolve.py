"""The state of one memory as a function of the set of its revisions, whatever their order of arrival."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from ..models.memory import Memory
from ..models.revision import Origin, Revision
from ..models.vocabulary import State
from .codec import Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A memory as it stands now.

    `dedupe` is what active duplicates share; `conflicts` are hashes of concurrent revisions that lost; sizes are bytes.
    `reinforcements` are the instants at which it was written down again, the first first.
    """

    memory: Memory
    state: State
    number: int
    hash: str
    origin: Origin
    dedupe: str
    conflicts: tuple[str, ...]
    size: int
    history_size: int
    reinforcements: tuple[str, ...] = ()

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
    parents = {h: stored.revision.parents for h, stored in by_hash.items()}
    forgets = {h for h, stored in by_hash.items() if stored.revision.state is State.FORGOTTEN}
    standing = by_hash.keys() - forgets
    if forgets:
        children = _children(parents)
        standing = standing.intersection(*(_reach(forget, children) for forget in forgets))
    peers = [by_hash[h] for h in standing or forgets]
    winner = max(peers, key=_precedence)
    superseded = {parent for group in parents.values() for parent in group} | _reach(winner.key.hash, parents)
    superseded.add(winner.key.hash)
    rivals = sorted(s.key.hash for s in peers if s.key.hash not in superseded and not s.revision.is_note)
    head = _head(winner, tuple(rivals), sum(s.size for s in by_hash.values()) - winner.size)
    again = sorted(stored.revision.at for stored in by_hash.values() if stored.revision.reinforces)
    return replace(head, reinforcements=tuple(again)) if again else head


def counts(revision_hash: str, head: Head, revisions: Iterable[Stored]) -> bool:
    """Whether a revision is `head`, or one that `head` follows from or names as a conflict; else it is absorbed."""
    parents = {stored.key.hash: stored.revision.parents for stored in revisions}
    return revision_hash in {head.hash, *head.conflicts} | _reach(head.hash, parents)


def since(head: Head, revisions: Sequence[Stored], of: Callable[[Memory], object]) -> Revision:
    """The revision since which `of` the memory is what it is at `head`; what was only proposed does not count."""
    if len(revisions) == 1:
        return revisions[0].revision
    by_hash = {stored.key.hash: stored.revision for stored in revisions}
    found = by_hash[head.hash]
    now = of(found.memory)
    while (earlier := by_hash.get(next(iter(found.parents), ""))) and not earlier.state.queued:
        if of(earlier.memory) != now:
            break
        found = earlier
    return found


def changed_since(head: Head, revisions: Sequence[Stored], at: str, of: Callable[[Memory], object]) -> bool:
    """Whether `of` the memory is known to be another than it was at the instant `at`, or first was if that is later."""
    by_hash = {stored.key.hash: stored.revision for stored in revisions}
    found = by_hash[head.hash]
    while found.at > at and found.parents:
        earlier = by_hash.get(found.parents[0])
        if earlier is None:  # it is damaged
            return False
        if earlier.state.queued:
            break
        found = earlier
    return of(found.memory) != of(head.memory)


def said_at(head: Head, revisions: Sequence[Stored]) -> str:
    """Since when a memory says what it says: its `updatedAt` as its content was written, no tag or the like since."""
    written, memory = since(head, revisions, attrgetter("content")).memory, head.memory
    return memory.created_at if written.updated_at == written.created_at else written.updated_at


def _precedence(stored: Stored) -> tuple[int, str, str]:
    return stored.revision.number, stored.revision.at, stored.key.hash


def _children(parents: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for child, group in parents.items():
        for parent in group:
            children.setdefault(parent, []).append(child)
    return children


def _reach(start: str, steps: Mapping[str, Sequence[str]]) -> set[str]:
    """Every hash that `steps` lead to from `start`, which is left out."""
    seen: set[str] = set()
    waiting = [*steps.get(start, ())]
    while waiting:
        if (found := waiting.pop()) not in seen:
            seen.add(found)
            waiting.extend(steps.get(found, ()))
    return seen


def _head(winner: Stored, conflicts: tuple[str, ...], history_size: int) -> Head:
    revision: Revision = winner.revision
    return Head(
        memory=revision.memory,
        state=revision.state,
        number=revision.number,
        hash=winner.key.hash,
        dedupe=winner.key.dedupe,
        origin=revision.origin,
        conflicts=conflicts,
        size=winner.size,
        history_size=history_size,
    )

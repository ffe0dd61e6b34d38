"""What supersedes what in a store, for one caller."""

from collections.abc import Callable, Iterable
from operator import attrgetter

from ...lifecycle.scope import Reach
from ...lifecycle.succession import may_supersede, successors
from ...models.memory import Memory
from ...store.resolve import Head, changed_since, since
from ...store.snapshot import Snapshot


def newer_of(
    snapshot: Snapshot, sees: Callable[[Memory], bool], superseding: Iterable[Head] | None = None
) -> dict[str, str]:
    """The id of each superseded memory that the caller `sees`, with the id of the one that it sees in its place.

    An archived memory supersedes as before. `superseding` are the heads that name an older one, where known.
    """
    named = snapshot.heads.values() if superseding is None else superseding
    pairs = [(head, snapshot.find(older)) for head in named if (older := head.memory.supersedes) is not None]
    both = [(newer.memory, older.memory) for newer, older in pairs if older and not newer.state.hidden]

    def named_at(memory_id: str) -> str:
        return since(snapshot.heads[memory_id], snapshot.revisions[memory_id], attrgetter("supersedes")).at

    def reworded(memory_id: str, at: str) -> bool:
        return changed_since(snapshot.heads[memory_id], snapshot.revisions[memory_id], at, attrgetter("content"))

    return successors(((newer, older) for newer, older in both if sees(newer) and sees(older)), named_at, reworded)


class Succession:
    """What supersedes what as a write goes on: in the store before it, and by the memories that it has made."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Start from what the store holds."""
        self._snapshot = snapshot
        self._stored: dict[Reach, dict[str, str]] = {}
        self._made: dict[str, Memory] = {}
        self._newer: dict[str, Memory] = {}

    def made(self, memory: Memory) -> None:
        """Take in a memory that the write makes."""
        self._made[memory.id] = memory
        older = self._find(memory.supersedes) if memory.supersedes else None
        if older and may_supersede(memory, older):
            self._newer[older.id] = memory

    def newer(self, memory_id: str, reach: Reach) -> Memory | None:
        """What a caller of this reach sees in the place of a memory; None while it stands."""
        made = self._newer.get(memory_id)
        if made and reach.admits(made):
            return made
        if reach not in self._stored:
            self._stored[reach] = newer_of(self._snapshot, reach.admits)
        stored = self._stored[reach].get(memory_id)
        return self._find(stored) if stored else None

    def newest(self, memory_id: str, reach: Reach) -> Memory | None:
        """The end of the chain that begins with what stands in the place of a memory."""
        seen = {memory_id}
        newest = None
        while (newer := self.newer(newest.id if newest else memory_id, reach)) and newer.id not in seen:
            seen.add(newer.id)
            newest = newer
        return newest

    def _find(self, memory_id: str) -> Memory | None:
        head = self._snapshot.heads.get(memory_id)
        return head.memory if head else self._made.get(memory_id)

"""What supersedes what in a store, for one caller."""

from collections.abc import Callable, Iterable
from operator import attrgetter

from ...lifecycle.succession import successors
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

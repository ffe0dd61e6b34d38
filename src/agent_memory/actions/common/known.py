"""Which memory a text or an idempotency key stands for already, kept up to date with a warm store."""

from dataclasses import dataclass, field
from typing import Final

from ...models.vocabulary import State
from ...store.derived import Recipe
from ...store.resolve import Head
from ...store.snapshot import Snapshot, commit_order


@dataclass(slots=True)
class Known:
    """Ids of memories by the digest that active duplicates share, and by idempotency key; `noted` is what of each.

    A long write may see it brought up to date meanwhile, so what it says is held against the writer's own snapshot.
    """

    digests: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    noted: dict[str, tuple[str | None, tuple[str, ...]]] = field(
        default_factory=dict[str, tuple[str | None, tuple[str, ...]]]
    )

    def twins(self, digest: str, snapshot: Snapshot) -> list[Head]:
        """The active memories of this digest, the one that was committed last first."""
        heads = _heads(self.digests.get(digest, ()), snapshot)
        twins = [head for head in heads if head.dedupe == digest and head.state is State.ACTIVE]
        return sorted(twins, key=commit_order, reverse=True)

    def bound(self, key: str, snapshot: Snapshot) -> Head | None:
        """The memory that `key` stands for, hidden or not."""
        heads = _heads(self.keys.get(key, ()), snapshot)
        return max((head for head in heads if key in head.origin.keys), key=commit_order, default=None)

    def note(self, head: Head) -> None:
        """Take in a memory that is not noted."""
        memory_id = head.memory.id
        digest, keys = head.dedupe if head.state is State.ACTIVE else None, tuple(head.origin.keys)
        self.noted[memory_id] = digest, keys
        if digest is not None:
            self.digests[digest] = (*self.digests.get(digest, ()), memory_id)
        for key in keys:
            self.keys[key] = (*self.keys.get(key, ()), memory_id)

    def drop(self, memory_id: str) -> None:
        """Forget what was noted of a memory, if anything was."""
        digest, keys = self.noted.pop(memory_id, (None, ()))
        if digest is not None:
            _remove(memory_id, self.digests, digest)
        for key in keys:
            _remove(memory_id, self.keys, key)


def _build(snapshot: Snapshot) -> Known:
    known = Known()
    for head in snapshot.heads.values():
        known.note(head)
    return known


def _extend(known: Known, snapshot: Snapshot, changed: frozenset[str]) -> Known:
    for memory_id in changed:
        known.drop(memory_id)
        head = snapshot.heads.get(memory_id)
        if head is not None:
            known.note(head)
    return known


def _heads(ids: tuple[str, ...], snapshot: Snapshot) -> list[Head]:
    return [snapshot.heads[i] for i in ids if i in snapshot.heads]


def _remove(memory_id: str, index: dict[str, tuple[str, ...]], entry: str) -> None:
    left = tuple(i for i in index[entry] if i != memory_id)
    if left:
        index[entry] = left
    else:
        del index[entry]


KNOWN: Final = Recipe(_build, _extend)

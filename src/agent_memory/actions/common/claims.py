"""Which shown memories a later one seems to update, kept up to date with a warm store."""

from collections.abc import Iterable
from typing import Final

from ...models.vocabulary import State
from ...ranking.updates import Claims, read_claim
from ...store.derived import Recipe
from ...store.resolve import Head, said_at
from ...store.snapshot import Snapshot
from .reading import Scene
from .showing import ReadMemory


def mark_updated(memories: Iterable[ReadMemory], scene: Scene) -> None:
    """Say of each of `memories` which later one seems to update it, where that is not known for certain."""

    def when(memory_id: str) -> str | None:
        head = scene.shown.get(memory_id)
        if head is None or head is not scene.snapshot.heads.get(memory_id):
            return None
        return said_at(head, scene.snapshot.revisions[memory_id])

    left = [memory for memory in memories if "supersededBy" not in memory]
    if scene.snapshot.lineage is None:  # all claims are read for these alone, which mostly make none
        left = [memory for memory in left if read_claim(scene.head(memory["id"]).memory.content)]
    claims = scene.snapshot.derive(CLAIMS) if left else Claims()
    for memory in left:
        if newer := claims.updates(memory["id"], when):
            memory["possiblyUpdatedBy"] = newer


def _content(head: Head | None) -> str | None:
    return head.memory.content if head and head.state is State.ACTIVE else None


def _build(snapshot: Snapshot) -> Claims:
    claims = Claims()
    for memory_id, head in snapshot.heads.items():
        claims.put(memory_id, _content(head))
    return claims


def _extend(claims: Claims, snapshot: Snapshot, changed: frozenset[str]) -> Claims:
    for memory_id in changed:
        claims.put(memory_id, _content(snapshot.heads.get(memory_id)))
    return claims


CLAIMS: Final = Recipe(_build, _extend)

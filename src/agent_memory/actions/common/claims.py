"""Which shown memories a later one seems to update, kept up to date with a warm store."""

from collections.abc import Iterable, Sequence
from typing import Final

from ...models.vocabulary import State
from ...ranking.skimming import skim
from ...ranking.subjects import apart
from ...ranking.updates import Claims, KeptClaims, read_claim
from ...store.derived import Recipe
from ...store.resolve import Head, said_at
from ...store.snapshot import Snapshot
from .reading import Scene
from .showing import ReadMemory

_READ_EACH_TIME: Final = 1000


def mark_updated(memories: Sequence[ReadMemory], scene: Scene) -> None:
    """Say of each of `memories` which later one seems to update it, where that is not known for certain."""
    updated = updated_by((memory["id"] for memory in memories), scene)
    for memory in memories:
        if newer := updated.get(memory["id"]):
            memory["possiblyUpdatedBy"] = newer


def updated_by(memory_ids: Iterable[str], scene: Scene) -> dict[str, str]:
    """Which later memory seems to update each of these, where that is not known for certain."""

    def when(memory_id: str) -> str | None:
        head, present = scene.shown.get(memory_id), scene.snapshot.heads.get(memory_id)
        if head is None or present is None or head.hash != present.hash or memory_id in scene.newer:
            return None
        return said_at(head, scene.snapshot.revisions[memory_id])

    left = [memory_id for memory_id in memory_ids if memory_id not in scene.newer]
    if scene.snapshot.lineage is None:  # the texts are skimmed for these alone, which mostly make no claim
        left = [memory_id for memory_id in left if read_claim(scene.head(memory_id).memory.content)]
    if not left:
        return {}
    claims = claims_of(scene.snapshot)

    def said(memory_id: str) -> str:
        return scene.head(memory_id).memory.content

    def newer(memory_id: str) -> str | None:
        later = claims.updates(memory_id, when)
        return next((other for other in later if not apart(said(memory_id), said(other))), None)

    return {memory_id: found for memory_id in left if (found := newer(memory_id))}


def guesses(memory_ids: Iterable[str], scene: Scene) -> dict[str, str]:
    """`updated_by`, or nothing where all of a large store would have to be read for it each time."""
    asked = scene.snapshot.lineage is not None or len(scene.snapshot.heads) <= _READ_EACH_TIME
    return updated_by(memory_ids, scene) if asked else {}


def claims_of(snapshot: Snapshot) -> Claims:
    """The claims of all active memories: those that a warm store keeps, else read as far as they are asked for."""
    if snapshot.lineage is not None:
        return snapshot.derive(CLAIMS)
    return skim({head.memory.id: head.memory.content for head in snapshot.active()})


def _content(head: Head | None) -> str | None:
    return head.memory.content if head and head.state is State.ACTIVE else None


def _build(snapshot: Snapshot) -> KeptClaims:
    claims = KeptClaims()
    for memory_id, head in snapshot.heads.items():
        claims.put(memory_id, _content(head))
    return claims


def _extend(claims: KeptClaims, snapshot: Snapshot, changed: frozenset[str]) -> KeptClaims:
    for memory_id in changed:
        claims.put(memory_id, _content(snapshot.heads.get(memory_id)))
    return claims


CLAIMS: Final = Recipe(_build, _extend)

"""Memories that another one supersedes: checked when it is said, ranked behind it when both are found."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ...errors import InvalidRequestError, NotFoundError
from ...lifecycle.scope import Reach
from ...lifecycle.succession import behind, may_supersede
from ...models.memory import Memory
from ...store.snapshot import Snapshot
from .newer import newer_of
from .reach import find
from .reading import Scene
from .showing import Placed

_FIELD = "memoryDetails.supersedes"
Keyed = Callable[[str], Memory | None]
"""Answers the memory that an idempotencyKey stands for."""


def no_key(_: str) -> None:
    """No key is known."""


def older_of(
    named: str | None, memory_id: str, snapshot: Snapshot, reach: Reach, keyed: Keyed = no_key
) -> Memory | None:
    """The memory that `memory_id` is to supersede, `named` by its id or by an idempotencyKey, which `keyed` knows.

    Raises:
        InvalidRequestError: a memory would supersede itself.
        NotFoundError: there is no such memory for this caller.
    """
    if named is None:
        return None
    if named == memory_id:
        raise InvalidRequestError(f"{_FIELD} names the memory itself. Name the older one.", field=_FIELD)
    head = find(snapshot, named, reach)
    older = head.memory if head else keyed(named)
    if older is None or not reach.admits(older):
        message = f"{_FIELD}: no memory {named} is there to be superseded. Nothing was stored. Search for its id."
        raise NotFoundError(message, field=_FIELD, memoryId=named)
    return older


def tell_without_effect(memory: Memory, older: Memory | None, warnings: list[str]) -> None:
    """Say that `memory` supersedes nothing while the `older` one is trusted more."""
    if older and not may_supersede(memory, older):
        warnings.append(
            f"{_FIELD}: memory {older.id} is trusted more than this text, so it stays in front. A person "
            "decides: they write or approve the newer one, or forget the older one."
        )


def tell_of_rewording(
    memory: Memory, changed: Collection[str], snapshot: Snapshot, reach: Reach, warnings: list[str]
) -> None:
    """Say so when the content of `memory` changes, or it supersedes as before what has changed since.

    `snapshot` is the store before the change.
    """
    newer = newer_of(snapshot, reach.admits)
    if "content" in changed and memory.id in newer:
        warnings.append(
            f"Memory {newer[memory.id]} superseded this one, which stands again now that it says something new. If it "
            "is still out of date, forget it."
        )
    head = find(snapshot, memory.supersedes, reach) if memory.supersedes and "supersedes" not in changed else None
    if head and not {head.memory.id, memory.id} & newer.keys() and may_supersede(memory, head.memory):
        warnings.append(
            f"{_FIELD}: memory {head.memory.id} says something new since it was named here, so it stands beside this "
            "one. Forget it, or give null and then its id again."
        )


def rank_behind(placed: Sequence[Placed], scene: Scene) -> list[Placed]:
    """`placed` with each superseded memory right behind its successor, and no better scored."""
    if not any(place.id in scene.newer for place in placed):
        return list(placed)
    by_id = {place.id: place for place in placed}
    for memory_id in (ordered := behind([*by_id], scene.newer)):
        successor = by_id.get(scene.newer.get(memory_id, ""))
        if successor and by_id[memory_id].score > successor.score:
            by_id[memory_id] = _lowered(by_id[memory_id], successor.score)
    return [by_id[memory_id] for memory_id in ordered]


def _lowered(place: Placed, score: float) -> Placed:
    parts = None if place.parts is None else {**place.parts, "superseded": score - place.score}
    return replace(place, score=score, parts=parts)

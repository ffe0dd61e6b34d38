"""Memories that another one supersedes: checked when it is said, ranked behind it when both are found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...errors import InvalidRequestError, NotFoundError
from ...lifecycle.scope import Reach
from ...lifecycle.succession import behind, may_supersede
from ...models.memory import Memory
from ...models.revision import Revision
from ...store.codec import encode
from ...store.snapshot import Snapshot
from .newer import newer_of
from .reach import find
from .reading import Scene
from .showing import Placed

_FIELD = "memoryDetails.supersedes"
_TOLD: Final = 10
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
    revisions: Sequence[Revision], newer: Mapping[str, str], snapshot: Snapshot, reach: Reach, warnings: list[str]
) -> None:
    """Say which memories are superseded no more once `revisions` change their content.

    `snapshot` is the store before, `newer` what supersedes what in it for this caller.
    """
    memories = (revision.memory for revision in revisions if revision.memory.id in newer)
    reworded = [m.id for m in memories if m.content != snapshot.heads[m.id].memory.content]
    if not reworded:
        return
    then = newer_of(snapshot.plus(map(encode, revisions), snapshot.layout), reach.admits)
    again = [memory_id for memory_id in reworded if memory_id not in then]
    warnings.extend(
        f"Memory {newer[memory_id]} superseded memory {memory_id}, which stands again now that it says something else. "
        "If it is still out of date, forget it."
        for memory_id in again[:_TOLD]
    )
    if len(again) > _TOLD:
        warnings.append(f"So do {len(again) - _TOLD} more memories.")


def tell_of_standing_beside(
    memory: Memory, newer: Mapping[str, str], snapshot: Snapshot, reach: Reach, warnings: list[str]
) -> None:
    """Say so when `memory` supersedes as before what has changed since; `newer` as in `tell_of_rewording`."""
    head = find(snapshot, memory.supersedes, reach) if memory.supersedes else None
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

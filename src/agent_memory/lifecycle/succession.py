"""Which memory stands in the place of an older one."""

from collections.abc import Iterable, Mapping, Sequence

from ..models.memory import Memory
from ..models.vocabulary import Trust
from .briefing import is_approved

_RANK = {Trust.LOW: 0, Trust.NORMAL: 1, Trust.HIGH: 2}


def successors(memories: Iterable[Memory]) -> dict[str, str]:
    """The id of each memory that a later one supersedes, with the id of the latest that does.

    Later is what was changed later, then the greater id: two that name each other do not both step back. What is less
    trusted supersedes nothing: else a page could push a person's rule aside, or a program one that a person approved.
    """
    by_id = {memory.id: memory for memory in memories}
    found: dict[str, Memory] = {}
    for memory in by_id.values():
        older = by_id.get(memory.supersedes or "")
        if older is None or _age(older) >= _age(memory) or not may_supersede(memory, older):
            continue
        found[older.id] = max(memory, found.get(older.id, memory), key=_age)
    return {older: newer.id for older, newer in found.items()}


def may_supersede(newer: Memory, older: Memory) -> bool:
    """Whether `newer` is trusted as much as `older`; what a person approved counts as theirs."""
    return _rank(newer) >= _rank(older)


def behind(order: Sequence[str], newer: Mapping[str, str]) -> list[str]:
    """`order` with each superseded id moved right behind its successor, where that stands in it at all."""
    places = {memory_id: place for place, memory_id in enumerate(order)}
    waiting: dict[str, list[str]] = {}
    result: list[str] = []
    for memory_id in order:
        successor = newer.get(memory_id, "")
        if places.get(successor, -1) > places[memory_id]:
            waiting.setdefault(successor, []).append(memory_id)
            continue
        ready = [memory_id]
        while ready:
            result.append(ready.pop(0))
            ready[:0] = waiting.pop(result[-1], [])
    return result


def _rank(memory: Memory) -> int:
    return _RANK[Trust.HIGH if is_approved(memory) else memory.trust]


def _age(memory: Memory) -> tuple[str, str]:
    return memory.updated_at, memory.id

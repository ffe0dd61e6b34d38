"""Which memory stands in the place of an older one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..models.memory import Memory
from ..models.vocabulary import Trust
from .briefing import is_approved

_RANK = {Trust.LOW: 0, Trust.NORMAL: 1, Trust.HIGH: 2}


def successors(
    pairs: Iterable[tuple[Memory, Memory]], named_at: Callable[[str], str], reworded: Callable[[str, str], bool]
) -> dict[str, str]:
    """The id of each older memory of `pairs` that its newer one supersedes, with the id of the latest that does.

    `named_at` tells since when a memory names the one it supersedes, `reworded` whether the content of one is another
    than at an instant: what says something new since it was named is not superseded. What is less trusted supersedes
    nothing: else a page could push a person's rule aside, or a program one that a person approved. In a circle the
    memory that was the first to name another yields.
    """
    found = {
        newer.id: (older.id, at)
        for newer, older in pairs
        if may_supersede(newer, older) and not reworded(older.id, at := named_at(newer.id))
    }
    for circle in _circles({newer: older for newer, (older, _) in found.items()}):
        del found[min(circle, key=lambda memory_id: (found[memory_id][1], memory_id))]
    last = sorted((at, newer, older) for newer, (older, at) in found.items())
    return {older: newer for _, newer, older in last}


def _circles(steps: Mapping[str, str]) -> Iterator[list[str]]:
    """The circles in `steps`, each as the ids in it."""
    walk_of: dict[str, int] = {}
    for walk, start in enumerate(steps):
        at = start
        while at in steps and at not in walk_of:
            walk_of[at] = walk
            at = steps[at]
        if walk_of.get(at) == walk:
            circle = [at]
            while (step := steps[circle[-1]]) != at:
                circle.append(step)
            yield circle


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

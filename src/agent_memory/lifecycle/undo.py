"""What a memory would be if some of its changes had never been made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..models.memory import Memory, from_record, to_record
from ..models.revision import Revision
from ..models.vocabulary import State


@dataclass(frozen=True, slots=True)
class Undone:
    """The memory without the changes; None when it would not be there. `built_upon`: later changes rest on them."""

    memory: Memory | None
    state: State
    built_upon: bool


def undo(chain: Sequence[Revision], unwanted: Callable[[Revision], bool]) -> Undone | None:
    """Carry out again what is wanted of `chain`, the revisions of a memory from the first on; None: all is wanted.

    A wanted change is taken as the fields, and the state, in which it differs from the revision before it.
    """
    marked = [unwanted(revision) for revision in chain]
    if not any(marked):
        return None
    built_upon = any(before and not after for before, after in pairwise(marked))
    if marked[0]:
        return Undone(None, State.FORGOTTEN, built_upon)
    record, state = dict[str, Any](to_record(chain[0].memory)), chain[0].state
    for (before, after), out in zip(pairwise(chain), marked[1:], strict=True):
        if not out:
            _carry(record, to_record(before.memory), to_record(after.memory))
            state = after.state if after.state is not before.state else state
    return Undone(from_record(record), state, built_upon)


def _carry(record: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Change in `record` what differs between `before` and `after`."""
    for name in before.keys() - after.keys():
        record.pop(name, None)
    record.update({name: value for name, value in after.items() if name not in before or before[name] != value})

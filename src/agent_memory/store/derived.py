"""What is computed from a snapshot and worth keeping while the store changes little by little.

A `Recipe` says how to make something from a whole snapshot, such as a search index, and how to bring it up to date.
`snapshot.derive(recipe)` answers it: on a snapshot that was read cold it is made from nothing; on one of a warm store
it is made once, and brought up to date by the memories that have changed since it was last asked for.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from .snapshot import Snapshot

T = TypeVar("T")

_CHANGES_KEPT: Final = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Recipe(Generic[T]):
    """How to derive a value from a snapshot; one constant of a module, since it is looked up by identity.

    `build(snapshot)` makes it from nothing. `extend(value, snapshot, changed)` returns it for `snapshot`, given what it
    was for an earlier one: the heads of `changed` ids are new, others or gone (no longer in `snapshot.heads`); all
    other heads are the same objects. `extend` may change `value` in place and return it. Both must be quick or pure
    compute: they run between two awaits, so that no request sees a value half-way.
    """

    build: "Callable[[Snapshot], T]"
    extend: "Callable[[T, Snapshot, frozenset[str]], T]"


@dataclass(slots=True)
class Lineage:
    """The snapshots of one warm store, by number; `changes` says which heads differ from the one before.

    `values` holds what each recipe made, and for the snapshot of which number. `done_at` says when something was last
    done that is not to be done for every request.
    """

    newest: int = 0
    changes: deque[frozenset[str]] = field(default_factory=lambda: deque[frozenset[str]](maxlen=_CHANGES_KEPT))
    values: dict[Recipe[Any], tuple[int, Any]] = field(default_factory=dict[Recipe[Any], tuple[int, Any]])
    done_at: dict[str, "datetime"] = field(default_factory=dict[str, "datetime"])

    def advance(self, changed: frozenset[str]) -> int:
        """The number of a snapshot whose heads differ in `changed` ids from the newest one."""
        self.changes.append(changed)
        self.newest += 1
        return self.newest

    def value(self, recipe: Recipe[T], snapshot: "Snapshot", number: int) -> T:
        """What `recipe` makes of `snapshot`, which has this `number`."""
        at, value = cast("tuple[int, T]", self.values.get(recipe, (-1, None)))
        oldest = self.newest - len(self.changes)
        if at > number:  # brought up to date for a newer snapshot by now
            return recipe.build(snapshot)
        if at == number:
            return value
        if at < oldest:
            made = recipe.build(snapshot)
        else:
            recent = [self.changes[place] for place in range(at - oldest, number - oldest)]
            made = recipe.extend(value, snapshot, frozenset[str]().union(*recent))
        self.values[recipe] = number, made
        return made

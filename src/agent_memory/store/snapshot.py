"""What a store held when it was read."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import chain
from typing import Final, TypeVar

from ..models.memory import Memory
from ..models.vocabulary import State
from .access import Accesses
from .codec import Stored
from .derived import Lineage, Recipe
from .keys import parse_revision_key
from .resolve import Head, resolve

T = TypeVar("T")

_NAMED: Final = 10

Grouped = dict[str, tuple[Stored, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where revisions stand; nothing that an answer depends on.

    `loose`: keys of revisions in no segment. `covered`: keys of revisions that stand alone as well as in a segment.
    `segments`: the keys of the revisions in each segment. `moved`: segments whose rows stand elsewhere, and since when
    in milliseconds of the epoch. `stubs`: single keys of purged content. `impaired`: segments of which something could
    not be read. `owners`: the keys that name whose store this is. `passed_over`: segments that were not read, since
    others say that they hold the same rows.
    """

    loose: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()
    segments: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    moved: Mapping[str, int] = field(default_factory=dict[str, int])
    stubs: frozenset[str] = frozenset()
    impaired: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    passed_over: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All memories of a store by id, in commit order, with all their revisions.

    What could not be read is named in `damaged`, what a caller must know besides in `notes`. `access` maps ids to the
    last instants of access, the latest first. The snapshots of a warm store share a `lineage`, in which this one has a
    `number`. `listed` are the keys that a listing after the last commit showed.
    """

    heads: dict[str, Head]
    revisions: Grouped
    damaged: tuple[str, ...]
    notes: tuple[str, ...] = ()
    access: Accesses
    layout: Layout
    lineage: Lineage | None = field(default=None, compare=False, repr=False)
    number: int = field(default=0, compare=False, repr=False)
    listed: frozenset[str] | None = field(default=None, compare=False, repr=False)

    def derive(self, recipe: Recipe[T]) -> T:
        """What `recipe` makes of this snapshot; of a warm store's, from what it made of an earlier one."""
        return recipe.build(self) if self.lineage is None else self.lineage.value(recipe, self, self.number)

    def has_derived(self, recipe: Recipe[T]) -> bool:
        """Whether `derive` only has to bring up to date what was made before."""
        return self.lineage is not None and recipe in self.lineage.values

    def active(self) -> Iterator[Head]:
        """The heads that every read finds."""
        return (head for head in self.heads.values() if head.state is State.ACTIVE)

    def find(self, memory_id: str) -> Head | None:
        """The head of `memory_id` unless there is none or no read may show it."""
        head = self.heads.get(memory_id)
        return None if head is None or head.state.hidden else head

    def accessed(self, memory: Memory, at: str) -> str:
        """The latest update, access or reinforcement that had happened by the instant `at`."""
        head = self.heads.get(memory.id)
        times = (*self.access.get(memory.id, ()), *(head.reinforcements if head else ()))
        return max((memory.updated_at, *(then for then in times if then <= at)))

    def stored(self) -> Iterator[Stored]:
        """Every revision."""
        return chain.from_iterable(self.revisions.values())

    def warnings(self) -> list[str]:
        """What a caller must know of the state of the store."""
        if not self.damaged:
            return [*self.notes]
        count = len(self.damaged)
        parts = "1 stored part is damaged and was" if count == 1 else f"{count} stored parts are damaged and were"
        broken = f"{parts} left out; all else is served. First: {self.damaged[0]}."
        return [*self.notes, broken, *self._behind()]

    def _behind(self) -> list[str]:
        """What to say of memories of which a newer revision is damaged, so that an older one passes for the present."""
        names = (parse_revision_key(part.partition(":")[0]) for part in self.damaged)
        behind = [key for key in names if key and (head := self.heads.get(key.memory_id)) and key.number > head.number]
        shown = [
            f"Memory {key.memory_id} is shown as it was at revision {self.heads[key.memory_id].number}: its revision "
            f"{key.number}{'' if key.state is State.ACTIVE else f', which made it {key.state},'} is damaged."
            for key in behind[:_NAMED]
        ]
        more = len(behind) - _NAMED
        return [*shown, f"So are {more} more memories."] if more > 0 else shown

    def as_of(self, at: str) -> "Snapshot":
        """The store as it stood at the instant `at`; it may show what has been forgotten since."""
        then = _group(stored for stored in self.stored() if stored.revision.at <= at)
        return replace(self, heads=_heads(then), revisions=then, lineage=None)

    def plus(self, added: Iterable[Stored], layout: Layout, damaged: Iterable[str] = ()) -> "Snapshot":
        """The store with more revisions, and where all of them stand."""
        return self.changed(added, layout=layout, damaged=(*self.damaged, *damaged))

    def changed(
        self, added: Iterable[Stored], lost: AbstractSet[str] = frozenset(), *, layout: Layout, damaged: tuple[str, ...]
    ) -> "Snapshot":
        """The store with more revisions and without those whose keys are `lost`; what is not touched is not looked at.

        `layout` says where all of them stand now, `damaged` what cannot be read. The result is in no lineage.
        """
        groups = {i: _without(self.revisions.get(i, ()), lost) for i in {_memory_id(key) for key in lost}}
        for i, group in _group(added).items():
            groups[i] = _group((*groups.get(i, self.revisions.get(i, ())), *group))[i]
        if not groups:
            return replace(self, layout=layout, damaged=damaged)
        revisions, heads = self.revisions | groups, self.heads.copy()
        fresh = [resolve(group) for group in groups.values() if group]
        for i in [i for i, group in groups.items() if not group]:
            del revisions[i]
            heads.pop(i, None)
        _place(fresh, heads)
        return replace(self, heads=heads, revisions=revisions, damaged=damaged, layout=layout, lineage=None)


def build(
    revisions: Iterable[Stored],
    *,
    damaged: Iterable[str] = (),
    access: Accesses | None = None,
    layout: Layout | None = None,
) -> Snapshot:
    """The snapshot that a set of revisions makes; their order does not matter."""
    grouped = _group(revisions)
    return Snapshot(
        heads=_heads(grouped),
        revisions=grouped,
        damaged=tuple(damaged),
        access=access or {},
        layout=layout or Layout(),
    )


def _group(revisions: Iterable[Stored]) -> Grouped:
    grouped: Grouped = {}
    several: dict[str, dict[str, Stored]] = {}
    for stored in revisions:
        memory_id = stored.key.memory_id
        if memory_id not in grouped:
            grouped[memory_id] = (stored,)  # most memories have one revision
        elif memory_id in several:
            several[memory_id][stored.key.hash] = stored
        else:
            several[memory_id] = {one.key.hash: one for one in (*grouped[memory_id], stored)}
    grouped.update((memory_id, tuple(group.values())) for memory_id, group in several.items())
    return grouped


def _without(group: Iterable[Stored], lost: AbstractSet[str]) -> tuple[Stored, ...]:
    return tuple(stored for stored in group if str(stored.key) not in lost)


def _memory_id(key: str) -> str:
    parsed = parse_revision_key(key)
    return parsed.memory_id if parsed else ""


def _heads(grouped: Grouped) -> dict[str, Head]:
    return {head.memory.id: head for head in sorted(map(resolve, grouped.values()), key=commit_order)}


def _place(fresh: Iterable[Head], heads: dict[str, Head]) -> None:
    """Put `fresh` heads into `heads`, which stay in commit order: mostly at the end, or where the same memory was."""
    later: list[Head] = []
    for head in sorted(fresh, key=commit_order):
        before = heads.get(head.memory.id)
        if before is not None and commit_order(before) == commit_order(head):
            heads[head.memory.id] = head
            continue
        heads.pop(head.memory.id, None)
        later.append(head)
    if not later:
        return
    first, moved = commit_order(later[0]), list[Head]()
    while heads and commit_order(heads[next(reversed(heads))]) > first:
        moved.append(heads.popitem()[1])
    heads.update((head.memory.id, head) for head in merge(later, reversed(moved), key=commit_order))


def commit_order(head: Head) -> tuple[str, int, str]:
    """What memories are ordered by: when the first revision was written, its place in that write, and the id."""
    return head.origin.at, head.origin.index, head.memory.id

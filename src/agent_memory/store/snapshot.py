"""What a store held when it was read."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from typing_extensions import TypedDict

from ..models.memory import Memory
from ..models.vocabulary import State
from .codec import Stored
from .resolve import Head, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All memories of a store, by id, in commit order; what could not be read is named in `damaged`.

    `loose` are the keys of revisions that stand in no segment yet, `covered` those that stand alone as well as in one.
    `segments` maps the names of segments to the keys of what they hold, `moved` those whose rows stand elsewhere to
    when that was, in milliseconds of the epoch. `stubs` are single keys of purged content. `last_access` maps ids to
    instants. `owners` are the keys that name whose store this is.
    """

    heads: dict[str, Head]
    revisions: dict[str, tuple[Stored, ...]]
    damaged: tuple[str, ...]
    loose: tuple[str, ...]
    covered: frozenset[str]
    segments: Mapping[str, tuple[str, ...]]
    moved: Mapping[str, int]
    stubs: tuple[str, ...]
    last_access: Mapping[str, str]
    owners: frozenset[str]

    def active(self) -> Iterator[Head]:
        """The heads that every read finds."""
        return (head for head in self.heads.values() if head.state is State.ACTIVE)

    def find(self, memory_id: str) -> Head | None:
        """The head of `memory_id` unless there is none or no read may show it."""
        head = self.heads.get(memory_id)
        return None if head is None or head.state.hidden else head

    def accessed(self, memory: Memory) -> str:
        """The later of the last access and the last update."""
        return max(memory.updated_at, self.last_access.get(memory.id, ""))

    def warnings(self) -> list[str]:
        """What a caller must know of the state of the store."""
        if not self.damaged:
            return []
        return [
            (
                f"{len(self.damaged)} stored parts are damaged and were left out; all else is served. "
                f"First: {self.damaged[0]}."
            )
        ]

    def as_of(self, at: str) -> "Snapshot":
        """The store as it stood at the instant `at`; it may show what has been forgotten since."""
        return replace(self, **_state(s for group in self.revisions.values() for s in group if s.revision.at <= at))

    def plus(
        self,
        added: Iterable[Stored],
        *,
        damaged: Iterable[str] = (),
        loose: Iterable[str] = (),
        segments: Mapping[str, tuple[str, ...]] | None = None,
    ) -> "Snapshot":
        """The store with more revisions, and where they stand."""
        known = (stored for group in self.revisions.values() for stored in group)
        return replace(
            self,
            **_state(chain(known, added)),
            damaged=(*self.damaged, *damaged),
            loose=(*self.loose, *loose),
            segments={**self.segments, **(segments or {})},
        )


def build(  # noqa: PLR0913  # the parts of a snapshot, by name
    revisions: Iterable[Stored],
    *,
    damaged: Iterable[str] = (),
    loose: Iterable[str] = (),
    covered: Iterable[str] = (),
    segments: Mapping[str, tuple[str, ...]] | None = None,
    moved: Mapping[str, int] | None = None,
    stubs: Iterable[str] = (),
    last_access: Mapping[str, str] | None = None,
    owners: Iterable[str] = (),
) -> Snapshot:
    """The snapshot that a set of revisions makes; their order does not matter."""
    return Snapshot(
        **_state(revisions),
        damaged=tuple(damaged),
        loose=tuple(loose),
        covered=frozenset(covered),
        segments=segments or {},
        moved=moved or {},
        stubs=tuple(stubs),
        last_access=last_access or {},
        owners=frozenset(owners),
    )


class _State(TypedDict):
    heads: dict[str, Head]
    revisions: dict[str, tuple[Stored, ...]]


def _state(revisions: Iterable[Stored]) -> _State:
    grouped: dict[str, dict[str, Stored]] = {}
    for stored in revisions:
        grouped.setdefault(stored.key.memory_id, {})[stored.key.hash] = stored
    heads = sorted((resolve(tuple(group.values())) for group in grouped.values()), key=_commit_order)
    return _State(
        heads={head.memory.id: head for head in heads},
        revisions={memory_id: tuple(group.values()) for memory_id, group in grouped.items()},
    )


def _commit_order(head: Head) -> tuple[str, int, str]:
    return head.origin.at, head.origin.index, head.memory.id

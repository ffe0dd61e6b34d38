"""What has been done to memories: their revisions as changes, none of which says what a memory holds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...lifecycle.scope import Reach
from ...models.memory import Memory, MemoryRecord, difference
from ...models.revision import Revision
from ...models.vocabulary import Channel, State
from ...store.codec import Stored
from ...store.resolve import label
from ...store.snapshot import Snapshot
from ..objects import ChangeFilter

_NAMED: Final = frozenset(MemoryRecord.__annotations__)
_ADDED: Final = "other"
"""What stands for fields that a newer version, or somebody else, has added: their names may say anything."""
_STATES: Final = {
    State.PURGED: "purged",
    State.FORGOTTEN: "forgotten",
    State.ARCHIVED: "archived",
    State.PROPOSED: "proposed",
}


@dataclass(frozen=True, slots=True)
class Change:
    """A revision, and the one that it follows, if that is stored; of several the first parent."""

    stored: Stored
    before: Revision | None

    @property
    def revision(self) -> Revision:
        """The revision itself."""
        return self.stored.revision

    @property
    def name(self) -> str:
        """How people name the revision."""
        return label(self.revision.number, self.stored.key.hash)

    @property
    def channel(self) -> Channel | None:
        """The way in of this change; older revisions say only by which way their memory came."""
        known = self.revision.channel
        return known or (self.revision.memory.channel if not self.revision.parents else None)

    @property
    def kind(self) -> str:
        """What was done, in a word."""
        state = self.revision.state
        if self.revision.reinforces:
            return "reinforced"
        if self.before is None:
            return _STATES.get(state, "created")
        if self.before.state is State.PROPOSED and state is State.ACTIVE:
            return "created"
        if state is not self.before.state:
            return _STATES.get(state, "restored")
        return "updated"

    @property
    def fields(self) -> list[str]:
        """The names of the fields that it changed."""
        return [] if self.before is None else changed_fields(self.before.memory, self.revision.memory)

    def fits(self, wanted: ChangeFilter) -> bool:
        """Whether all that `wanted` asks for holds."""
        revision = self.revision
        return (
            (wanted.writer is None or revision.by == wanted.writer)
            and (wanted.source is None or revision.memory.source is wanted.source)
            and (wanted.channel is None or self.channel is wanted.channel)
            and (wanted.tool_call_id is None or revision.tool_call_id == wanted.tool_call_id)
            and (wanted.since is None or revision.at >= wanted.since)
            and (wanted.until is None or revision.at <= wanted.until)
        )


def changed_fields(before: Memory, after: Memory) -> list[str]:
    """The names of the fields in which two states differ, each known to this version or `other`."""
    names = (name if name in _NAMED else _ADDED for name in difference(before, after))
    return [*dict.fromkeys(names)]


def changes_of(memory_id: str, snapshot: Snapshot) -> Iterator[Change]:
    """All changes of one memory; of a purged one only that it was purged."""
    group = snapshot.revisions.get(memory_id, ())
    purged = any(stored.revision.state is State.PURGED for stored in group)
    by_hash = {stored.key.hash: stored.revision for stored in group}
    for stored in group:
        if purged and stored.revision.state is not State.PURGED:
            continue
        known = (by_hash[parent] for parent in stored.revision.parents if parent in by_hash)
        if stored.revision.claim is None:
            yield Change(stored, None if purged else next(known, None))


def all_changes(snapshot: Snapshot, reach: Reach, memory_id: str | None) -> Iterator[Change]:
    """The changes of every memory that exists for the caller, or of one of them."""
    for found, head in snapshot.heads.items():
        if memory_id in (None, found) and not head.state.queued and reach.admits(head.memory):
            yield from changes_of(found, snapshot)

"""What writes that were cut short have left in a folder beside the values, and what of it may go."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from ..models.vocabulary import State
from .codec import DamagedError, decode, decode_segment
from .keys import RevisionKey, is_ours, parse_revision_key, segment_time
from .kv import KeyValue
from .snapshot import Snapshot

SIDECAR = ".__metadata__.json"
_SETTLED_MS = 10 * 60 * 1000


class Kind(StrEnum):
    """What a file is. CUT_SHORT: the beginning of a write that never became a value."""

    NO_SIDECAR = "no_sidecar"
    LONE_SIDECAR = "lone_sidecar"
    CUT_SHORT = "cut_short"


@dataclass(frozen=True, slots=True)
class Leftover:
    """A file called `name` that belongs to `key`; `at` is when it changed, in milliseconds of the epoch.

    `value` is what a write that was cut short has left of its value, and empty otherwise.
    """

    kind: Kind
    key: str
    name: str
    at: int
    value: bytes = b""


@runtime_checkable
class Folder(Protocol):
    """A key-value store of files. Both methods raise as those of KeyValue do."""

    async def leftovers(self) -> list[Leftover]:
        """All files that are no value with its sidecar."""
        ...

    async def mend(self, leftover: Leftover) -> None:
        """Give a value its sidecar; remove any other leftover."""
        ...


async def leftovers_of(kv: KeyValue, now: int) -> list[Leftover]:
    """The leftovers of our keys in `kv`, without what may belong to a write that is under way at `now`."""
    found = await kv.leftovers() if isinstance(kv, Folder) else []
    return [left for left in found if left.at <= now - _SETTLED_MS and is_ours(left.key.removesuffix(SIDECAR))]


async def clear_purged(kv: KeyValue, snapshot: Snapshot, now: int) -> None:
    """Remove what cut-short writes have left of purged memories; of a segment once its writer must have ended."""
    if not isinstance(kv, Folder) or not any(head.state is State.PURGED for head in snapshot.heads.values()):
        return
    for left in await kv.leftovers():
        late = segment_time(left.key) is not None and left.at > now - _SETTLED_MS
        if left.kind is Kind.CUT_SHORT and not late and holds_purged(left, snapshot):
            await kv.mend(left)


def may_go(left: Leftover, snapshot: Snapshot) -> bool:
    """Whether no whole revision stands only in `left`, or it holds what was purged."""
    if left.kind is not Kind.CUT_SHORT or holds_purged(left, snapshot):
        return True
    known = {str(stored.key) for stored in snapshot.stored()}
    return all(str(key) in known or not _whole(key, line) for key, line in _rows(left))


def holds_purged(left: Leftover, snapshot: Snapshot) -> bool:
    """Whether `left` may hold content of a memory that was purged."""
    keys = [key for key, _ in _rows(left) if key.state is not State.PURGED]
    heads = [snapshot.heads[key.memory_id] for key in keys if key.memory_id in snapshot.heads]
    return any(head.state is State.PURGED for head in heads)


def _rows(left: Leftover) -> list[tuple[RevisionKey, bytes]]:
    if key := parse_revision_key(left.key):
        return [(key, left.value)]
    if segment_time(left.key) is None:
        return []
    return [(key, line) for key, line in decode_segment(left.value) if key is not None]


def _whole(key: RevisionKey, line: bytes) -> bool:
    try:
        decode(key, line)
    except DamagedError:
        return False
    return True

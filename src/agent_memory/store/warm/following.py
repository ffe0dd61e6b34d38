"""Brings the holdings of a warm store up to date with its storage."""

import asyncio
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from ...errors import IncompleteError
from ..keys import is_access, is_owner, parse_revision_key, segment_time
from ..kv import KeyValue
from ..loading import CHANGING, LISTINGS, Contents, never
from .holdings import Holdings, Parts, read_part
from .watch import Watch

_SEGMENTS_AT_ONCE: Final = 8
"""Their bytes take as much memory as what they hold."""
_NOTHING: Final = Contents()
_INLINE_BYTES: Final = 100_000
"""More than this is decoded in a thread, so that other stores are served meanwhile."""


@dataclass(slots=True)
class Follower:
    """Follows one storage. What a look has found is kept in `todo` until it was taken in, whatever fails meanwhile.

    `learned` are keys that this process wrote since the last look began: a listing may not show them yet. `accesses`
    are the shards of access times that may have changed. `whole`: the next look has to be at everything. `settled` is
    as in `load`.
    """

    kv: KeyValue
    watch: Watch
    holdings: Holdings = field(default_factory=Holdings)
    todo: set[str] = field(default_factory=set[str])
    learned: set[str] = field(default_factory=set[str])
    accesses: set[str] = field(default_factory=set[str])
    whole: bool = True
    settled: Callable[[], int] = never

    def is_current(self) -> bool:
        """Whether the holdings are known to be up to date without any I/O."""
        return not self.whole and self.watch.quiet()

    async def follow(self) -> None:
        """Take in all that anybody had been told is stored before this was called.

        Raises:
            IncompleteError: keys kept vanishing while they were read; a shorter answer would be wrong.
            StorageUnavailableError: the storage does not answer; the next call begins anew.
        """
        missing, read, last = set[str](), dict[str, Contents](), None
        for number in range(CHANGING):
            look = await self._look()
            if number >= LISTINGS and look == last:
                break
            last = look
            read = {key: part for key, part in read.items() if key in look.there - look.touched}
            before = frozenset(read)
            again = await self._verify(look.gone)
            missing = await self._read(self.todo & look.there, missing & look.there, again, read)
            if missing:
                continue
            self.holdings.take({**dict.fromkeys(self.todo & look.there, _NOTHING), **again, **read})
            self.holdings.mark_owners(look.there, look.gone)
            if not look.precise:
                await self._settle(read.keys() - before)
            self.todo.clear()
            if not self.holdings.is_whole(self.settled):
                continue
            self.whole = False
            return
        message = "The list of stored keys kept changing while it was read. Nothing changed. Try again."
        raise IncompleteError(message)

    def learn(self, parts: Mapping[str, Contents]) -> None:
        """Take in what this process has just written."""
        for key in parts.keys() - self.holdings.keys:
            self.watch.wrote(key)
        self.learned.update(parts)
        self.holdings.take(parts)

    async def _look(self) -> "_Look":
        whole, self.whole = self.whole, True
        self.learned.clear()
        seen = await self.watch.look(self.holdings.keys, whole=whole)
        if seen.another:
            self.holdings = Holdings()
        touched = self.holdings.unsettled() if seen.touched is None else seen.touched
        self.accesses |= {key for key in (seen.there if seen.touched is None else touched) if is_access(key)}
        there = {key for key in seen.there if parse_revision_key(key) or segment_time(key) is not None or is_owner(key)}
        self.todo |= (there - self.holdings.keys) | (there & touched)
        gone = (self.holdings.keys & seen.gone) - self.learned
        return _Look(there, gone, touched, precise=seen.touched is not None)

    async def _verify(self, gone: AbstractSet[str]) -> dict[str, Contents | None]:
        """What became of keys that a look called gone; a late listing is no reason to drop what only stands there."""
        parts: dict[str, Contents | None] = dict.fromkeys(gone)
        if not self.watch.exact:
            sole = (key for key in gone if not is_owner(key) and not self.holdings.covered(key))
            values = await self.kv.get_many(sorted(sole))
            parts |= {key: read_part(key, value) for key, value in values.items() if value is not None}
        return parts

    async def _read(
        self, keys: AbstractSet[str], ghosts: AbstractSet[str], gone: Parts, read: dict[str, Contents]
    ) -> set[str]:
        """Add to `read` what `keys` hold, as far as it matters; returns those that have vanished.

        `ghosts` have been listed twice without a value.
        """
        vanished = set[str]()
        wanted = {key for key in keys if segment_time(key) is not None} - read.keys()
        while wanted:
            names = sorted(wanted)
            for start in range(0, len(names), _SEGMENTS_AT_ONCE):
                vanished |= await self._decode({*names[start : start + _SEGMENTS_AT_ONCE]}, ghosts, read)
            notes = [note for part in read.values() for note in part.moved.values()]
            told = {name for to, at in notes if at > self.settled() for name in to}
            wanted = told - self.holdings.keys - read.keys() - vanished
        rows = set[str]().union(*(rows for part in read.values() for rows in part.segments.values()))
        alone = {key for key in keys if parse_revision_key(key) and key not in rows and not self.holdings.covered(key)}
        bared = self.holdings.bared({**gone, **read})
        return vanished | await self._decode((alone | bared) - read.keys(), ghosts, read)

    async def _settle(self, read: AbstractSet[str]) -> None:
        """Read segments again that hold content of memories which turned out to be purged: they may have moved.

        Where nothing tells that a value was overwritten, it has to be looked at.
        """
        while names := {name for name in self.holdings.unsettled() if segment_time(name) is not None} - read:
            again = dict[str, Contents]()
            if await self._read(names, frozenset(), {}, again):
                return  # the next look will say what became of it
            self.holdings.take(again)
            read = read | again.keys()

    async def _decode(self, keys: AbstractSet[str], ghosts: AbstractSet[str], read: dict[str, Contents]) -> set[str]:
        values = await self.kv.get_many(sorted(keys))
        found = {key: value for key, value in values.items() if value is not None or key in ghosts}
        if sum(len(value or b"") for value in found.values()) > _INLINE_BYTES:
            read |= await asyncio.to_thread(_parts, found)
        else:
            read |= _parts(found)
        return values.keys() - found.keys()


@dataclass(frozen=True, slots=True)
class _Look:
    """Which keys are there (all, or those that something happened to), and which known ones are gone.

    `touched` may have been overwritten; `precise`: no others were.
    """

    there: AbstractSet[str]
    gone: AbstractSet[str]
    touched: AbstractSet[str]
    precise: bool


def _parts(values: Mapping[str, bytes | None]) -> dict[str, Contents]:
    return {key: read_part(key, value) for key, value in values.items()}

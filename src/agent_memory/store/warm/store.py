"""A memory store that keeps what it has read, and reads only what has changed since."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Final

from ...errors import IncompleteError, StorageUnavailableError
from ...models.instant import to_text
from ..access import Accessed, access_key, latest, read_access, stale, write_times
from ..codec import Stored
from ..keys import ACCESS_SHARDS
from ..loading import Contents
from ..memory_store import MemoryStore
from ..snapshot import Snapshot
from ..upkeep import PACK_FROM, pack
from .coalescing import Coalesced
from .deferred import Deferred
from .following import Follower

_PAUSE_S: Final = 1.0
_ACCESS_FOR: Final = timedelta(seconds=10)


@dataclass(slots=True)
class _Pending:
    """What is put off: access times to write, and whether the manifest is behind. `read_at`: the access times' age.

    `bulk` are segments that were written and not yet put together with others.
    """

    touched: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    manifest: bool = False
    bulk: set[str] = field(default_factory=set[str])
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WarmStore(MemoryStore):
    """One store of a long-living process.

    A load takes in what has changed since the last one; loads that come at the same time share one look. What no
    answer waits for is put off and done at most once a second: the manifest, packing, access times.
    """

    follower: Follower
    _pending: _Pending = field(init=False, default_factory=_Pending)
    _follow: Coalesced = field(init=False)
    _later: Deferred = field(init=False)

    def __post_init__(self) -> None:
        self.follower.settled = self._settled
        object.__setattr__(self, "_follow", Coalesced(self._follow_once))
        object.__setattr__(self, "_later", Deferred(self._catch_up, _PAUSE_S))

    @property
    def bytes(self) -> int:
        """About what the store takes in memory."""
        return self.follower.holdings.bytes

    async def add(self, snapshot: Snapshot, added: Sequence[Stored]) -> Snapshot:
        """As a cold store; the snapshot that is answered holds what others have added meanwhile, too."""
        if not added:
            return snapshot
        written = await self._put(added)
        self._learn(added, written)
        self._pending.bulk.update(written)
        self._pending.manifest = True
        self._later.due()
        try:
            await self._sign(self._current)
        except StorageUnavailableError as error:
            note = f"What was written is stored, but not yet tidied up: {error.message}"
            return replace(self._current, notes=(*self._current.notes, note))
        return self._current

    async def recheck(self, snapshot: Snapshot, memory_id: str) -> Snapshot:
        """Take in what others have added meanwhile."""
        try:
            return await self._refresh()
        except IncompleteError:  # what was written is stored, so that the answer must not depend on everything else
            return await MemoryStore.recheck(self, snapshot, memory_id)

    async def touch(self, snapshot: Snapshot, memory_ids: Iterable[str]) -> list[str]:  # noqa: ARG002  # the newest counts
        """Note that `memory_ids` were read now; written down a little later, and lost when the process dies before."""
        now, known = to_text(self.now()), self._current.access
        fresh = {i: latest(now, *known.get(i, ())) for i in stale(memory_ids, known, now)}
        if fresh:
            if not isinstance(known, Accessed) or known.worn:
                known = Accessed(known)
                self.follower.holdings.snapshot = replace(self._current, access=known)
            known.note(fresh)
            self._pending.touched |= fresh
            self._later.due()
        return []

    async def listed(self) -> set[str] | None:
        """The ids in the list for people, once what was put off is in it."""
        await self.settle()
        return await MemoryStore.listed(self)

    async def settle(self) -> None:
        """Do at once what was put off."""
        await self._later.flush()

    async def close(self) -> None:
        """Do what was put off, and stop watching."""
        await self.settle()
        await self._follow.idle()
        self.follower.watch.close()

    @property
    def _current(self) -> Snapshot:
        return self.follower.holdings.snapshot

    async def _read(self, *, access: bool) -> Snapshot:  # noqa: ARG002  # access times are at hand
        await self._refresh()
        self.follower.holdings.refuse_newer()
        return self._current

    async def _refresh(self) -> Snapshot:
        if not self.follower.is_current():
            await self._follow()
        return self._current

    async def _follow_once(self) -> None:
        await self.follower.follow()
        now, pending = self.now(), self._pending
        if pending.read_at is None or (self.follower.accesses and now - pending.read_at >= _ACCESS_FOR):
            keys, self.follower.accesses = self.follower.accesses, set[str]()
            found = await read_access(self.kv, keys)
            known = self._current.access
            merged = {i: latest(*times, *known.get(i, ())) for i, times in found.items()}
            self.follower.holdings.snapshot = replace(self._current, access={**known, **merged})
            pending.read_at = now

    def _learn(self, added: Iterable[Stored], written: dict[str, tuple[str, ...]]) -> None:
        stored = {str(one.key): one for one in added}
        parts = {
            name: Contents(stored={row: stored[row] for row in rows}, segments={name: list(rows)})
            for name, rows in written.items()
        }
        self.follower.learn(parts or {key: Contents(stored={key: one}) for key, one in stored.items()})

    async def _catch_up(self) -> None:
        """Do what was put off; what the storage refuses is tried again with the next write."""
        try:
            await self._pack()
            if self._pending.manifest:
                self._pending.manifest = False
                await self._put_manifest(self._current)
            await self._write_accesses()
        except (IncompleteError, StorageUnavailableError):
            self._pending.manifest = True

    async def _pack(self) -> None:
        if len(self._current.layout.loose) >= PACK_FROM:
            await self._refresh()  # others wait as long, and one of them may just have packed the same
        before = self._current
        fresh, self._pending.bulk = self._pending.bulk, set[str]()
        after = await pack(self.kv, before, self.now, self.new_id, fresh)
        if after is before:
            return
        written = {name: rows for name, rows in after.layout.segments.items() if name not in before.layout.segments}
        # The rows as they were packed: a look may have let go of them meanwhile, when they were purged.
        packed = frozenset(chain.from_iterable(written.values()))
        self._learn([stored for stored in before.stored() if str(stored.key) in packed], written)

    async def _write_accesses(self) -> None:
        if not self._pending.touched:
            return
        shard = int(self.new_id()[:8], 16) % ACCESS_SHARDS
        fresh, self._pending.touched = self._pending.touched, {}
        live = {i: times for i, times in self._current.access.items() if self._current.find(i) is not None}
        try:
            await write_times(self.kv, shard, {i: times for i, times in fresh.items() if i in live}, live)
        except StorageUnavailableError:
            self._pending.touched = {**fresh, **self._pending.touched}
            raise
        self.follower.watch.wrote(access_key(shard))

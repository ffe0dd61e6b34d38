"""A memory store: reads the set of revisions, adds to it, and keeps the derived keys beside it."""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from ..errors import ConflictError, IncompleteError, StorageUnavailableError, TooLargeError
from ..models.instant import to_text
from ..models.revision import Revision
from .access import stale, write_access
from .codec import SEGMENT_BYTES, Stored, encode, to_json
from .keys import ACCESS_SHARDS, REVISION_PREFIX, STORE_PREFIX
from .kv import KeyValue
from .leftovers import Folder, Leftover, clear_purged, leftovers_of, may_go
from .likeness import look_alikes
from .loading import CHANGING, in_full, load
from .manifest import read_manifest, write_manifest
from .names import storage_name, store_digest
from .purging import scrub
from .rechecking import with_news_of
from .snapshot import Snapshot
from .upkeep import COVERED_FOR_MS, merge, pack, sweep, write_segments


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStore:
    """One user's store. `now` and `new_id` (32 hexadecimal digits) are passed in.

    `hints`: whether a new and empty store may name others whose ids look like its own.
    """

    store_id: str
    kv: KeyValue
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    hints: bool = True

    @property
    def name(self) -> str:
        """The name of the key-value store on the platform and on disk."""
        return storage_name(self.store_id)

    async def load(self, *, access: bool = True) -> Snapshot:
        """Read everything; the times of last access only where they matter.

        Raises:
            IncompleteError: a listed key could not be found again; a shorter answer would be wrong.
            ConflictError: the storage belongs to another memoryStoreId.
        """
        snapshot = await self._read(access=access)
        if snapshot.layout.owners - {self._mark}:
            message = (
                f"The storage {self.name} holds the memories of another memoryStoreId than {self.store_id!r}. "
                "Nothing was read or changed. Check the memoryStoreId, or whether the storage was copied by hand."
            )
            raise ConflictError(message)
        if self.hints and not snapshot.revisions and not snapshot.layout.owners:
            return replace(snapshot, notes=tuple(await look_alikes(self.kv, self.store_id)))
        return snapshot

    async def in_full(self, snapshot: Snapshot) -> Snapshot:
        """`snapshot` with the segments that were passed over, since others hold their rows; tidying looks at them."""
        return await in_full(self.kv, snapshot)

    async def _read(self, *, access: bool) -> Snapshot:
        return await load(self.kv, access=access, settled=self._settled)

    async def commit(self, snapshot: Snapshot, revisions: Sequence[Revision]) -> Snapshot:
        """Add `revisions`: each write is a commit point, one for a single revision, one a segment for many.

        Returns the snapshot with them. Raises TooLargeError when one revision does not fit a segment.
        """
        return await self.add(snapshot, [encode(revision) for revision in revisions])

    async def add(self, snapshot: Snapshot, added: Sequence[Stored]) -> Snapshot:
        """As `commit`, for revisions that are encoded already, be it by another store."""
        if not added:
            return snapshot
        written = await self._put(added)
        layout = snapshot.layout
        if written:
            layout = replace(layout, segments={**layout.segments, **written})
        else:
            layout = replace(layout, loose=layout.loose | {str(added[0].key)})
        return await self._round_off(snapshot.plus(added, layout), written.keys())

    async def _put(self, added: Sequence[Stored]) -> dict[str, tuple[str, ...]]:
        """Store `added`, one under its own key, more in segments: the keys in them by the name of the segment."""
        largest = max(stored.size for stored in added)
        if largest > SEGMENT_BYTES:
            allowed, came = f"{SEGMENT_BYTES / 1e6} MB", f"{largest / 1e6:.1f} MB"
            message = f"A memory may take up to {allowed} as JSON, this one takes {came}. Nothing was stored."
            raise TooLargeError(message)
        if len(added) > 1:
            return await write_segments(self.kv, added, self.now, self.new_id)
        await self.kv.set(str(added[0].key), added[0].line)
        return {}

    async def _round_off(self, after: Snapshot, written: AbstractSet[str]) -> Snapshot:
        """What follows a commit; the memories are stored by now, so a failure here is said and not raised."""
        try:
            await self._sign(after)
            after = replace(after, listed=frozenset([key async for key in self.kv.list_keys()]))
            await self._put_manifest(after)
            return await pack(self.kv, after, self.now, self.new_id, written)
        except StorageUnavailableError as error:
            note = f"What was written is stored, but not yet tidied up: {error.message}"
            return replace(after, notes=(*after.notes, note))

    async def recheck(self, snapshot: Snapshot, memory_id: str) -> Snapshot:
        """Take in what others have added to one memory, or in bulk, by the listing that followed the write."""
        return await with_news_of(self.kv, snapshot, memory_id)

    async def scrub(self, snapshot: Snapshot) -> Snapshot:
        """Remove the content of purged memories from every stored value.

        Another purge may rewrite a segment between the load and this: then it is looked for again.

        Raises:
            IncompleteError: segments kept changing; the purges stand, and the next prune removes what is left.
        """
        snapshot = await self.in_full(snapshot)
        await clear_purged(self.kv, snapshot, self._milliseconds())
        for _ in range(CHANGING):
            try:
                return await scrub(self.kv, snapshot, self.now, self.new_id)
            except IncompleteError:
                snapshot = await self.in_full(await self.load(access=False))
        return await scrub(self.kv, snapshot, self.now, self.new_id)

    async def tidy(self, snapshot: Snapshot) -> None:
        """Remove purged content, merge small segments, and delete what has stood in a newer one for a day."""
        merged = await merge(self.kv, await self.scrub(snapshot), self.now, self.new_id)
        await sweep(self.kv, merged, self.now)

    async def leftovers(self) -> list[Leftover]:
        """What writes that were cut short have left beside the values."""
        return await leftovers_of(self.kv, self._milliseconds())

    async def mend(self, snapshot: Snapshot, leftovers: Iterable[Leftover]) -> None:
        """As `tidy`; write the list for people anew, and mend those `leftovers` that hold nothing of their own."""
        await self.tidy(snapshot)
        listed = frozenset([key async for key in self.kv.list_keys(REVISION_PREFIX)])
        await self._put_manifest(replace(snapshot, listed=listed))
        for left in leftovers:
            if isinstance(self.kv, Folder) and may_go(left, snapshot):
                await self.kv.mend(left)

    async def listed(self) -> set[str] | None:
        """The ids in the list for people; None where it is missing or damaged."""
        return await read_manifest(self.kv)

    def _milliseconds(self) -> int:
        return int(self.now().timestamp() * 1000)

    def _settled(self) -> int:
        return self._milliseconds() - COVERED_FOR_MS

    async def touch(self, snapshot: Snapshot, memory_ids: Iterable[str]) -> list[str]:
        """Note that `memory_ids` were read now; what to say where that fails, which is no reason to refuse a read."""
        now = to_text(self.now())
        fresh = stale(memory_ids, snapshot.access, now)
        if fresh:
            shard = int(self.new_id()[:8], 16) % ACCESS_SHARDS
            live = {i: times for i, times in snapshot.access.items() if snapshot.find(i) is not None}
            try:
                await write_access(self.kv, shard, fresh, live, now)
            except StorageUnavailableError as error:
                return [f"That these memories were read could not be noted, so they may fade sooner: {error.message}"]
        return []

    @property
    def _mark(self) -> str:
        return f"{STORE_PREFIX}{store_digest(self.store_id)}"

    async def _sign(self, snapshot: Snapshot) -> None:
        """Say whose store this is, where nothing says so yet."""
        if not snapshot.layout.owners:
            await self.kv.set(self._mark, to_json({"memoryStoreId": self.store_id}).encode())

    async def _put_manifest(self, snapshot: Snapshot) -> None:
        await write_manifest(self.kv, self.store_id, snapshot, to_text(self.now()))

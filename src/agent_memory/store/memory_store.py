"""A memory store: reads the set of revisions, adds to it, and keeps the derived keys beside it."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from ..errors import ConflictError, IncompleteError, TooLargeError
from ..models.instant import to_text
from ..models.revision import Revision
from ..models.vocabulary import State
from .codec import (
    SEGMENT_BYTES,
    DamagedError,
    Encoded,
    Stored,
    decode,
    decode_segment,
    encode,
    encode_segments,
    to_json,
)
from .keys import (
    ACCESS_PREFIX,
    ACCESS_SHARDS,
    MANIFEST,
    REVISION_PREFIX,
    STORE_PREFIX,
    RevisionKey,
    parse_revision_key,
    segment_key,
    segment_time,
)
from .kv import KeyValue
from .names import storage_name, store_digest
from .snapshot import Snapshot, build

_READS_AT_ONCE: Final = 16
_LISTINGS: Final = 3
_PACK_FROM: Final = 64
_COVERED_FOR_MS: Final = 24 * 3600 * 1000
_MANIFEST_IDS: Final = 10_000
_ACCESS_GRAIN: Final = len("2026-03-01T09")


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a listing led to: every readable revision, and which of them stand in segments."""

    stored: Sequence[Stored]
    damaged: Sequence[str]
    covered: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStore:
    """One user's store. `now` and `new_id` (32 hexadecimal digits) are passed in."""

    store_id: str
    kv: KeyValue
    now: Callable[[], datetime]
    new_id: Callable[[], str]

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
        for _ in range(_LISTINGS):
            keys = {key async for key in self.kv.list_keys()}
            self._check_owner(keys)
            segments = await self._read(key for key in sorted(keys) if segment_time(key) is not None)
            contents = _unpack(segments)
            loose = sorted(key for key in keys if key.startswith(REVISION_PREFIX) and key not in contents.covered)
            singles = await self._read(loose)
            missing = {key for key, value in (segments | singles).items() if value is None}
            if missing and not missing <= {key async for key in self.kv.list_keys()}:
                continue
            stored, damaged = _decode_singles(singles)
            return build(
                [*contents.stored, *stored],
                damaged=[*contents.damaged, *damaged],
                loose=loose,
                covered={key: name for key, name in contents.covered.items() if key in keys},
                last_access=await self._last_access(keys) if access else {},
                marked=self._mark in keys,
            )
        message = f"The listing of {self.store_id} kept changing while it was read. Nothing changed. Try again."
        raise IncompleteError(message)

    async def commit(self, snapshot: Snapshot, revisions: Sequence[Revision]) -> Snapshot:
        """Add `revisions`: each write is a commit point, one for a single revision, one a segment for many.

        Returns the snapshot with them. Raises TooLargeError when one revision does not fit a segment.
        """
        if not revisions:
            return snapshot
        lines = [encode(revision) for revision in revisions]
        for line in lines:
            if len(line.line) > SEGMENT_BYTES:
                size = f"{len(line.line) / 1e6:.1f} MB"
                message = (
                    f"A memory may take up to {SEGMENT_BYTES / 1e6} MB as JSON, this one takes {size}. Nothing stored."
                )
                raise TooLargeError(message)
        if len(lines) == 1:
            await self.kv.set(str(lines[0].key), lines[0].line)
        else:
            await self._write_segments(lines)
        added = [Stored(line.key, revision, len(line.line)) for line, revision in zip(lines, revisions, strict=True)]
        after = snapshot.plus(added, loose=[str(lines[0].key)] if len(lines) == 1 else [])
        if not snapshot.marked:
            await self.kv.set(self._mark, to_json({"memoryStoreId": self.store_id}).encode())
        await self._write_manifest(after)
        return await self._pack(after)

    async def recheck(self, snapshot: Snapshot, memory_id: str) -> Snapshot:
        """List the revisions of one memory again, after a write, and take in what others have added meanwhile."""
        known = {str(stored.key) for stored in snapshot.revisions.get(memory_id, ())}
        keys = [key async for key in self.kv.list_keys(f"{REVISION_PREFIX}{memory_id}.") if key not in known]
        if not keys:
            return snapshot
        stored, damaged = _decode_singles(await self._read(keys))
        return snapshot.plus(stored, damaged=damaged, loose=keys)

    async def sweep(self, snapshot: Snapshot) -> int:
        """Delete single keys that a segment has covered for a day, after reading that segment once more.

        Returns how many were deleted.
        """
        oldest = int(self.now().timestamp() * 1000) - _COVERED_FOR_MS
        ripe = {key: name for key, name in snapshot.covered.items() if (segment_time(name) or oldest + 1) <= oldest}
        again = _unpack(await self._read(set(ripe.values()))).covered
        gone = [key for key in ripe if key in again]
        for key in gone:
            await self.kv.delete(key)
        return len(gone)

    async def touch(self, snapshot: Snapshot, memory_ids: Iterable[str]) -> None:
        """Note that `memory_ids` were read now; to the hour, so that a busy store is not written all the time."""
        now = to_text(self.now())
        stale = [i for i in memory_ids if snapshot.last_access.get(i, "")[:_ACCESS_GRAIN] != now[:_ACCESS_GRAIN]]
        if not stale:
            return
        key = f"{ACCESS_PREFIX}{int(self.new_id()[:8], 16) % ACCESS_SHARDS}"
        shard = _parse_access(await self.kv.get(key))
        live = {i: at for i, at in shard.items() if snapshot.find(i) is not None}
        await self.kv.set(key, to_json({**live, **dict.fromkeys(stale, now)}).encode())

    @property
    def _mark(self) -> str:
        return f"{STORE_PREFIX}{store_digest(self.store_id)}"

    def _check_owner(self, keys: set[str]) -> None:
        others = [key for key in keys if key.startswith(STORE_PREFIX) and key != self._mark]
        if others:
            message = (
                f"The storage {self.name} holds the memories of another memoryStoreId than {self.store_id!r}. "
                "Nothing was read or changed. Check the memoryStoreId, or whether the storage was copied by hand."
            )
            raise ConflictError(message)

    async def _read(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        gate = asyncio.Semaphore(_READS_AT_ONCE)

        async def read(key: str) -> tuple[str, bytes | None]:
            async with gate:
                return key, await self.kv.get(key)

        return dict(await asyncio.gather(*(read(key) for key in keys)))

    async def _last_access(self, keys: set[str]) -> dict[str, str]:
        latest: dict[str, str] = {}
        for value in (await self._read(key for key in sorted(keys) if key.startswith(ACCESS_PREFIX))).values():
            for memory_id, at in _parse_access(value).items():
                latest[memory_id] = max(at, latest.get(memory_id, ""))
        return latest

    async def _write_segments(self, lines: Sequence[Encoded]) -> None:
        for value in encode_segments(lines):
            await self.kv.set(segment_key(int(self.now().timestamp() * 1000), self.new_id()), value)

    async def _write_manifest(self, snapshot: Snapshot) -> None:
        """What is there for people to read, with what others have written since `snapshot`; a cache, never trusted."""
        keys = [parse_revision_key(key) async for key in self.kv.list_keys(REVISION_PREFIX)]
        others = {key.memory_id for key in keys if key and key.memory_id not in snapshot.heads}
        known = [i for i, head in reversed(snapshot.heads.items()) if head.state is not State.FORGOTTEN]
        newest = [*sorted(others), *known]
        manifest = {
            "version": 2,
            "memoryStoreId": self.store_id,
            "memoryIds": newest[:_MANIFEST_IDS],
            "truncated": len(newest) > _MANIFEST_IDS,
            "updatedAt": to_text(self.now()),
        }
        await self.kv.set(MANIFEST, to_json(manifest).encode())

    async def _pack(self, snapshot: Snapshot) -> Snapshot:
        """Copy loose revisions into a segment once there are many; the single keys stay until prune removes them."""
        if len(snapshot.loose) < _PACK_FROM:
            return snapshot
        loose = set(snapshot.loose)
        lines = [
            encode(stored.revision)
            for group in snapshot.revisions.values()
            for stored in group
            if str(stored.key) in loose
        ]
        await self._write_segments(lines)
        return replace(snapshot, loose=tuple(sorted(loose - {str(line.key) for line in lines})))


def _unpack(segments: Mapping[str, bytes | None]) -> _Contents:
    stored: dict[str, Stored] = {}
    damaged: list[str] = []
    covered: dict[str, str] = {}
    for name, value in segments.items():
        for key, line in decode_segment(value or b""):
            if key is None:
                damaged.append(f"{name}: a part of this segment cannot be read")
            elif str(key) not in stored:
                try:
                    stored[str(key)] = decode(key, line)
                    covered[str(key)] = name
                except DamagedError as error:
                    damaged.append(str(error))
    return _Contents(list(stored.values()), damaged, covered)


def _decode_singles(singles: Mapping[str, bytes | None]) -> tuple[list[Stored], list[str]]:
    stored: list[Stored] = []
    damaged: list[str] = []
    for name, value in singles.items():
        key: RevisionKey | None = parse_revision_key(name)
        try:
            if key is None or value is None:
                damaged.append(f"{name}: cannot be read")
            else:
                stored.append(decode(key, value))
        except DamagedError as error:
            damaged.append(str(error))
    return stored, damaged


def _parse_access(value: bytes | None) -> dict[str, str]:
    """The shard in `value`; a damaged one counts as empty, since access times are lossy by contract."""
    try:
        shard = json.loads(value or b"{}")
        return {str(i): str(at) for i, at in shard.items()}
    except (ValueError, AttributeError):
        return {}

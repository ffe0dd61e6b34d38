"""Memory stores that stay in memory between the requests of a long-living process, and are fresh all the same.

    async with warm_stores(open_kv, now=now, new_id=new_id, limits=Limits()) as stores:
        store = await stores.open(store_id)      # a MemoryStore; pass it to Context
        snapshot = await store.load()            # holds all that any process had acknowledged when it was called

What is derived from a snapshot and costs something to make, such as an index, is kept beside it: see `derived`.
    index = snapshot.derive(INDEX)               # INDEX = Recipe(build, extend)
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Final

from ..backends.local import LocalKeyValue
from ..kv import KeyValue
from ..names import storage_name
from .folder_events import FolderEvents
from .folder_watch import watch_folder
from .following import Follower
from .store import WarmStore
from .watch import ListingWatch, Watch


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is kept: at most so many stores, and about so many bytes of memory; at least the store last used."""

    stores: int = 64
    bytes: int = 256_000_000


_DEFAULT: Final = Limits()
_OWN_BYTES: Final = 150_000_000
_LEAST_BYTES: Final = 32_000_000


def limits_within(total_bytes: int) -> Limits:
    """Limits for a process that may use `total_bytes`: half of what it leaves beside what it takes itself."""
    return Limits(bytes=min(_DEFAULT.bytes, max(_LEAST_BYTES, (total_bytes - _OWN_BYTES) // 2)))


@dataclass(slots=True, kw_only=True)
class WarmStores:
    """The stores of one process, by id; the one last used stands last. `hints` is as in MemoryStore."""

    open_kv: Callable[[str], Awaitable[KeyValue]]
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    limits: Limits = _DEFAULT
    hints: bool = True
    _events: FolderEvents = field(init=False, default_factory=FolderEvents)
    _stores: dict[str, asyncio.Task[WarmStore]] = field(init=False, default_factory=dict[str, asyncio.Task[WarmStore]])
    _closing: set[asyncio.Task[None]] = field(init=False, default_factory=set[asyncio.Task[None]])

    async def open(self, store_id: str) -> WarmStore:
        """The store of this id.

        Raises:
            StorageUnavailableError: the storage does not answer.
        """
        task = self._stores.pop(store_id, None)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self._open(store_id))
        self._stores[store_id] = task
        store = await asyncio.shield(task)
        self._make_room()
        return store

    async def close(self) -> None:
        """Write what was put off."""
        for store_id in list(self._stores):
            self._drop(store_id)
        while self._closing:
            await asyncio.wait(self._closing)
        self._events.close()

    async def _open(self, store_id: str) -> WarmStore:
        kv = await self.open_kv(storage_name(store_id))
        follower = Follower(kv, self._watch(kv))
        return WarmStore(
            store_id=store_id, kv=kv, now=self.now, new_id=self.new_id, hints=self.hints, follower=follower
        )

    def _watch(self, kv: KeyValue) -> Watch:
        if isinstance(kv, LocalKeyValue):
            return watch_folder(kv.folder, self._events, monotonic)
        return ListingWatch(kv)

    def _make_room(self) -> None:
        """Let go of the stores that were not used for longest, while there is too much."""
        sizes = {
            store_id: 0 if not task.done() or task.cancelled() or task.exception() else task.result().bytes
            for store_id, task in self._stores.items()
        }
        total = sum(sizes.values())
        for store_id in list(sizes)[:-1]:
            if len(self._stores) <= self.limits.stores and total <= self.limits.bytes:
                return
            total -= sizes[store_id]
            self._drop(store_id)

    def _drop(self, store_id: str) -> None:
        closing = asyncio.create_task(_close(self._stores.pop(store_id)))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)


async def _close(task: "asyncio.Task[WarmStore]") -> None:
    await asyncio.wait([task])
    if not task.cancelled() and not task.exception():
        await task.result().close()


@asynccontextmanager
async def warm_stores(
    open_kv: Callable[[str], Awaitable[KeyValue]],
    *,
    now: Callable[[], datetime],
    new_id: Callable[[], str],
    limits: Limits = _DEFAULT,
    hints: bool = True,
) -> AsyncGenerator[WarmStores]:
    """The stores that `open_kv` opens by name, kept warm; what is put off is written at the end."""
    stores = WarmStores(open_kv=open_kv, now=now, new_id=new_id, limits=limits, hints=hints)
    try:
        yield stores
    finally:
        await stores.close()

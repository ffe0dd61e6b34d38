"""Memory stores that stay in memory between the requests of a long-living process, and are fresh all the same.

    async with warm_stores(open_kv, now=now, new_id=new_id, limits=Limits()) as stores:
        store = await stores.open(store_id)      # a MemoryStore; pass it to Context
        snapshot = await store.load()            # holds all that any process had acknowledged when it was called

What is derived from a snapshot and costs something to make, such as an index, is kept beside it: see `derived`.
    index = snapshot.derive(INDEX)               # INDEX = Recipe(build, extend)
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from .kv import KeyValue
from .memory_store import MemoryStore
from .names import storage_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is kept: at most so many stores, and about so many bytes of memory; at least the store last used."""

    stores: int = 64
    bytes: int = 256_000_000


@dataclass(slots=True, kw_only=True)
class WarmStores:
    """The stores of one process, by id."""

    open_kv: Callable[[str], Awaitable[KeyValue]]
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    limits: Limits

    async def open(self, store_id: str) -> MemoryStore:
        """The store of this id; raises StorageUnavailableError when the storage does not answer."""
        kv = await self.open_kv(storage_name(store_id))
        return MemoryStore(store_id=store_id, kv=kv, now=self.now, new_id=self.new_id)


@asynccontextmanager
async def warm_stores(
    open_kv: Callable[[str], Awaitable[KeyValue]],
    *,
    now: Callable[[], datetime],
    new_id: Callable[[], str],
    limits: Limits | None = None,
) -> AsyncGenerator[WarmStores]:
    """The stores that `open_kv` opens by name, kept warm; what is put off is written at the end."""
    yield WarmStores(open_kv=open_kv, now=now, new_id=new_id, limits=limits or Limits())

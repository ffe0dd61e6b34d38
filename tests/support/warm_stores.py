"""Stores kept warm, and the same ones read cold, with one clock."""

import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.names import storage_name
from agent_memory.store.snapshot import Snapshot
from agent_memory.store.warm.stores import Limits, WarmStores, warm_stores
from support.revisions import first
from support.world import STORE, World

WORLD = World()


def new_id() -> str:
    return uuid.uuid4().hex


@asynccontextmanager
async def warm(kv: KeyValue, limits: Limits | None = None) -> AsyncGenerator[WarmStores]:
    """Warm stores of which the one called STORE lives in `kv`, and others in memory."""
    others: dict[str, KeyValue] = {storage_name(STORE): kv}

    async def open_kv(name: str) -> KeyValue:
        return others.setdefault(name, InMemoryKeyValue())

    async with warm_stores(open_kv, now=WORLD.clock, new_id=new_id, limits=limits or Limits()) as stores:
        yield stores


def cold(kv: KeyValue, store_id: str = STORE) -> MemoryStore:
    return MemoryStore(store_id=store_id, kv=kv, now=WORLD.clock, new_id=new_id)


def texts(snapshot: Snapshot) -> list[str]:
    return [head.memory.content for head in snapshot.active()]


async def write(store: MemoryStore, *names: str) -> None:
    await store.commit(await store.load(), [first(name, f"text {name}") for name in names])

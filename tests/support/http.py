"""The HTTP application over stores in memory, called in-process: everything but the sockets."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from starlette.types import ASGIApp

from agent_memory.contracts.openapi import openapi
from agent_memory.settings import Settings
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.transports.http.app import build_app
from agent_memory.transports.http.tokens import digest
from agent_memory.transports.service import Service
from agent_memory.transports.surroundings import clock, new_id

BASE = "http://127.0.0.1:4321"


@dataclass
class Stores:
    """Stores in memory by id, and the service over them; `broken` is raised by every one that is opened."""

    by_id: dict[str, KeyValue] = field(default_factory=dict[str, KeyValue])
    broken: Exception | None = None

    async def open(self, store_id: str) -> MemoryStore:
        if self.broken:
            raise self.broken
        kv = self.by_id.setdefault(store_id, InMemoryKeyValue())
        return MemoryStore(store_id=store_id, kv=kv, now=clock, new_id=new_id)

    async def _records(self) -> KeyValue:
        return InMemoryKeyValue()

    async def _source(self, _: str) -> KeyValue:
        return InMemoryKeyValue()

    async def service(self) -> Service:
        return Service(open_store=self.open, open_records=self._records, open_source=self._source, decay_on=False)


def token_entry(name: str, token: str, *stores: str, right: str = "write") -> dict[str, Any]:
    """What a server is told of `token`."""
    return {"name": name, "sha256": digest(token), "stores": stores or ("*",), "right": right}


def make_app(stores: Stores, **settings: Any) -> ASGIApp:
    """The application over `stores`; `settings` by the names of their variables, lists as JSON."""
    given = {name: value if isinstance(value, str) else json.dumps(value) for name, value in settings.items()}
    return build_app(Settings(**given), stores.service, openapi, {})  # pyright: ignore[reportArgumentType]  # as text


@asynccontextmanager
async def client(
    stores: Stores | None = None, *, base: str = BASE, headers: Mapping[str, str] | None = None, **settings: Any
) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of such an application."""
    transport = httpx.ASGITransport(make_app(stores or Stores(), **settings), raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url=base, headers=dict(headers or {})) as opened:
        yield opened

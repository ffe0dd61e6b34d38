"""A small world for tests: one process with its own clock and ids over a key-value store in memory."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agent_memory.actions.base import Context, Exchange, Progress
from agent_memory.actions.run import run_action
from agent_memory.errors import MemoryServiceError, NotFoundError
from agent_memory.lifecycle.policy import Policy
from agent_memory.models.vocabulary import Channel
from agent_memory.store.files import Files
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.transports.wire import error_body

STORE = "acme~notes"
START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@dataclass
class World:
    """Actions as a transport would run them; every store id has a key-value store of its own."""

    now: datetime = START
    decay_on: bool = False
    strict_scopes: bool = False
    channel: Channel = Channel.API
    stores: dict[str, KeyValue] = field(default_factory=dict[str, KeyValue])
    tick: timedelta = timedelta(milliseconds=1)
    records: InMemoryKeyValue = field(default_factory=InMemoryKeyValue)
    sources: dict[str, KeyValue] = field(default_factory=dict[str, KeyValue])
    files: Files | None = field(default_factory=lambda: Files(Path.cwd()))
    told: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    watcher: Progress | None = None
    new_id: Callable[[], str] = field(default=lambda: uuid.uuid4().hex)

    async def ask(self, action: str, /, **fields: Any) -> dict[str, Any]:
        """The body that answers INPUT {action, memoryStoreId, **fields}, as JSON would carry it."""
        payload = {"memoryStoreId": STORE, **fields}
        try:
            return await self.carry_out(action, payload)
        except MemoryServiceError as error:
            return json.loads(json.dumps(error_body(action, error), allow_nan=False))

    async def carry_out(self, action: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The body that answers `payload`, as JSON would carry it; a failure is raised."""
        return json.loads(json.dumps(await run_action(action, payload, self._open), allow_nan=False))

    async def remember(self, content: str, **fields: Any) -> str:
        """Remember one text and answer its id."""
        body = await self.ask("remember", content=content, **fields)
        assert body["ok"], body
        return body["memory"]["id"]

    def wait(self, **span: float) -> None:
        """Let time pass."""
        self.now += timedelta(**span)

    def clock(self) -> datetime:
        """The present, a little later each time it is asked for."""
        self.now += self.tick
        return self.now

    def memory_store(self, store_id: str = STORE) -> MemoryStore:
        """The store under `store_id`, made when it is first asked for."""
        kv = self.stores.setdefault(store_id, InMemoryKeyValue())
        return MemoryStore(store_id=store_id, kv=kv, now=self.clock, new_id=self.new_id)

    def values(self, store_id: str = STORE) -> dict[str, bytes]:
        """What the store in memory holds, by key."""
        kv = self.memory_store(store_id).kv
        assert isinstance(kv, InMemoryKeyValue)
        return kv.values

    @property
    def policy(self) -> Policy:
        """What settings decide about rules and scopes."""
        return Policy(strict_scopes=self.strict_scopes)

    async def _open(self, store_id: str) -> Context:
        return Context(
            store=self.memory_store(store_id),
            clock=self.clock,
            new_id=self.new_id,
            channel=self.channel,
            writer="test",
            decay_on=self.decay_on,
            policy=self.policy,
            may_approve=self.channel is Channel.CONSOLE,
            progress=self._progress,
            exchange=Exchange(open_records=self.open_records, open_source=self.open_source, files=self.files),
        )

    async def _progress(self, done: int, total: int, what: str) -> None:
        self.told.append((done, total, what))
        if self.watcher:
            await self.watcher(done, total, what)

    async def open_records(self) -> KeyValue:
        """The run's default key-value store."""
        return self.records

    async def open_source(self, store_id: str) -> KeyValue:
        """A key-value store on Apify."""
        if store_id not in self.sources:
            message = f"There is no key-value store {store_id}."
            raise NotFoundError(message)
        return self.sources[store_id]


async def approve(world: World, memory_id: str) -> dict[str, Any]:
    """The answer to a person who has read a memory and approves it."""
    revision = (await world.ask("get", memoryId=memory_id))["memories"][0]["revision"]
    return await world.ask("approve", memoryId=memory_id, ifRevision=revision)

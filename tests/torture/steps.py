"""Actions that advance one storage operation at a time, by hand, in an order that a test decides."""

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from agent_memory.actions.base import Context, Exchange
from agent_memory.actions.run import run_action
from agent_memory.errors import MemoryServiceError
from agent_memory.lifecycle.policy import Policy
from agent_memory.models.revision import Revision
from agent_memory.models.vocabulary import Channel, MemoryType
from agent_memory.store.codec import Stored, encode
from agent_memory.store.kv import KeyValue, get_each
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.snapshot import Snapshot
from agent_memory.transports.wire import error_body

from .loop import Loop

if TYPE_CHECKING:
    from agent_memory.store.warm.store import WarmStore

STORE = "acme~notes"
NOW = datetime(2026, 3, 5, 9, 30, tzinfo=UTC)
WHOLE = 1_000
"""Keys in a page of a listing, as on the platform: more than any of these stores has."""
IMPORTED = ("imported-1", "imported-2")
"""The memories that an import brings."""
_TICK = timedelta(milliseconds=1)


@dataclass(slots=True)
class Operation:
    """One operation on the storage that has not happened yet. A listing is asked for a page after `key`."""

    verb: str
    key: str
    value: bytes | None
    prefix: str
    answer: asyncio.Future[Any]


class Values:
    """What a storage holds, with a hash of all of it that is kept up to date."""

    def __init__(self, held: Mapping[str, bytes], page: int = WHOLE) -> None:
        self.held = dict(held)
        self.page = page
        self.hash = 0
        for item in self.held.items():
            self.hash ^= hash(item)

    def copy(self) -> "Values":
        twin = Values({}, self.page)
        twin.held, twin.hash = dict(self.held), self.hash
        return twin

    def hash_after(self, operation: Operation) -> int:
        """What `hash` will be."""
        key = operation.key
        if operation.verb not in ("set", "delete"):
            return self.hash
        before = hash((key, self.held[key])) if key in self.held else 0
        return self.hash ^ before ^ (hash((key, operation.value)) if operation.verb == "set" else 0)

    def answer(self, operation: Operation) -> Any:
        """What the operation will answer."""
        if operation.verb == "get":
            return self.held.get(operation.key)
        if operation.verb == "list":
            fit = (key for key in self.held if key.startswith(operation.prefix) and key > operation.key)
            return tuple(sorted(fit)[: self.page])
        return None

    def apply(self, operation: Operation) -> None:
        """Carry out what `operation` changes."""
        self.hash = self.hash_after(operation)
        if operation.verb == "set":
            self.held[operation.key] = cast("bytes", operation.value)
        elif operation.verb == "delete":
            self.held.pop(operation.key, None)


class Waiting:
    """A key-value store in which every operation waits until it is let through."""

    def __init__(self, loop: Loop, pending: deque[Operation], page: int) -> None:
        self._loop, self._pending, self._page = loop, pending, page

    async def _wait(self, verb: str, key: str, value: bytes | None = None, prefix: str = "") -> Any:
        operation = Operation(verb, key, value, prefix, self._loop.create_future())
        self._pending.append(operation)
        return await operation.answer

    async def get(self, key: str) -> bytes | None:
        return await self._wait("get", key)

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        return await get_each(self.get, keys)

    async def set(self, key: str, value: bytes) -> None:
        await self._wait("set", key, value)

    async def delete(self, key: str) -> None:
        await self._wait("delete", key)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        after = ""
        while True:
            page = await self._wait("list", after, prefix=prefix)
            for key in page:
                yield key
            if len(page) < self._page:
                return
            after = page[-1]


class Calm:
    """A key-value store over a dict that answers at once; `order` is how it lists."""

    def __init__(self, held: dict[str, bytes], order: Callable[[Iterable[str]], Iterable[str]] = sorted) -> None:
        self.held, self._order = held, order

    async def get(self, key: str) -> bytes | None:
        return self.held.get(key)

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        return await get_each(self.get, keys)

    async def set(self, key: str, value: bytes) -> None:
        self.held[key] = value

    async def delete(self, key: str) -> None:
        self.held.pop(key, None)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        for key in self._order(list(self.held)):
            if key.startswith(prefix):
                yield key


MakeStore = Callable[[KeyValue, Callable[[], datetime], Callable[[], str]], MemoryStore]


def our_store(kv: KeyValue, now: Callable[[], datetime], new_id: Callable[[], str]) -> MemoryStore:
    """The store as it is."""
    return MemoryStore(store_id=STORE, kv=kv, now=now, new_id=new_id)


@dataclass(frozen=True)
class Ask:
    """A request: `name` for people, the action and its INPUT fields.

    `finds` are the memories that a read must show while they are active; None where it shows no memories.
    """

    name: str
    action: str
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    finds: frozenset[str] | None = None


class _Recorded:
    """A memory store that notes what it is asked to commit."""

    def __init__(self, store: MemoryStore, committed: list[Stored]) -> None:
        self._store, self._committed = store, committed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, snapshot: Snapshot, revisions: list[Revision]) -> Snapshot:
        self._committed += map(encode, revisions)
        return await self._store.commit(snapshot, revisions)

    async def add(self, snapshot: Snapshot, added: Sequence[Stored]) -> Snapshot:
        self._committed += added
        return await self._store.add(snapshot, added)


class Ids:
    """Ids and instants of one process: the same at each repetition, different in each process."""

    def __init__(self, name: str, at: datetime) -> None:
        self._name, self._at, self._count = name, at, 0

    def new_id(self) -> str:
        self._count += 1
        return hashlib.blake2b(f"{self._name} {self._count}".encode(), digest_size=16).hexdigest()

    def now(self) -> datetime:
        self._at += _TICK
        return self._at


async def _silent(done: int, total: int, what: str) -> None:
    """Progress that nobody watches."""


async def _records() -> KeyValue:
    """Where an export goes: not to the store that is tortured."""
    return Calm({})


async def _source(_: str) -> KeyValue:
    """Where an import comes from: two records of the original Actor."""
    return Calm({f"memory-{i}": f'{{"id":"{i}","content":"Says {i}."}}'.encode() for i in IMPORTED})


async def carry_out(ask: Ask, kv: KeyValue, ids: Ids, make_store: MakeStore, committed: list[Stored]) -> dict[str, Any]:
    """The body that answers `ask`, as a transport would give it; a bug is raised."""
    return await carry_out_on(make_store(kv, ids.now, ids.new_id), ask, ids, committed)


async def carry_out_on(opened_store: MemoryStore, ask: Ask, ids: Ids, committed: list[Stored]) -> dict[str, Any]:
    """As `carry_out`, on a store that is there."""
    store = _Recorded(opened_store, committed)

    async def opened(_: str) -> Context:
        return Context(
            store=cast("MemoryStore", store),
            clock=ids.now,
            new_id=ids.new_id,
            channel=Channel.API,
            writer="torture",
            decay_on=False,
            progress=_silent,
            may_approve=True,
            policy=Policy(rule_types=frozenset({MemoryType.GENERAL})),
            exchange=Exchange(open_records=_records, open_source=_source, files=None),
        )

    try:
        return await run_action(ask.action, {"memoryStoreId": STORE, **ask.fields}, opened)
    except MemoryServiceError as error:
        return error_body(ask.action, error)


KeepWarm = Callable[[Mapping[str, bytes], KeyValue, Ids, Loop], "WarmStore"]
"""Makes the store of a server that has read what the first argument holds, and that goes on with the second one."""


class Process:
    """One action under way. `trace` is a hash of all it has asked and been answered; that decides what it does next.

    A `warm` one is that of a server: it has read the store before it is asked, and when it has answered it does what it
    had put off.
    """

    def __init__(  # noqa: PLR0913  # what makes two processes differ
        self,
        ask: Ask,
        name: str,
        values: Values,
        make_store: MakeStore = our_store,
        skew_s: float = 0,
        *,
        warm: KeepWarm | None = None,
    ) -> None:
        self.ask = ask
        self.values = values
        self.pending: deque[Operation] = deque()
        self.committed: list[Stored] = []
        self.trace = hash(name)
        self.steps = 0
        self._loop = Loop()
        kv = Waiting(self._loop, self.pending, values.page)
        ids = Ids(name, NOW + timedelta(seconds=skew_s))
        store = warm(values.held, kv, ids, self._loop) if warm else make_store(kv, ids.now, ids.new_id)
        self._task = self._loop.create_task(carry_out_on(store, ask, ids, self.committed))
        self._loop.drain()
        if warm:
            self._task.add_done_callback(lambda _: self._loop.create_task(cast("WarmStore", store).close()))

    @property
    def done(self) -> bool:
        """Whether it has answered."""
        return self._task.done()

    @property
    def body(self) -> dict[str, Any]:
        """Its answer; raises what escaped."""
        return self._task.result()

    def after(self, which: int = 0) -> tuple[int, int]:
        """What `trace` and the hash of the values will be after its pending operation `which`."""
        operation = self.pending[which]
        answer = self.values.answer(operation)
        step = hash((self.trace, which, operation.verb, operation.key, operation.prefix, operation.value, answer))
        return step, self.values.hash_after(operation)

    def step(self, which: int = 0) -> Operation:
        """Let one pending operation happen."""
        self.trace, _ = self.after(which)
        operation = self.pending[which]
        del self.pending[which]
        answer = self.values.answer(operation)
        self.values.apply(operation)
        self.steps += 1
        operation.answer.set_result(answer)
        self._loop.drain()
        return operation

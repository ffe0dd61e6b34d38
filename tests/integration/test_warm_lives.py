"""A warm store beside other writers holds at every moment what a load from nothing would."""

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from typing_extensions import override

from agent_memory.errors import IncompleteError, MemoryServiceError
from agent_memory.models.instant import to_text
from agent_memory.models.revision import Revision
from agent_memory.models.vocabulary import State
from agent_memory.store.codec import STUB, encode, encode_segment
from agent_memory.store.keys import segment_key
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.loading import load
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.names import storage_name
from agent_memory.store.snapshot import Snapshot
from agent_memory.store.upkeep import write_segments
from agent_memory.store.warm.stores import WarmStores, warm_stores
from support.key_values import stores_at
from support.revisions import first
from support.world import STORE, World

if TYPE_CHECKING:
    from agent_memory.store.warm.store import WarmStore

T = TypeVar("T")

WHO = st.integers(0, 2)
TEXTS = st.sampled_from([f"Note {n} says that port {n} is open." for n in range(12)])


def ids() -> Callable[[], str]:
    """The same ids in each life, so that a choice of hypothesis means the same when it tries it again."""
    rng = random.Random(5)
    return lambda: f"{rng.getrandbits(128):032x}"


@pytest.fixture(autouse=True)
def _nothing_happens_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]  # autouse
    """What a warm store puts off is done when a life says `settle`, and not a second later."""
    monkeypatch.setattr("agent_memory.store.warm.store._PAUSE_S", 3_600)


def told(snapshot: Snapshot) -> dict[str, Any]:
    """All of a snapshot that an answer or an upkeep depends on, without the order in which it was read."""
    layout = snapshot.layout
    return {
        "heads": list(snapshot.heads.items()),
        "revisions": {i: {str(stored.key) for stored in group} for i, group in snapshot.revisions.items()},
        "damaged": sorted(snapshot.damaged),
        "loose": layout.loose,
        "covered": layout.covered,
        "segments": {name: sorted(rows) for name, rows in layout.segments.items()},
        "moved": dict(layout.moved),
        "stubs": layout.stubs,
        "impaired": layout.impaired,
        "owners": layout.owners,
    }


async def outcome(load: Callable[[], Awaitable[Snapshot]]) -> dict[str, Any] | str:
    """What a load finds, or why it refuses."""
    try:
        return told(await load())
    except MemoryServiceError as error:
        return error.message


class Shared(World):
    """Actions of several processes on one store; `store` is the one that the next action is given."""

    store: MemoryStore

    @override
    def memory_store(self, store_id: str = STORE) -> MemoryStore:
        return self.store


class Lives(RuleBasedStateMachine):
    """Two warm processes and any number of cold runs on one store, parts of which get lost or damaged besides."""

    location: ClassVar[str] = "memory"
    sees_overwriting: ClassVar[bool] = False
    """Whether a warm store notices that a value it has read was overwritten by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.kv: KeyValue = InMemoryKeyValue()
        self.new_id = ids()
        self.world = Shared(tick=timedelta(seconds=1), new_id=self.new_id)
        self.stack = AsyncExitStack()
        self.folder = tempfile.TemporaryDirectory(prefix="warm-lives-")
        self.warm: list[WarmStores] = []
        self.views: list[Snapshot] = []
        self.ids: list[str] = []
        self.hurt: dict[str, tuple[bytes, bytes]] = {}

    def run(self, job: Callable[[], Awaitable[T]]) -> T:
        async def go() -> T:
            return await job()

        return self.runner.run(go())

    @initialize()
    def begin(self) -> None:
        async def start() -> None:
            where = self.location.format(self.folder.name)
            open_kv = await self.stack.enter_async_context(stores_at(where))
            self.kv = await open_kv(storage_name(STORE))
            for _ in range(2):
                stores = warm_stores(open_kv, now=self.world.clock, new_id=self.new_id)
                self.warm.append(await self.stack.enter_async_context(stores))

        self.run(start)

    def teardown(self) -> None:
        self.run(self.stack.aclose)
        self.runner.close()
        self.folder.cleanup()

    def store(self, who: int) -> MemoryStore:
        """The store as one of the warm processes has it, or as a run of its own would."""
        if who < len(self.warm):
            return self.run(lambda: self.warm[who].open(STORE))
        return self.store_of_a_run()

    def store_of_a_run(self) -> MemoryStore:
        return MemoryStore(store_id=STORE, kv=self.kv, now=self.world.clock, new_id=self.new_id)

    async def load_in_full(self) -> Snapshot:
        """What a run would read that passes over nothing; what one reads that does is the same but for spare copies."""
        store = self.store_of_a_run()
        snapshot = await store.load()
        full = await store.in_full(snapshot)
        assert (full.heads, full.revisions) == (snapshot.heads, snapshot.revisions)
        return full

    def ask(self, who: int, action: str, **fields: Any) -> dict[str, Any]:
        """What `action` answers in that process."""
        self.world.store = self.store(who)
        body = self.run(lambda: self.world.ask(action, **fields))
        for found in (body.get("memory", {}).get("id"), *(r.get("memoryId") for r in body.get("results", ()))):
            if found and found not in self.ids:
                self.ids.append(found)
        return body

    def keys(self) -> list[str]:
        async def listed() -> list[str]:
            return sorted([key async for key in self.kv.list_keys() if key != "__manifest"])

        return self.run(listed)

    @rule(who=WHO, text=TEXTS, key=st.sampled_from([None, None, "k-1", "k-2"]))
    def remember(self, who: int, text: str, key: str | None) -> None:
        self.ask(who, "remember", content=text, idempotencyKey=key)

    @rule(who=WHO, texts=st.lists(TEXTS, min_size=2, max_size=5, unique=True))
    def remember_many(self, who: int, texts: list[str]) -> None:
        self.ask(who, "remember", memories=[{"content": text} for text in texts])

    @precondition(lambda self: self.ids)
    @rule(who=WHO, data=st.data(), action=st.sampled_from(["update", "update", "forget", "restore", "purge"]))
    def change(self, who: int, data: st.DataObject, action: str) -> None:
        memory_id = data.draw(st.sampled_from(self.ids))
        more = {"update": {"content": data.draw(TEXTS)}, "purge": {"confirm": f"DELETE {memory_id}"}}.get(action, {})
        self.ask(who, action, memoryId=memory_id, **more)

    @rule(who=WHO, days=st.sampled_from([0.5, 1.5, 400]))
    def prune(self, who: int, days: float) -> None:
        self.world.wait(days=days)
        self.ask(who, "prune", decayConfig={"enabled": True})

    @rule(who=WHO)
    def search(self, who: int) -> None:
        body = self.ask(who, "search", query="port 3 open")
        assert body["ok"] or body["error"]["code"] == "incomplete", body

    @rule(who=st.integers(0, 1))
    def settle(self, who: int) -> None:
        self.run(cast("WarmStore", self.store(who)).settle)

    @rule()
    def pack(self) -> None:
        """What a writer does that sees many loose revisions."""

        async def job() -> None:
            snapshot = await load(self.kv, access=False)
            picked = [s for s in snapshot.stored() if str(s.key) in snapshot.layout.loose]
            await write_segments(self.kv, picked, self.world.clock, self.new_id)

        with suppress(IncompleteError):
            self.run(job)

    @rule()
    def look(self) -> None:
        with suppress(IncompleteError):
            self.views.append(self.run(self.store(2).load))

    @precondition(lambda self: any(view.heads for view in self.views))
    @rule(data=st.data(), state=st.sampled_from([State.ACTIVE, State.FORGOTTEN, State.PURGED]))
    def write_late(self, data: st.DataObject, state: State) -> None:
        """A writer that has seen an earlier state; a purge of it ends with the process before anything is removed."""
        view = data.draw(st.sampled_from([view for view in self.views if view.heads]))
        head = view.heads[data.draw(st.sampled_from(list(view.heads)))]
        memory = replace(head.memory, content="" if state is State.PURGED else "A late note.")
        revision = Revision(
            number=head.number + 1,
            parents=(head.hash, *head.conflicts),
            at=to_text(self.world.clock()),
            by="late",
            state=state,
            memory=memory,
            origin=head.origin,
        )
        store = self.store(2)
        self.run(lambda: store.commit(view, [revision]))

    @rule(data=st.data(), many=st.booleans())
    def write_damaged(self, data: st.DataObject, many: bool) -> None:
        """A value that was damaged before anybody has read it."""
        made = [encode(first(f"d-{self.new_id()[:6]}", data.draw(TEXTS))) for _ in range(3 if many else 1)]
        value = encode_segment(made) if many else made[0].line
        name = segment_key(int(self.world.clock().timestamp() * 1000), self.new_id()) if many else str(made[0].key)
        at = data.draw(st.integers(0, len(value) - 1))
        broken = value[:at] + b"~" + value[at + 1 :]
        self.hurt[name] = value, broken
        self.run(lambda: self.kv.set(name, broken))

    @precondition(lambda self: self.hurt)
    @rule(data=st.data())
    def mend(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.hurt)))
        whole, broken = self.hurt.pop(name)
        if self.run(lambda: self.kv.get(name)) == broken:
            self.run(lambda: self.kv.set(name, whole))

    @precondition(lambda self: self.keys())
    @rule(data=st.data())
    def lose(self, data: st.DataObject) -> None:
        """A value is gone: purged, swept or deleted by hand."""
        name = data.draw(st.sampled_from(self.keys()))
        self.hurt.pop(name, None)
        self.run(lambda: self.kv.delete(name))

    @precondition(lambda self: self.sees_overwriting and self.keys())
    @rule(data=st.data(), stub=st.booleans())
    def overwrite(self, data: st.DataObject, stub: bool) -> None:
        """Damage to a value that has been read already, or a purge that ends with the process."""
        name = data.draw(st.sampled_from(self.keys()))
        value = self.run(lambda: self.kv.get(name)) or b"?"
        broken = STUB if stub else value[:-1]
        self.hurt[name] = value, broken
        self.run(lambda: self.kv.set(name, broken))

    @precondition(lambda self: self.warm)
    @invariant()
    def warm_is_what_cold_would_be(self) -> None:
        expected = self.run(lambda: outcome(self.load_in_full))
        for store in (self.store(0), self.store(1)):
            assert self.run(partial(outcome, store.load)) == expected


class FolderLives(Lives):
    location = "{0}/storage"
    sees_overwriting = True


class SqliteLives(Lives):
    location = "sqlite:///{0}/memories.db"


@pytest.mark.parametrize(("lives", "examples"), [(Lives, 60), (FolderLives, 25), (SqliteLives, 8)])
def test_warm_is_what_cold_would_be(lives: type[Lives], examples: int) -> None:
    run_state_machine_as_test(lives, settings=settings(max_examples=examples, stateful_step_count=30, deadline=None))

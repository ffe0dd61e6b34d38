"""Lives of a store with projects, sessions and callers of every kind: nobody is told of what does not exist for them.

What may be told is decided here a second time, from the stored revisions alone: a memory with a scope exists for
callers who name its project or session. Every text has a word of its own, and every id is its own word.
"""

import asyncio
import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from json import dumps
from typing import Any, Final

from agent_memory.actions.registry import NAMES
from agent_memory.errors import MemoryServiceError
from agent_memory.lifecycle.policy import Policy
from agent_memory.models.memory import Memory
from agent_memory.models.vocabulary import Channel, Resolution, Scope, State, Trust
from agent_memory.store.keys import MANIFEST
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.transports.caller import Caller, Right
from agent_memory.transports.service import Service
from agent_memory.transports.wire import error_body
from support.faulty_kv import YieldingKeyValue

from .scenes import packing_soon

STORE: Final = "acme~places"
CALLERS: Final = (
    Caller(name="agent", channel=Channel.MCP, right=Right.WRITE),
    Caller(name="program", channel=Channel.REST, right=Right.WRITE, stores=("acme~*",)),
    Caller(name="bold agent", channel=Channel.STDIO, right=Right.APPROVE),
    Caller(name="reader", channel=Channel.REST, right=Right.READ),
    Caller(name="stranger", channel=Channel.REST, right=Right.APPROVE, stores=("other~*",)),
    Caller(name="person", channel=Channel.CONSOLE, right=Right.APPROVE),
    Caller(name="approver", channel=Channel.REST, right=Right.APPROVE),
)
PROJECTS: Final = (None, "web", "api")
SESSIONS: Final = (None, "monday", "tuesday")
OVERSEEN: Final = frozenset(("prune", "doctor"))
"""Actions that look after the whole store and name everything to a person."""
_OFTEN: Final = (
    *("remember", "remember", "propose", "propose", "resolve", "resolve", "approve", "brief"),
    *("purge", "events", "doctor", "list", "reviews"),
)
_LOST: Final = 0.05
"""How often the list for people is lost, which doctor then reports."""
EACH: Final = 120
"""Calls in one life."""
_WORD: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|canary\d+x")
_SUBJECTS: Final = ("deploys", "backups", "tokens", "reviews")


class Leak(AssertionError):  # noqa: N818  # it is what is found, not what goes wrong
    """Something was told to a caller for whom it does not exist, or stands as a rule by nobody's word."""


@dataclass(frozen=True)
class Place:
    """Where a caller says that it stands."""

    project: str | None
    session: str | None

    def fields(self) -> dict[str, str]:
        known = {"projectId": self.project, "sessionId": self.session}
        return {name: value for name, value in known.items() if value}

    def holds(self, memory: Memory, *, strict: bool) -> bool:
        """Whether `memory` exists here; `strict`: one without a scope has the narrowest that its ids allow."""
        derived = Scope.SESSION if memory.session_id else Scope.PROJECT if memory.project_id else None
        scope = memory.scope or (derived if strict else None)
        if scope is Scope.SESSION:
            return memory.session_id is not None and memory.session_id == self.session
        return scope is not Scope.PROJECT or (memory.project_id is not None and memory.project_id == self.project)


class Life:
    """One store, and one random call after another."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self._kv = rng, YieldingKeyValue()
        self._now = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
        self._texts, self._count = list[str](), 0
        self._blessed = set[tuple[str, str]]()
        self._strict = rng.random() < 0.3  # a setting that some have
        self._last = dict[str, Memory]()
        self._ids, self._waiting = list[str](), list[str]()
        self.calls, self.told, self.settled = 0, 0, 0
        self._service = Service(
            open_store=self._open,
            open_records=self._elsewhere,
            open_source=lambda _: self._elsewhere(),
            decay_on=True,
            policy=Policy(strict_scopes=self._strict),
            clock=self._clock,
            new_id=lambda: f"{rng.getrandbits(128):032x}",
        )

    async def live(self, calls: int) -> None:
        """Make so many calls; raises a Leak."""
        while self.calls < calls:
            name = self._rng.choice([*NAMES, *_OFTEN])
            if self._rng.random() < _LOST:
                self._kv.values.pop(MANIFEST, None)
            if name == "resolve":
                await self._two_decide()
            caller = self._rng.choice(CALLERS)
            place = Place(self._rng.choice(PROJECTS), self._rng.choice(SESSIONS))
            await self._call(name, _fields(name, self), caller, place)

    async def _call(self, name: str, fields: dict[str, Any], caller: Caller, place: Place) -> dict[str, Any]:
        asked = {"memoryStoreId": STORE, **place.fields(), **fields}
        asked = {field: value for field, value in asked.items() if value is not None}
        try:
            body = await self._service.ask(name, asked, caller)
        except MemoryServiceError as error:
            body = error_body(name, error)
        self.calls += 1
        self._now += timedelta(hours=self._rng.choice((0, 0, 1, 200)))
        heads = await self._heads()
        self._bless(body, caller)
        if name == "brief" and body["ok"]:
            self._check_rules(body)
        if not (
            name in OVERSEEN and caller.right is Right.APPROVE and caller.channel in (Channel.REST, Channel.CONSOLE)
        ):
            self._check(asked, body, caller, place, heads)
        return body

    def _check(self, asked: Any, body: Any, caller: Caller, place: Place, held: dict[str, list[Memory]]) -> None:
        words = set(_WORD.findall(dumps(body))) - set(_WORD.findall(dumps(asked)))
        if not words:
            return
        self.told += 1
        allowed = {i for i, states in held.items() if place.holds(states[-1], strict=self._strict)}
        for memory in (m for states in held.values() for m in states if place.holds(m, strict=self._strict)):
            allowed.update(_WORD.findall(memory.content))
        leaked = words if caller.name == "stranger" else words - allowed
        if leaked:
            raise Leak(f"{caller.name} at {place} asked {asked} and was told of {leaked}: {body}")

    def _check_rules(self, body: dict[str, Any]) -> None:
        for entry in body["rules"]:
            if entry["trust"] == Trust.LOW or (entry["id"], entry["content"]) not in self._blessed:
                raise Leak(f"stands as a rule by nobody's word: {entry}")

    def _bless(self, body: dict[str, Any], caller: Caller) -> None:
        """Note what a person has written, approved or decided."""
        memory = body.get("memory")
        if memory and caller.right is Right.APPROVE and caller.channel in (Channel.REST, Channel.CONSOLE):
            self._blessed.add((memory["id"], memory["content"]))

    async def _two_decide(self) -> None:
        """Two people settle one review at once, in two ways: at most one is told that it is done, and it is."""
        review_id = self.some_review()
        candidate = self._last.get(review_id)
        place = Place(candidate.project_id, candidate.session_id) if candidate else Place(None, None)
        first, second = self._rng.sample(("add", "ignore", "merge", "delete"), 2)
        target = self.some_id()
        asks = [
            self._call("resolve", _resolution(review_id, how, target), caller, place)
            for how, caller in ((first, CALLERS[-1]), (second, CALLERS[-2]))
        ]
        bodies = await asyncio.gather(*asks)
        done = [body["resolution"] for body in bodies if body["ok"] and body["changed"]]
        if len(done) > 1:
            raise Leak(f"two people were told that they settled {review_id}: {bodies}")
        ways = await self._ways_of(review_id)
        if len(ways) > 1:
            raise Leak(f"{review_id} was settled in two ways: {ways}")
        self.settled += len(done)

    async def _ways_of(self, review_id: str) -> set[str]:
        snapshot = await (await self._open(STORE)).load()
        made = (stored.revision.settlement for stored in snapshot.revisions.get(review_id, ()))
        return {settlement.resolution.value for settlement in made if settlement}

    async def _heads(self) -> dict[str, list[Memory]]:
        """By id every state that a memory is stored with, the present one last, or of a purged one the last before."""
        snapshot = await (await self._open(STORE)).load()
        self._ids = [*snapshot.heads]
        self._waiting = [i for i, head in snapshot.heads.items() if head.state is State.PROPOSED]
        self._last |= {i: head.memory for i, head in snapshot.heads.items() if head.state is not State.PURGED}
        return {
            i: [
                *(
                    stored.revision.memory
                    for stored in snapshot.revisions[i]
                    if stored.revision.state is not State.PURGED
                ),
                self._last[i],
            ]
            for i in snapshot.heads
        }

    def some_id(self) -> str:
        """The id of some memory, review or nothing, more often of a new one."""
        return self._rng.choice([*self._ids, *self._ids[-8:] * 3]) if self._ids else "none"

    def some_review(self) -> str:
        """The id of a review that waits, if there is one."""
        return self._rng.choice(self._waiting or ["none"])

    def text(self) -> str:
        """A new text, or one that was written before."""
        if self._texts and self._rng.random() < 0.2:
            return self._rng.choice(self._texts)
        self._count += 1
        self._texts.append(f"{self._rng.choice(_SUBJECTS)} wait {self._count} minutes, says canary{self._count}x.")
        return self._texts[-1]

    def pick(self, *values: Any) -> Any:
        """One of `values`."""
        return self._rng.choice(values)

    def flip(self) -> bool:
        """Yes or no."""
        return self._rng.random() < 0.5

    async def _open(self, store_id: str) -> MemoryStore:
        return MemoryStore(store_id=store_id, kv=self._kv, now=self._clock, new_id=self._service.new_id)

    async def _elsewhere(self) -> KeyValue:
        return InMemoryKeyValue()

    def _clock(self) -> datetime:
        self._now += timedelta(milliseconds=1)
        return self._now


def _fields(name: str, life: Life) -> dict[str, Any]:
    """What to ask of the action `name`."""
    pick, flip, memory_id = life.pick, life.flip, life.some_id()
    details = {
        "memoryType": pick("rule", "rule", "fact"),
        "scope": pick(None, "global", "project", "session"),
        "source": pick(None, None, "human", "crawl"),
        "supersedes": pick(None, life.some_id()),
        "importance": pick(0.2, 0.5, 1),
    }
    item = {"content": life.text(), "memoryDetails": {field: v for field, v in details.items() if v is not None}}
    made = {
        "remember": lambda: {**item, "idempotencyKey": pick(None, None, "k1"), "reinforce": flip()},
        "search": lambda: {"query": life.text(), "explain": flip()},
        "recall": lambda: {"searchOptions": {"includeArchived": True}},
        "context_pack": lambda: {"query": pick(None, life.text())},
        "get": lambda: {"memoryIds": [memory_id, life.some_id()]},
        "list": lambda: {"status": pick("all", "forgotten")},
        "update": lambda: {"memoryId": memory_id, **item},
        "forget": lambda: {"memoryIds": [memory_id, life.some_id()]},
        "events": lambda: {"memoryId": pick(None, memory_id), "maxResults": 1000},
        "revert": lambda: {"changes": {"writer": pick("agent", "program")}, "apply": flip()},
        "restore": lambda: {"memoryId": memory_id, "revision": pick(None, "1.00000000")},
        "purge": lambda: {"memoryId": memory_id, "confirm": f"DELETE {memory_id}"},
        "prune": lambda: {"dryRun": flip(), "decayConfig": {"enabled": True, "pruneThreshold": 0.3}},
        "doctor": lambda: {"repair": flip()},
        "propose": lambda: {"candidates": [item, {"content": life.text()}]},
        "reviews": lambda: {"status": "all"},
        "resolve": lambda: _resolution(life.some_review(), pick(*Resolution), life.some_id()),
        "chunk": lambda: {"content": life.text(), "url": pick(None, "https://a.example/x")},
        "export": lambda: {"status": "all"},
        "import": lambda: {"sourceStore": "elsewhere"},
        "lifecycle": lambda: {"idleDays": 1},
    }
    return made[name]() if name in made else {"memoryId": memory_id}


def _resolution(review_id: str, resolution: str, target: str) -> dict[str, Any]:
    about = {"memoryId": target} if resolution in ("merge", "update", "delete") else {}
    return {"reviewId": review_id, "resolution": resolution, **about}


@dataclass
class Lived:
    """What was tried: calls, answers that told something, and reviews that one of two people settled."""

    calls: int = 0
    told: int = 0
    settled: int = 0


def lives(calls: int, rng: random.Random) -> Lived:
    """So many calls in lives of `EACH`; raises a Leak."""
    lived = Lived()
    with packing_soon(), asyncio.Runner() as runner:
        while lived.calls < calls:
            life = Life(random.Random(rng.getrandbits(64)))
            runner.run(life.live(EACH))
            lived.calls += life.calls
            lived.told += life.told
            lived.settled += life.settled
    return lived

"""A process of its own that writes to a store, tidies it or purges from it, and says on stdout what was acknowledged.

python -m torture.process <where> <role> <number>
"""

import asyncio
import json
import sys
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from agent_memory.models.identity import keyed_id
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.names import storage_name
from agent_memory.store.warm.stores import warm_stores
from support.key_values import stores_at

from .steps import STORE, Ask, Ids, carry_out_on, our_store

WORD: Final = "purge-me"
"""Part of every text that is written only to be purged."""

OpenStore = Callable[[], Awaitable[MemoryStore]]


class RealIds(Ids):
    """Ids and instants as in a real run; from `began` on, seconds since 1970, the clock may go `times` as fast."""

    def __init__(self, began: float = 0.0, times: float = 1.0) -> None:
        self._began, self._times = began, times

    def new_id(self) -> str:
        return uuid.uuid4().hex

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._began + (time.time() - self._began) * self._times, UTC)


@dataclass(frozen=True)
class Duty:
    """What one process does: so many of what `role` says, from number `first` on; a writer's role is its name.

    A warm one keeps its store in memory, as a server does; else each action reads everything, as a batch run does.
    """

    where: str
    role: str
    count: int
    first: int = 0
    warm: bool = False
    ids: RealIds = field(default_factory=RealIds)


async def _ask(open_store: OpenStore, ids: Ids, ask: Ask) -> dict[str, Any]:
    return await carry_out_on(await open_store(), ask, ids, [])


def write_line(line: dict[str, Any]) -> None:
    """Write one line of JSON, at once."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _say(ask: Ask, number: int, body: dict[str, Any]) -> None:
    """Print one line: what was acknowledged, or the error."""
    told = {"ask": ask.name, "number": number, "ok": body["ok"], "id": body.get("memory", {}).get("id")}
    write_line({**told, "error": body.get("error"), "content": ask.fields.get("content")})


async def write(open_store: OpenStore, duty: Duty, number: int) -> None:
    """Remember a text under a key of its own."""
    key = f"{duty.role}-{number}"
    fields = {"content": f"Writer {duty.role} says {number}.", "idempotencyKey": key, "receipt": False}
    ask = Ask("write", "remember", fields)
    _say(ask, number, await _ask(open_store, duty.ids, ask))


async def tidy(open_store: OpenStore, duty: Duty, number: int) -> None:
    """Prune."""
    ask = Ask("tidy", "prune")
    _say(ask, number, await _ask(open_store, duty.ids, ask))


async def purge(open_store: OpenStore, duty: Duty, number: int) -> None:
    """Remember something and purge it; one that died may have done so before."""
    key = f"{duty.role}-{number}"
    made = Ask("write", "remember", {"content": f"{WORD} {number}.", "idempotencyKey": key, "receipt": False})
    body = await _ask(open_store, duty.ids, made)
    memory_id = keyed_id(STORE, key)
    ask = Ask("purge", "purge", {"memoryId": memory_id, "confirm": f"DELETE {memory_id}"})
    if body["ok"]:
        body = await _ask(open_store, duty.ids, ask)
    elif number == duty.first and body["error"]["code"] == "conflict":
        body = {"ok": True}  # it was purged, and then the life ended
    _say(ask, number, body)


_ROLES: Final = {"tidy": tidy, "purge": purge}


@asynccontextmanager
async def _opened(duty: Duty) -> AsyncGenerator[OpenStore]:
    ids = duty.ids
    async with stores_at(duty.where) as open_kv:
        if duty.warm:
            async with warm_stores(open_kv, now=ids.now, new_id=ids.new_id) as stores:
                yield lambda: stores.open(STORE)
        else:
            kv = await open_kv(storage_name(STORE))

            async def anew() -> MemoryStore:
                return our_store(kv, ids.now, ids.new_id)

            yield anew


async def serve(duty: Duty) -> None:
    """Do it."""
    async with _opened(duty) as open_store:
        await open_store()
        write_line({"ask": "start", "ok": True})
        for number in range(duty.first, duty.first + duty.count):
            await _ROLES.get(duty.role, write)(open_store, duty, number)


if __name__ == "__main__":
    asyncio.run(serve(Duty(sys.argv[1], sys.argv[2], int(sys.argv[3]))))

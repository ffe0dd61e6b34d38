"""A process of its own that writes to a store, tidies it or purges from it, and says on stdout what was acknowledged.

python -m torture.process <where> <store name> <role> <number>
"""

import asyncio
import json
import sys
import uuid
from datetime import UTC, datetime
from typing import Final

from agent_memory.store.kv import KeyValue
from support.key_values import stores_at

from .steps import Ask, Ids, carry_out, our_store

WORD: Final = "purge-me"
"""Part of every text that is written only to be purged."""


class RealIds(Ids):
    """Ids and instants as in a real run."""

    def __init__(self) -> None:
        """Nothing is fixed."""

    def new_id(self) -> str:
        return uuid.uuid4().hex

    def now(self) -> datetime:
        return datetime.now(UTC)


async def _do(kv: KeyValue, ask: Ask) -> bool:
    """Carry out `ask` and print one line about it: what was acknowledged, or the error."""
    body = await carry_out(ask, kv, RealIds(), our_store, [])
    told = {"ask": ask.name, "ok": body["ok"], "id": body.get("memory", {}).get("id"), "error": body.get("error")}
    print(json.dumps({**told, "content": ask.fields.get("content")}), flush=True)  # noqa: T201  # its way to answer
    return body["ok"]


async def write(kv: KeyValue, writer: str, count: int) -> None:
    """Remember so many texts, each under a key of its own."""
    for number in range(count):
        fields = {"content": f"Writer {writer} says {number}.", "idempotencyKey": f"{writer}-{number}"}
        await _do(kv, Ask("write", "remember", fields))


async def tidy(kv: KeyValue, count: int) -> None:
    """Prune again and again."""
    for _ in range(count):
        await _do(kv, Ask("tidy", "prune"))


async def purge(kv: KeyValue, count: int) -> None:
    """Remember something and purge it, again and again."""
    for number in range(count):
        ask = Ask("", "remember", {"content": f"{WORD} {number}."})
        memory_id = (await carry_out(ask, kv, RealIds(), our_store, []))["memory"]["id"]
        await _do(kv, Ask("purge", "purge", {"memoryId": memory_id, "confirm": f"DELETE {memory_id}"}))


async def main(where: str, name: str, role: str, count: int) -> None:
    """Do what `role` says; a writer's role is its name."""
    async with stores_at(where) as open_store:
        kv = await open_store(name)
        print(json.dumps({"ask": "start", "ok": True}), flush=True)  # noqa: T201  # its way to answer
        match role:
            case "tidy":
                await tidy(kv, count)
            case "purge":
                await purge(kv, count)
            case _:
                await write(kv, role, count)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))

"""Exports and imports between small worlds."""

import json
from collections.abc import Callable
from typing import Any

from agent_memory.store.kv import InMemoryKeyValue
from support.world import World

CANARY = "xyzzy-canary-4711"
LONG = "The quick brown fox jumps over the lazy dog. " * 4_000


async def lines_of(world: World, **given: Any) -> bytes:
    """The export of `world`, all its records in one."""
    body = await world.ask("export", **given)
    assert body["ok"], body
    assert set(world.records.values) == set(body["records"])
    return b"".join(world.records.values[name] for name in body["records"])


async def take(world: World, lines: bytes, **given: Any) -> dict[str, Any]:
    """The answer to importing `lines`."""
    source = InMemoryKeyValue()
    source.values["EXPORT"] = lines
    world.sources["other"] = source
    return await world.ask("import", sourceStore="other", **given)


def stored(world: World) -> dict[str, bytes]:
    return dict(world.values())


def parsed(lines: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines()]


def edited(lines: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """`lines` after `change` was made to the last revision of the first memory."""
    first_line, *rest = parsed(lines)
    change(first_line["revisions"][-1]["revision"])
    return b"".join(json.dumps(line).encode() + b"\n" for line in (first_line, *rest))


def set_content(text: str) -> Callable[[dict[str, Any]], object]:
    return lambda body: body["memory"].update(content=text)


async def copy_of(world: World) -> World:
    """Another store that has taken in all of `world`."""
    other = World(now=world.now)
    assert (await take(other, await lines_of(world, status="all")))["ok"]
    return other


async def content_of(world: World, memory_id: str) -> str:
    body = await world.ask("get", memoryId=memory_id)
    assert body["ok"], body
    return body["memories"][0]["content"]


async def fill(world: World) -> dict[str, str]:
    """One memory in each state: their ids."""
    old = await world.remember("An old note.", memoryDetails={"confidence": 0.1})
    world.wait(days=400)
    await world.ask("prune", decayConfig={"enabled": True})
    ids = {"archived": old} | {state: await world.remember(f"A {state} note.") for state in ("active", "forgotten")}
    ids["purged"] = await world.remember(CANARY)
    await world.ask("forget", memoryId=ids["forgotten"])
    await world.ask("purge", memoryId=ids["purged"], confirm=f"DELETE {ids['purged']}")
    return ids

"""Reads as of an instant, and what holds after a restore or while two writers race for one revision."""

import asyncio
from typing import Any

import pytest

from support.faulty_kv import YieldingKeyValue
from support.world import STORE, World


async def revision_of(world: World, memory_id: str) -> Any:
    return (await world.ask("get", memoryId=memory_id))["memories"][0]["revision"]


async def test_after_a_restore_a_key_still_answers_its_memory(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.", idempotencyKey="k")
    await world.ask("forget", memoryId=memory_id)
    await world.ask("restore", memoryId=memory_id)

    body = await world.ask("remember", content="Port 1 is open.", idempotencyKey="k")

    assert (body["status"], body["memory"]["id"]) == ("replayed", memory_id)


async def test_as_of_shows_the_store_as_it_stood(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    world.wait(days=1)
    await world.ask("update", memoryId=memory_id, content="Port 1 is shut.")
    await world.remember("Port 2 is open.")

    for action in ("recall", "search"):
        body = await world.ask(action, query="port", asOf="2026-03-01T12:00:00Z")
        assert [m["content"] for m in body["memories"]] == ["Port 1 is open."], action
    assert (await world.ask("stats", asOf="2026-03-01T12:00:00Z"))["totalMemories"] == 1
    assert (await world.ask("recall", asOf="2026-02-01"))["memories"] == []
    pack = await world.ask("context_pack", asOf="2026-03-01T12:00:00Z")
    assert "Port 1 is open." in pack["contextMarkdown"]


@pytest.mark.parametrize("action", ["recall", "search", "context_pack"])
async def test_as_of_never_shows_what_was_forgotten_since(world: World, action: str) -> None:
    memory_id = await world.remember("Port 1 is open.")
    world.wait(days=1)
    await world.ask("forget", memoryId=memory_id)

    body = await world.ask(action, query="port", asOf="2026-03-01T12:00:00Z")

    assert body.get("memories", body.get("memoriesUsed")) == []
    assert "Port 1 is open." not in str(body)


@pytest.mark.parametrize("asked", [{}, {"searchOptions": {"tags": ["ssh"]}}])
@pytest.mark.parametrize("action", ["recall", "search", "context_pack"])
async def test_as_of_names_nothing_that_was_forgotten_since(world: World, action: str, asked: dict[str, Any]) -> None:
    older = await world.remember("Port 1 is open.", memoryDetails={"tags": ["ssh"]})
    newer = await world.remember("Port 2 is open.", memoryDetails={"supersedes": older})
    world.wait(days=1)

    before = await world.ask(action, query="port", asOf="2026-03-01T12:00:00Z", **asked)
    await world.ask("forget", memoryId=newer)
    after = await world.ask(action, query="port", asOf="2026-03-01T12:00:00Z", **asked)

    assert f"'supersededBy': '{newer}'" in str(before)
    assert older in str(after)
    assert newer not in str(after)


@pytest.mark.parametrize("action", ["search", "context_pack"])
async def test_as_of_names_no_copy_that_was_forgotten_since(world: World, action: str) -> None:
    text = "The port of the ssh server on the build host in the office is 22, and nobody else may use it"
    ids = [await world.remember(text + end) for end in ("", ".", " !")]
    world.wait(days=1)
    asked = {"query": "port of the ssh server", "asOf": "2026-03-01T12:00:00Z"}
    before = await world.ask(action, **asked)
    best = (before.get("memories") or before["memoriesUsed"])[0]["id"]
    copy, *others = [memory_id for memory_id in ids if memory_id != best]
    await world.ask("forget", memoryId=copy)
    after = await world.ask(action, **asked)

    assert copy in str(before)
    assert copy not in str(after)
    assert all(other in str(after) for other in (best, *others))


@pytest.mark.parametrize("as_of", ["not-a-date", 7, ["x"]])
async def test_as_of_must_be_an_instant(world: World, as_of: object) -> None:
    body = await world.ask("recall", asOf=as_of)

    assert body["error"]["details"]["field"] == "asOf"


async def test_two_writers_bound_to_one_revision_do_not_both_win() -> None:
    world = World(stores={STORE: YieldingKeyValue()})
    memory_id = await world.remember("Port 1 is open.")
    at = str(await revision_of(world, memory_id))

    bodies = await asyncio.gather(
        *(world.ask("update", memoryId=memory_id, content=f"Port 1 is {w}.", ifRevision=at) for w in ("shut", "busy"))
    )

    assert sum(body["ok"] and not body.get("conflicts") for body in bodies) <= 1

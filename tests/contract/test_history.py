"""history, restore, ifRevision and asOf: what was, and how to bring it back."""

import asyncio
from typing import Any

import pytest

from support.faulty_kv import YieldingKeyValue
from support.world import STORE, World


async def revision_of(world: World, memory_id: str) -> Any:
    return (await world.ask("get", memoryId=memory_id))["memories"][0]["revision"]


async def test_history_lists_every_change_newest_first_without_contents(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    world.wait(hours=1)
    await world.ask("update", memoryId=memory_id, content="Port 1 is shut.", memoryDetails={"tags": ["net"]})
    await world.ask("forget", memoryId=memory_id)

    body = await world.ask("history", memoryId=memory_id)

    assert (body["memoryId"], body["state"]) == (memory_id, "forgotten")
    assert [line["state"] for line in body["revisions"]] == ["forgotten", "active", "active"]
    assert set(body["revisions"][1]["changed"]) >= {"content", "tags"}
    assert body["current"] == body["revisions"][0]["revision"]
    assert "Port 1" not in str(body)


async def test_a_forgotten_memory_can_be_restored_and_is_found_again(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    await world.ask("forget", memoryId=memory_id)

    body = await world.ask("restore", memoryId=memory_id)

    assert body["memory"]["content"] == "Port 1 is open."
    assert [m["id"] for m in (await world.ask("search", query="port"))["memories"]] == [memory_id]
    assert (await world.ask("stats"))["forgotten"] == 0


async def test_an_earlier_revision_can_be_restored(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    was = await revision_of(world, memory_id)
    await world.ask("update", memoryId=memory_id, content="Port 1 is shut.")

    body = await world.ask("restore", memoryId=memory_id, revision=str(was))

    assert (body["ok"], body["memory"]["content"]) == (True, "Port 1 is open.")
    assert len((await world.ask("history", memoryId=memory_id))["revisions"]) == 3


async def test_an_archived_memory_can_be_restored_and_is_not_hidden_at_once() -> None:
    world = World(decay_on=True)
    memory_id = await world.remember("Port 1 is open.")
    world.wait(days=300)
    await world.ask("prune")

    await world.ask("restore", memoryId=memory_id)

    assert [m["id"] for m in (await world.ask("recall"))["memories"]] == [memory_id]
    assert (await world.ask("prune"))["pruned"] == 0


async def test_restoring_what_is_active_changes_nothing(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    before = await revision_of(world, memory_id)

    assert (await world.ask("restore", memoryId=memory_id))["ok"]
    assert await revision_of(world, memory_id) == before


@pytest.mark.parametrize("action", ["history", "restore"])
async def test_an_unknown_memory_or_revision_is_not_found(world: World, action: str) -> None:
    memory_id = await world.remember("Port 1 is open.")

    assert (await world.ask(action, memoryId="nope"))["error"]["code"] == "not_found"
    assert (await world.ask(action))["error"]["details"]["field"] == "memoryId"
    body = await world.ask("restore", memoryId=memory_id, revision="9.ffffffff")
    assert body["error"]["code"] == "not_found"
    assert "9.ffffffff" in body["error"]["message"]


@pytest.mark.parametrize("action", ["update", "forget"])
async def test_a_write_bound_to_an_old_revision_is_a_conflict_and_changes_nothing(world: World, action: str) -> None:
    memory_id = await world.remember("Port 1 is open.")
    old = str(await revision_of(world, memory_id))
    await world.ask("update", memoryId=memory_id, content="Port 1 is shut.")
    now = str(await revision_of(world, memory_id))
    change = {"content": "Port 1 is busy."} if action == "update" else {}

    refused = await world.ask(action, memoryId=memory_id, ifRevision=old, **change)
    done = await world.ask(action, memoryId=memory_id, ifRevision=now, **change)

    assert (refused["ok"], refused["error"]["code"]) == (False, "conflict")
    assert done["ok"], done


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

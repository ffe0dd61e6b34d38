"""history, restore, ifRevision and asOf, from the outside."""

import pytest

from support.world import World

OLD = "The API listens on port 8080."
NEW = "The API listens on port 9090."


@pytest.fixture
def world() -> World:
    return World()


async def test_history_names_every_change_newest_first_without_its_content(world: World) -> None:
    memory_id = await world.remember(OLD)
    await world.ask("update", memoryId=memory_id, content=NEW, memoryDetails={"tags": ["api"]})
    await world.ask("forget", memoryId=memory_id)

    body = await world.ask("history", memoryId=memory_id)

    assert [line["state"] for line in body["revisions"]] == ["forgotten", "active", "active"]
    assert [set(line["changed"]) for line in body["revisions"]] == [set(), {"content", "title", "tags"}, {"created"}]
    assert [line["by"] for line in body["revisions"]] == ["test"] * 3
    assert body["state"] == "forgotten"
    assert body["current"] == body["revisions"][0]["revision"]
    assert "9090" not in str(body)


async def test_history_of_an_unknown_memory_is_not_found(world: World) -> None:
    assert (await world.ask("history", memoryId="nowhere"))["error"]["code"] == "not_found"


async def test_a_forgotten_memory_comes_back_as_it_was(world: World) -> None:
    memory_id = await world.remember(OLD, memoryDetails={"tags": ["api"], "createdAt": "2026-01-05"})
    before = (await world.ask("get", memoryId=memory_id))["memories"][0]
    await world.ask("forget", memoryId=memory_id)

    restored = await world.ask("restore", memoryId=memory_id)
    after = (await world.ask("get", memoryId=memory_id))["memories"][0]

    assert restored["ok"]
    assert {**after, "revision": ""} == {**before, "revision": ""}
    assert (await world.ask("search", query="which port"))["count"] == 1


async def test_what_is_restored_can_be_forgotten_and_restored_again(world: World) -> None:
    memory_id = await world.remember(OLD)
    for _ in range(3):
        await world.ask("forget", memoryId=memory_id)
        assert (await world.ask("get", memoryId=memory_id))["error"]["code"] == "not_found"
        await world.ask("restore", memoryId=memory_id)
        assert (await world.ask("get", memoryId=memory_id))["ok"]


async def test_an_archived_memory_is_restored_and_does_not_fade_at_once() -> None:
    world = World(decay_on=True)
    memory_id = await world.remember(OLD)
    world.wait(days=200)
    assert (await world.ask("prune"))["pruned"] == 1

    await world.ask("restore", memoryId=memory_id)

    assert (await world.ask("recall"))["hiddenByDecay"] == 0
    assert (await world.ask("prune"))["pruned"] == 0


async def test_an_earlier_revision_is_restored_with_its_content(world: World) -> None:
    memory_id = await world.remember(OLD)
    await world.ask("update", memoryId=memory_id, content=NEW)
    first = (await world.ask("history", memoryId=memory_id))["revisions"][-1]["revision"]

    body = await world.ask("restore", memoryId=memory_id, revision=first)

    assert body["memory"]["content"] == OLD
    assert body["restoredFrom"] == first
    assert len((await world.ask("history", memoryId=memory_id))["revisions"]) == 3


async def test_restoring_an_active_memory_changes_nothing(world: World) -> None:
    memory_id = await world.remember(OLD)

    body = await world.ask("restore", memoryId=memory_id)

    assert body["ok"]
    assert len((await world.ask("history", memoryId=memory_id))["revisions"]) == 1


async def test_an_unknown_revision_is_refused_with_the_known_ones(world: World) -> None:
    memory_id = await world.remember(OLD)

    body = await world.ask("restore", memoryId=memory_id, revision="7.abcdef12")

    assert body["error"]["code"] == "not_found"
    assert "It has: 1." in body["error"]["message"]


@pytest.mark.parametrize("action", ["update", "forget"])
async def test_a_write_bound_to_a_revision_happens_only_while_it_is_current(world: World, action: str) -> None:
    memory_id = await world.remember(OLD)
    seen = (await world.ask("get", memoryId=memory_id))["memories"][0]["revision"]
    await world.ask("update", memoryId=memory_id, content=NEW)
    change = {"content": "Something else."} if action == "update" else {}

    stale = await world.ask(action, memoryId=memory_id, ifRevision=seen, **change)
    current = (await world.ask("get", memoryId=memory_id))["memories"][0]
    fresh = await world.ask(action, memoryId=memory_id, ifRevision=current["revision"], **change)

    assert stale["error"]["code"] == "conflict"
    assert current["content"] == NEW
    assert fresh["ok"]


async def test_a_read_as_of_an_instant_sees_what_stood_then(world: World) -> None:
    memory_id = await world.remember(OLD)
    world.wait(days=1)
    then = world.clock().isoformat()
    world.wait(days=1)
    await world.ask("update", memoryId=memory_id, content=NEW)
    await world.remember("The queue is Redis.")

    recalled = await world.ask("recall", asOf=then)
    found = await world.ask("search", query="which port", asOf=then)
    counted = await world.ask("stats", asOf=then)

    assert [memory["content"] for memory in recalled["memories"]] == [OLD]
    assert found["memories"][0]["content"] == OLD
    assert counted["totalMemories"] == 1


@pytest.mark.parametrize("action", ["recall", "stats"])
async def test_what_was_forgotten_since_is_not_shown_as_of_then(world: World, action: str) -> None:
    memory_id = await world.remember(OLD)
    world.wait(days=1)
    then = world.clock().isoformat()
    await world.ask("forget", memoryId=memory_id)

    body = await world.ask(action, asOf=then)

    assert body.get("total", body.get("totalMemories")) == 0
    assert body.get("memories", []) == []

"""dryRun: whatever would change something says so and changes nothing."""

from typing import Any

import pytest

from support.world import World


@pytest.fixture
async def world() -> World:
    world = World(decay_on=True)
    await world.remember("An old note of port 8080.")
    world.wait(days=200)
    return world


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("remember", {"content": "Something new."}),
        ("remember", {"memories": [{"content": "Something new."}]}),
        ("update", {"content": "The port is 9090."}),
        ("forget", {}),
        ("purge", {}),
        ("prune", {}),
        ("chunk", {"content": "# One\n\nText.\n"}),
    ],
)
async def test_a_dry_run_changes_no_stored_byte_and_says_would(
    world: World, action: str, fields: dict[str, Any]
) -> None:
    memory_id = (await world.ask("list"))["memories"][0]["id"]
    before = dict(world.values())
    known = {"memoryId": memory_id, "confirm": f"DELETE {memory_id}"}

    body = await world.ask(action, dryRun=True, **known, **fields)

    assert body["ok"], body
    assert body["dryRun"]
    assert "ould" in body["message"]
    assert dict(world.values()) == before


async def test_a_dry_run_of_restore_shows_what_would_come_back(world: World) -> None:
    memory_id = (await world.ask("list"))["memories"][0]["id"]
    await world.ask("forget", memoryId=memory_id)
    before = dict(world.values())

    body = await world.ask("restore", memoryId=memory_id, dryRun=True)

    assert body["memory"]["content"] == "An old note of port 8080."
    assert "Would restore" in body["message"]
    assert dict(world.values()) == before


async def test_a_dry_run_of_update_shows_the_memory_as_it_would_be(world: World) -> None:
    memory_id = (await world.ask("list"))["memories"][0]["id"]

    body = await world.ask("update", memoryId=memory_id, content="The port is 9090.", dryRun=True)

    assert body["memory"]["content"] == "The port is 9090."
    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["content"] == "An old note of port 8080."

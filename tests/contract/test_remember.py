"""remember, from the outside."""

import pytest
from support.world import World


@pytest.fixture
def world() -> World:
    return World()


async def test_a_remembered_text_is_found_by_get_and_search_at_once(world: World) -> None:
    memory_id = await world.remember("The staging database is reset every night at 02:00 UTC.")

    got = await world.ask("get", memoryId=memory_id)
    found = await world.ask("search", query="when is staging reset?")

    assert got["memories"][0]["content"] == "The staging database is reset every night at 02:00 UTC."
    assert [memory["id"] for memory in found["memories"]] == [memory_id]

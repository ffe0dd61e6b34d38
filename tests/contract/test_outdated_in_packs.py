"""A pack marks what was superseded or seems to be, and gives its room to what is current first."""

import json
from typing import Any

import pytest

from support.kept_warm import WarmWorld
from support.world import World

OLD, NEW = "We use port 22 for ssh on the build host.", "sshd on the build host listens on port 49222."
QUERY = "which port do we use for ssh on the build host"


@pytest.fixture(params=[World, WarmWorld])
def place(request: pytest.FixtureRequest) -> World:
    """A process that reads everything, and one that keeps an index."""
    return request.param()


async def pack(place: World, **fields: Any) -> dict[str, Any]:
    return await place.ask("context_pack", query=QUERY, **fields)


async def test_what_was_superseded_is_marked_and_says_by_what(place: World) -> None:
    old = await place.remember(OLD)
    new = await place.remember(NEW, memoryDetails={"supersedes": old})
    packed = await pack(place)

    assert [(used["id"], used.get("supersededBy")) for used in packed["memoriesUsed"]] == [(new, None), (old, new)]
    frames = [line for line in packed["contextMarkdown"].splitlines() if " old (" in line]
    assert [frame.endswith("), superseded") for frame in frames] == [False, True]
    told = json.loads((await pack(place, format="json"))["contextJson"])["memories"]
    assert [memory.get("outdated") for memory in told] == [None, "superseded"]


async def test_what_seems_to_be_updated_is_marked_as_a_guess(place: World) -> None:
    old = await place.remember(OLD)
    place.wait(days=1)
    new = await place.remember(NEW)
    packed = await pack(place)

    assert {u["id"]: u.get("possiblyUpdatedBy") for u in packed["memoriesUsed"]} == {new: None, old: new}
    assert packed["contextMarkdown"].count("), possibly updated\n") == 1


async def test_a_read_of_a_large_store_from_nothing_leaves_guesses_to_search() -> None:
    world = World()
    old = await world.remember(OLD)
    world.wait(days=1)
    new = await world.remember(NEW)
    await world.ask("remember", memories=[{"content": f"Unlike the others, number {i}."} for i in range(1000)])
    found = (await world.ask("search", query=QUERY, maxResults=5))["memories"]

    assert {"possiblyUpdatedBy": new}.items() <= next(memory for memory in found if memory["id"] == old).items()
    packed = await pack(world)
    assert old in [used["id"] for used in packed["memoriesUsed"]]
    assert not [used for used in packed["memoriesUsed"] if "possiblyUpdatedBy" in used]

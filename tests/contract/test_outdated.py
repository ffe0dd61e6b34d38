"""What was superseded stays outdated, whatever is tagged, read or archived later, until it says something new."""

from datetime import timedelta
from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from support.kept_warm import WarmWorld
from support.world import World

OLD, NEW = "We use port 22 for ssh on the build host.", "sshd on the build host listens on port 49222."
QUERY = "which port do we use for ssh on the build host"


@pytest.fixture(params=[World, WarmWorld])
def place(request: pytest.FixtureRequest) -> World:
    """A process that reads everything, and one that keeps an index."""
    return request.param()


async def replaced(place: World, **details: Any) -> tuple[str, str]:
    old = await place.remember(OLD, memoryDetails={"tags": ["ssh"]})
    place.wait(days=1)
    return old, await place.remember(NEW, memoryDetails={"supersedes": old, **details})


async def superseded_by(place: World, memory_id: str, **asked: Any) -> str | None:
    """By what reads say that a memory was superseded; all say the same."""
    found = {
        name: (await place.ask(name, **asked, **fields))["memories"]
        for name, fields in {"search": {"query": QUERY}, "recall": {}, "get": {"memoryId": memory_id}}.items()
        if name != "get" or "asOf" not in asked
    }
    told = {
        memory.get("supersededBy") for memories in found.values() for memory in memories if memory["id"] == memory_id
    }
    assert len(told) == 1, found
    brief = await place.ask("brief")
    assert "asOf" in asked or (memory_id in brief["markdown"]) is (told == {None})
    return told.pop()


async def test_a_tag_on_either_changes_nothing(place: World) -> None:
    old, new = await replaced(place)
    for memory_id in (old, new, old):
        place.wait(days=1)
        await place.ask("update", memoryId=memory_id, memoryDetails={"tags": [str(place.now)]})
        assert await superseded_by(place, old) == new


async def test_a_dated_note_supersedes_what_was_written_before_it_came(place: World) -> None:
    old, new = await replaced(place, createdAt="2020-01-01")

    assert await superseded_by(place, old) == new


async def test_an_archived_memory_still_supersedes_and_a_forgotten_one_does_not() -> None:
    world = World(decay_on=True)
    old, new = await replaced(world)
    for _ in range(5):
        world.wait(days=50)
        await world.ask("get", memoryId=old)
    pruned = await world.ask("prune", decayConfig={"enabled": True})
    assert [memory["id"] for memory in pruned["archived"]] == [new]
    assert await superseded_by(world, old) == new
    await world.ask("forget", memoryId=new)
    assert await superseded_by(world, old) is None
    await world.ask("restore", memoryId=new)
    assert await superseded_by(world, old) == new
    await world.ask("purge", memoryId=new, confirm=f"DELETE {new}")
    assert await superseded_by(world, old) is None


async def test_a_filter_that_only_the_older_one_passes_does_not_make_it_current(place: World) -> None:
    old, new = await replaced(place)

    assert await superseded_by(place, old, searchOptions={"tags": ["ssh"]}) == new


async def test_another_projects_successor_leaves_what_is_of_all_projects_current(place: World) -> None:
    old = await place.remember(OLD)
    new = await place.remember(NEW, projectId="web", memoryDetails={"supersedes": old})

    assert await superseded_by(place, old) == new
    found = await place.ask("search", query=QUERY, projectId="app")
    assert [(memory["id"], memory.get("supersededBy")) for memory in found["memories"]] == [(old, None)]


async def test_with_other_content_it_stands_again_and_update_says_so(place: World) -> None:
    old, new = await replaced(place)
    place.wait(days=1)
    before = place.now
    place.wait(days=1)
    changed = await place.ask("update", memoryId=old, content="Port 22 for ssh is open on the build host again.")

    assert any(new in warning and "stands again" in warning for warning in changed["warnings"])
    assert await superseded_by(place, old) is None
    assert await superseded_by(place, old, asOf=before.isoformat()) == new
    again = await place.ask("update", memoryId=new, memoryDetails={"supersedes": old})
    assert (again["changed"], len(again["warnings"])) == ([], 1)
    assert f"{old} says something new" in again["warnings"][0]
    for supersedes in (None, old):
        place.wait(days=1)
        assert (await place.ask("update", memoryId=new, memoryDetails={"supersedes": supersedes}))["warnings"] == []
    assert await superseded_by(place, old) == new


@pytest.mark.parametrize("way", ["revert", "restore", "update"])
async def test_with_the_content_that_was_superseded_it_is_superseded_again(place: World, way: str) -> None:
    old, new = await replaced(place)
    first = (await place.ask("get", memoryId=old))["memories"][0]["revision"]
    place.wait(days=1)
    await place.ask("update", memoryId=old, content="Port 23 for ssh is open.", toolCallId="bad")
    assert await superseded_by(place, old) is None
    place.wait(days=1)
    match way:
        case "revert":
            await place.ask("revert", changes={"toolCallId": "bad"}, apply=True)
        case "restore":
            await place.ask("restore", memoryId=old, revision=first)
        case _:
            await place.ask("update", memoryId=old, content=OLD)

    assert await superseded_by(place, old) == new


async def test_a_tag_makes_nothing_new_where_the_revision_before_it_is_damaged() -> None:
    world = World()
    old, new = await replaced(world)
    world.wait(days=1)
    await world.ask("update", memoryId=old, memoryDetails={"tags": ["office"]})
    broken = next(key for key in world.values() if old in key and ".1." in key)
    world.values()[broken] = b"broken"
    got = await world.ask("get", memoryId=old)

    assert got["warnings"]
    assert got["memories"][0]["supersededBy"] == new


@pytest.mark.parametrize("apply", [False, True])
async def test_revert_says_that_an_older_text_stands_again(place: World, *, apply: bool) -> None:
    old = await place.remember("Port 21 for ssh is open.")
    await place.ask("update", memoryId=old, content=OLD, toolCallId="bad")
    new = await place.remember(NEW, memoryDetails={"supersedes": old})
    place.wait(days=1)
    body = await place.ask("revert", changes={"toolCallId": "bad"}, apply=apply)

    assert [old in warning and new in warning for warning in body["warnings"]] == [True]
    assert await superseded_by(place, old) == (None if apply else new)


@pytest.mark.parametrize("days", [0, 1])
async def test_update_says_that_it_stands_again_only_when_it_does(place: World, days: int) -> None:
    place.tick = timedelta(0)
    old, new = await replaced(place)
    place.wait(days=days)
    changes = {"memoryId": old, "content": "Port 22 for ssh is open on the build host again."}
    planned = await place.ask("update", **changes, dryRun=True)
    told = await place.ask("update", **changes)

    assert planned["warnings"] == told["warnings"]
    again = any(new in warning and "stands again" in warning for warning in told["warnings"])
    assert again is (await superseded_by(place, old) is None) is (days > 0)


async def test_in_a_circle_what_was_said_first_yields(place: World) -> None:
    ids = [await place.remember(f"ssh on the build host: port {number}.") for number in range(3)]
    for newer, older in ((0, 1), (1, 2), (2, 0)):
        place.wait(days=1)
        await place.ask("update", memoryId=ids[newer], memoryDetails={"supersedes": ids[older]})

    assert await superseded_by(place, ids[0]) == ids[2]
    assert await superseded_by(place, ids[2]) == ids[1]
    assert await superseded_by(place, ids[1]) is None


async def test_a_proposal_supersedes_from_when_it_is_added() -> None:
    world = World()
    old = await world.remember(OLD)
    candidate = {"content": NEW, "memoryDetails": {"supersedes": old}}
    await world.ask("propose", candidates=[candidate])
    world.wait(days=1)
    await world.ask("update", memoryId=old, content=OLD + " Only from the office.")
    review = (await world.ask("reviews"))["reviews"][0]["id"]
    world.channel = Channel.CONSOLE
    await world.ask("resolve", reviewId=review, resolution="add")

    assert await superseded_by(world, old) == review


async def test_what_is_superseded_or_of_another_thing_seems_to_update_nothing(place: World) -> None:
    new = await place.remember("Port 6432 is the staging port.", memoryDetails={"createdAt": "2020-01-01"})
    old = await place.remember("Port 5432 is the staging port.")
    await place.remember("Port 7432 is the production port.")
    await place.ask("update", memoryId=new, memoryDetails={"supersedes": old})
    found = await place.ask("search", query="staging port")

    marks = {memory["id"]: memory.get("possiblyUpdatedBy") for memory in found["memories"]}
    assert marks[new] is None
    assert marks[old] is None

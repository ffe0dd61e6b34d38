"""list, from the outside."""

from typing import Any

import pytest

from support.world import World


@pytest.fixture
async def world() -> World:
    """Three active memories, one archived, one forgotten."""
    world = World(decay_on=True)
    archived = await world.remember("An old note that fades away.")
    world.wait(days=200)
    for place in ("first", "second", "third"):
        await world.remember(f"The {place} note.", projectId="web", memoryDetails={"tags": [place]})
    forgotten = await world.remember("A note to be hidden.", memoryDetails={"metadata": {"secret": "canary"}})
    await world.ask("prune")
    await world.ask("forget", memoryId=forgotten)
    assert (await world.ask("get", memoryId=archived))["memories"][0]["archived"]
    return world


async def every_page(world: World, **fields: Any) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = []
    options: dict[str, Any] = {}
    for _ in range(100):
        body = await world.ask("list", searchOptions=options, **fields)
        listed += body["memories"]
        if body["nextCursor"] is None:
            return listed
        options = {"cursor": body["nextCursor"]}
    raise AssertionError("the pages never end")


@pytest.mark.parametrize(("status", "count"), [("active", 3), ("archived", 1), ("forgotten", 1), ("all", 5)])
async def test_each_state_is_listed_by_itself_and_all_together(world: World, status: str, count: int) -> None:
    body = await world.ask("list", status=status)

    assert body["count"] == body["total"] == count
    assert {memory["state"] for memory in body["memories"]} <= {status, "active", "archived", "forgotten"}
    assert status == "all" or {memory["state"] for memory in body["memories"]} == {status}


async def test_active_memories_are_listed_unless_asked_otherwise_the_last_changed_first(world: World) -> None:
    body = await world.ask("list")

    assert [memory["content"] for memory in body["memories"]] == [
        "The third note.",
        "The second note.",
        "The first note.",
    ]


async def test_a_forgotten_memory_shows_its_title_but_not_its_content(world: World) -> None:
    body = await world.ask("list", status="forgotten")

    assert body["memories"][0]["title"] == "A note to be hidden."
    assert "content" not in body["memories"][0]
    assert "canary" not in str(body)


async def test_a_listed_forgotten_memory_can_be_restored(world: World) -> None:
    listed = (await world.ask("list", status="forgotten"))["memories"][0]

    assert (await world.ask("restore", memoryId=listed["id"]))["ok"]
    assert (await world.ask("list", status="forgotten"))["total"] == 0


async def test_pages_hold_every_memory_once(world: World) -> None:
    pages = await every_page(world, status="all", maxResults=2)
    whole = await world.ask("list", status="all")

    assert pages == whole["memories"]


async def test_filters_narrow_the_list(world: World) -> None:
    tagged = await world.ask("list", searchOptions={"tags": ["SECOND"]})
    elsewhere = await world.ask("list", projectId="mobile")

    assert [memory["content"] for memory in tagged["memories"]] == ["The second note."]
    assert elsewhere["total"] == 0


async def test_a_purged_memory_is_in_no_list(world: World) -> None:
    listed = (await world.ask("list"))["memories"][0]["id"]
    await world.ask("purge", memoryId=listed, confirm=f"DELETE {listed}")

    assert listed not in str(await world.ask("list", status="all"))


async def test_an_unknown_status_is_refused_with_the_known_ones(world: World) -> None:
    body = await world.ask("list", status="gone")

    assert body["error"]["code"] == "invalid_request"
    assert "'forgotten'" in body["error"]["message"]

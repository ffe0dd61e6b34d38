"""How reads treat what fades: hidden or demoted, but never silently."""

from datetime import timedelta
from typing import Any

import pytest

from support.world import World

READS = ["recall", "search", "context_pack"]


def shown(body: dict[str, Any]) -> set[str]:
    return {memory["id"] for memory in body.get("memories", body.get("memoriesUsed", []))}


@pytest.fixture
def world() -> World:
    return World(decay_on=True)


@pytest.mark.parametrize("action", READS)
async def test_what_is_hidden_is_counted(world: World, action: str) -> None:
    await world.remember("The old port is 80.")
    world.wait(days=200)
    fresh = await world.remember("The new port is 443.")

    body = await world.ask(action, query="port")

    assert shown(body) == {fresh}
    assert body["hiddenByDecay"] == 1


@pytest.mark.parametrize("action", READS)
async def test_where_decay_hides_every_match_they_come_back_with_a_warning(world: World, action: str) -> None:
    ids = {await world.remember(f"The port of service {n} is {n}.") for n in range(3)}
    world.wait(days=90 * 4)

    body = await world.ask(action, query="port")

    assert shown(body) == ids
    assert any("faded" in warning for warning in body["warnings"])
    assert body["hiddenByDecay"] == 3


async def test_what_a_read_hides_and_what_prune_archives_are_the_same(world: World) -> None:
    ids: set[str] = set()
    for n in range(19):
        ids.add(await world.remember(f"Port {n}.", memoryDetails={"confidence": n / 20, "pinned": n % 7 == 3}))
        world.wait(days=11)

    plan = await world.ask("prune", dryRun=True)
    seen = await world.ask("recall")

    assert 3 < plan["pruned"] < 16
    assert {archived["id"] for archived in plan["archived"]} == ids - shown(seen)
    assert seen["hiddenByDecay"] == plan["pruned"]


async def test_reading_a_memory_keeps_it_from_fading_but_not_from_ageing(world: World) -> None:
    memory_id = await world.remember("The port is 443.")
    for _ in range(5):
        world.wait(days=60)
        got = (await world.ask("get", memoryId=memory_id))["memories"][0]
        assert got["updatedAt"] == got["createdAt"]

    body = await world.ask("search", query="port")
    assert (body["count"], body["hiddenByDecay"]) == (1, 0)
    assert body["memories"][0]["updatedAt"].startswith("2026-03-01")


@pytest.mark.parametrize(("days", "expected"), [(0, 0.8), (30, 0.4), (60, 0.2), (90, 0.1), (110, 0.1)])
async def test_decayed_importance_halves_with_each_half_life_but_not_below_the_minimum(
    days: int, expected: float
) -> None:
    world = World(decay_on=True, tick=timedelta(0))
    await world.remember("The port is 443.")
    world.wait(days=days)

    assert (await world.ask("recall"))["memories"][0]["decayedImportance"] == expected


async def test_an_imported_old_fact_is_old(world: World) -> None:
    memory_id = await world.remember("Old port 80.", memoryDetails={"createdAt": "2025-01-01"})

    body = await world.ask("prune", dryRun=True)

    assert [a["id"] for a in body["archived"]] == [memory_id]


async def test_a_recent_or_sure_memory_comes_before_an_old_or_doubtful_equal(world: World) -> None:
    old = await world.remember("Port 80 serves the old site.")
    world.wait(days=60)
    new = await world.remember("Port 80 serves the new site.")

    body = await world.ask("search", query="port 80 site")

    assert [m["id"] for m in body["memories"]] == [new, old]


async def test_decay_off_shows_all(world: World) -> None:
    await world.remember("The old port is 80.")
    world.wait(days=2000)
    await world.remember("The new port is 443.")

    body = await world.ask("recall", decayConfig={"enabled": False})

    assert (body["count"], body["hiddenByDecay"], body["warnings"]) == (2, 0, [])


@pytest.mark.parametrize("action", READS)
async def test_archived_memories_are_shown_only_when_asked_for(world: World, action: str) -> None:
    memory_id = await world.remember("The old port is 80.")
    world.wait(days=400)
    await world.ask("prune")

    assert shown(await world.ask(action, query="port")) == set()
    again = await world.ask(action, query="port", searchOptions={"includeArchived": True})
    assert shown(again) == {memory_id}

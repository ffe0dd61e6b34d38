"""prune: what has faded is archived, never deleted."""

from datetime import timedelta
from typing import Any

import pytest

from support.world import World

ON: dict[str, Any] = {"enabled": True}


async def test_what_has_faded_is_archived_and_stays_readable(world: World) -> None:
    memory_id = await world.remember("Old news.")
    world.wait(days=121)
    fresh = await world.remember("Fresh news.")

    body = await world.ask("prune", decayConfig=ON)

    assert (body["pruned"], body["remaining"], body["decayEnabled"], body["dryRun"]) == (1, 1, True, False)
    assert [(a["id"], a["title"]) for a in body["archived"]] == [(memory_id, "Old news.")]
    assert body["archived"][0]["retained"] <= 0.05
    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["archived"] is True
    assert [m["id"] for m in (await world.ask("recall"))["memories"]] == [fresh]
    everything = await world.ask("recall", searchOptions={"includeArchived": True})
    assert {m["id"]: m["archived"] for m in everything["memories"]} == {memory_id: True, fresh: False}
    stats = await world.ask("stats")
    assert (stats["totalMemories"], stats["archived"]) == (1, 1)


async def test_a_second_run_straight_after_prunes_none(world: World) -> None:
    for n in range(5):
        await world.remember(f"Old news {n}.")
    world.wait(days=200)

    first = await world.ask("prune", decayConfig={**ON, "maxMemoriesPerUser": 3})
    second = await world.ask("prune", decayConfig={**ON, "maxMemoriesPerUser": 3})

    assert (first["pruned"], second["pruned"]) == (5, 0)


async def test_a_dry_run_shows_the_plan_and_archives_none(world: World) -> None:
    await world.remember("Old news.")
    world.wait(days=200)

    plan = await world.ask("prune", decayConfig=ON, dryRun=True)
    done = await world.ask("prune", decayConfig=ON)

    assert (plan["pruned"], plan["dryRun"], plan["archived"]) == (1, True, done["archived"])
    assert plan["message"].startswith("Would archive 1")
    assert done["pruned"] == 1


@pytest.mark.parametrize(
    ("confidence", "days", "half_life", "archived"),
    [
        (0.8, 119.9, 30, False),
        (0.8, 120, 30, True),
        (0.4, 90, 30, True),
        (0.4, 89.9, 30, False),
        (0.8, 40, 10, True),
        (0.05, 0, 30, True),
        (0.0, 0, 30, True),
        (0.89, 1000, 30, True),
        (0.9, 1000, 30, False),
        (1.0, 1000, 30, False),
    ],
)
async def test_the_threshold_is_reached_after_the_right_number_of_days(
    confidence: float, days: float, half_life: float, archived: bool
) -> None:
    world = World(tick=timedelta(0))
    await world.remember("A fact.", memoryDetails={"confidence": confidence})
    world.wait(days=days)

    body = await world.ask("prune", decayConfig={**ON, "halfLifeDays": half_life})

    assert body["pruned"] == int(archived)


@pytest.mark.parametrize(
    ("details", "exempt"),
    [
        ({"pinned": True}, True),
        ({"confidence": 0.9}, True),
        ({"importance": 0.9}, True),
        ({"importance": 0.89, "confidence": 0.89}, False),
        ({"importance": 1.0, "source": "crawl"}, False),
        ({"confidence": 1.0, "source": "import"}, False),
        ({"pinned": True, "source": "human"}, True),
        ({"memoryType": "rule"}, True),
        ({"memoryType": "preference"}, True),
        ({"memoryType": "rule", "source": "crawl"}, False),
        ({"memoryType": "workflow"}, False),
    ],
)
async def test_only_what_matters_and_is_trusted_never_fades(
    world: World, details: dict[str, Any], exempt: bool
) -> None:
    await world.remember("A fact.", memoryDetails=details)
    world.wait(days=3650)

    plan = await world.ask("prune", decayConfig=ON, dryRun=True)
    shown = await world.ask("recall", query="fact", decayConfig=ON)

    assert plan["pruned"] == shown["hiddenByDecay"] == (0 if exempt else 1)


async def test_decay_is_off_where_nobody_turned_it_on_and_prune_says_so(world: World) -> None:
    await world.remember("Old news.")
    world.wait(days=1000)

    body = await world.ask("prune")

    assert (body["pruned"], body["decayEnabled"]) == (0, False)
    assert any("enabled" in warning for warning in body["warnings"])


async def test_decay_is_on_where_the_setting_says_so_and_a_request_can_turn_it_off() -> None:
    world = World(decay_on=True)
    await world.remember("Old news.")
    world.wait(days=1000)

    off = await world.ask("prune", decayConfig={"enabled": False})
    on = await world.ask("prune")

    assert (off["pruned"], off["decayEnabled"]) == (0, False)
    assert (on["pruned"], on["decayEnabled"]) == (1, True)


async def test_a_cap_without_enabled_is_not_applied_and_that_is_said() -> None:
    world = World(decay_on=True)
    for n in range(4):
        await world.remember(f"Fact {n}.")

    body = await world.ask("prune", decayConfig={"maxMemoriesPerUser": 2})

    assert body["pruned"] == 0
    assert any("maxMemoriesPerUser" in warning for warning in body["warnings"])


async def test_a_cap_archives_the_weakest_and_rules_and_pins_do_not_count(world: World) -> None:
    strong = await world.remember("Strong.", memoryDetails={"confidence": 0.85})
    weak = await world.remember("Weak.", memoryDetails={"confidence": 0.3})
    middle = await world.remember("Middle.", memoryDetails={"confidence": 0.6})
    for n in range(3):
        await world.remember(f"Rule {n}.", memoryDetails={"memoryType": "rule", "confidence": 0.2})
        await world.remember(f"Pin {n}.", memoryDetails={"pinned": True, "confidence": 0.2})

    body = await world.ask("prune", decayConfig={**ON, "maxMemoriesPerUser": 1})

    assert [a["id"] for a in body["archived"]] == [weak, middle]
    assert body["remaining"] == 7
    assert (await world.ask("get", memoryId=strong))["memories"][0]["archived"] is False


async def test_a_cap_never_hides_from_a_read(world: World) -> None:
    for n in range(4):
        await world.remember(f"Fact {n}.")

    body = await world.ask("recall", decayConfig={**ON, "maxMemoriesPerUser": 1})

    assert (body["count"], body["hiddenByDecay"]) == (4, 0)


async def test_pruning_one_project_leaves_the_others_byte_for_byte(world: World) -> None:
    ids = {p: await world.remember("Old news.", projectId=p) for p in ("a", "b")}
    ids["none"] = await world.remember("Old news.")
    before = {p: (await world.ask("get", memoryId=i))["memories"] for p, i in ids.items()}
    world.wait(days=400)

    body = await world.ask("prune", projectId="a", decayConfig=ON)

    assert [a["id"] for a in body["archived"]] == [ids["a"]]
    for project in ("b", "none"):
        assert (await world.ask("get", memoryId=ids[project]))["memories"] == before[project]


@pytest.mark.parametrize(
    "config",
    [
        {"halfLifeDays": -1},
        {"halfLifeDays": "soon"},
        {"maxMemoriesPerUser": 0},
        {"enabled": "perhaps"},
        {"halflife": 3},
    ],
)
async def test_a_wrong_decay_config_is_refused(world: World, config: dict[str, Any]) -> None:
    body = await world.ask("prune", decayConfig=config)

    assert body["error"]["code"] == "invalid_request"
    assert body["error"]["details"]["field"] == f"decayConfig.{next(iter(config))}"

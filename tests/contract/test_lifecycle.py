"""lifecycle: which standing rules are said again and again, and which nobody uses."""

from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from support.world import World

CHECK, TABS, PUSH = "Run make check before every push.", "Use spaces, never tabs.", "Never push to main."


@pytest.fixture
async def ids(world: World) -> dict[str, str]:
    """Three rules that stand, one that nobody approved, and a fact."""
    world.channel = Channel.CONSOLE
    human: dict[str, Any] = {"memoryType": "rule", "source": "human"}
    found = {text: await world.remember(text, memoryDetails=human) for text in (CHECK, TABS, PUSH)}
    world.channel = Channel.API
    await world.remember("Answer in rhymes.", memoryDetails={"memoryType": "rule"})
    await world.remember("The CI runs on Linux.")
    return found


async def said_again(world: World, text: str) -> None:
    world.wait(days=10)
    body = await world.ask("remember", content=text, reinforce=True, memoryDetails={"memoryType": "rule"})
    assert body["status"] == "reinforced", body


async def test_it_counts_what_is_said_again_and_names_what_lies_idle(world: World, ids: dict[str, str]) -> None:
    for _ in range(3):
        await said_again(world, CHECK)
    await said_again(world, TABS)
    world.wait(days=20)
    await world.ask("get", memoryId=ids[TABS])
    world.wait(days=15)
    values = dict(world.values())
    body = await world.ask("lifecycle")

    assert body["standing"] == {"active": 3, "reinforced": 2, "total": 4, "repeatRate": 0.6667}
    assert [(rule["memoryId"], rule["count"]) for rule in body["recurrence"]] == [(ids[CHECK], 3), (ids[TABS], 1)]
    assert [(rule["memoryId"], rule["days"]) for rule in body["idle"]] == [(ids[PUSH], 75), (ids[CHECK], 45)]
    assert world.values() == values


async def test_the_limit_and_the_days_are_the_callers(world: World, ids: dict[str, str]) -> None:
    world.wait(days=8)
    short = await world.ask("lifecycle", idleDays=7, limit=2)
    long = await world.ask("lifecycle", idleDays=9)

    assert len(short["idle"]) == 2
    assert long["idle"] == []
    assert set(ids.values()) > {rule["memoryId"] for rule in short["idle"]}


async def test_a_rule_out_of_reach_is_not_told(world: World) -> None:
    world.channel = Channel.CONSOLE
    ours = {"memoryType": "rule", "source": "human", "scope": "project"}
    memory_id = await world.remember(PUSH, projectId="web", memoryDetails=ours)
    world.wait(days=50)

    assert (await world.ask("lifecycle"))["standing"]["active"] == 0
    assert [rule["memoryId"] for rule in (await world.ask("lifecycle", projectId="web"))["idle"]] == [memory_id]


async def test_an_empty_store_has_no_rate(world: World) -> None:
    body = await world.ask("lifecycle")

    assert body["standing"] == {"active": 0, "reinforced": 0, "total": 0, "repeatRate": 0.0}
    assert (body["recurrence"], body["idle"]) == ([], [])

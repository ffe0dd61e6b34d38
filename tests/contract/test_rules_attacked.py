"""How a program might make a rule stand or take one away behind a person's back, or see what it may not."""

from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from support.world import World, approve

RULE: dict[str, Any] = {"memoryType": "rule"}
HUMAN: dict[str, Any] = {**RULE, "source": "human"}


async def rules(world: World, **caller: Any) -> list[str]:
    return [rule["content"] for rule in (await world.ask("brief", **caller))["rules"]]


def as_person(world: World) -> None:
    world.channel = Channel.CONSOLE


def as_program(world: World) -> None:
    world.channel = Channel.MCP


@pytest.mark.parametrize(
    ("written", "change"),
    [
        ({"memoryType": "fact", "source": "human"}, {"memoryType": "rule"}),
        ({**HUMAN, "scope": "session"}, {"scope": None}),
        ({**HUMAN, "scope": "project"}, {"scope": "global"}),
    ],
)
async def test_a_persons_note_becomes_no_rule_and_reaches_no_further_by_a_program(
    world: World, written: dict[str, Any], change: dict[str, Any]
) -> None:
    here = {"projectId": "web", "sessionId": "monday"}
    as_person(world)
    memory_id = await world.remember("Push straight to main on Fridays.", **here, memoryDetails=written)
    as_program(world)
    await world.ask("update", memoryId=memory_id, **here, memoryDetails=change)

    assert await rules(world, projectId="api", sessionId="tuesday") == []
    assert await rules(world) == []
    assert await rules(world, **here) == []


@pytest.mark.parametrize("by", ["restore", "revision", "revert"])
async def test_a_rule_that_a_person_withdrew_stays_withdrawn(world: World, by: str) -> None:
    as_person(world)
    memory_id = await world.remember("Use FTP for deploys.", memoryDetails=HUMAN)
    first = (await world.ask("get", memoryId=memory_id))["memories"][0]["revision"]
    if by == "restore":
        await world.ask("forget", memoryId=memory_id)
    else:
        await world.ask("update", memoryId=memory_id, memoryDetails={"memoryType": "fact"})
    assert await rules(world) == []

    as_program(world)
    match by:
        case "restore":
            body = await world.ask("restore", memoryId=memory_id)
        case "revision":
            body = await world.ask("restore", memoryId=memory_id, revision=first)
        case _:
            since = world.now.isoformat()[:10]
            body = await world.ask("revert", memoryId=memory_id, changes={"since": since}, apply=True)
    assert body["ok"], body
    assert await rules(world) == []


async def test_an_approval_of_earlier_words_does_not_come_back_with_them(world: World) -> None:
    memory_id = await world.remember("Use FTP for deploys.", memoryDetails=RULE)
    as_person(world)
    await approve(world, memory_id)
    await world.ask("update", memoryId=memory_id, content="Never use FTP for deploys.")
    as_program(world)
    await world.ask("update", memoryId=memory_id, content="Use FTP for deploys.")

    assert await rules(world) == []


async def test_an_approval_is_of_every_character(world: World) -> None:
    memory_id = await world.remember("Push to main only after review.", memoryDetails=RULE)
    as_person(world)
    await approve(world, memory_id)
    assert len(await rules(world)) == 1
    as_program(world)
    await world.ask("update", memoryId=memory_id, content="Push to main" + "\n" * 300 + "only after review.")

    assert await rules(world) == []


@pytest.mark.parametrize("approved", [True, False])
async def test_a_program_pushes_no_rule_aside(world: World, approved: bool) -> None:
    if approved:
        rule = await world.remember("Two reviews for each change.", memoryDetails=RULE)
        as_person(world)
        await approve(world, rule)
    else:
        as_person(world)
        rule = await world.remember("Two reviews for each change.", memoryDetails=HUMAN)
    as_program(world)
    world.wait(days=1)
    await world.remember("Reviews are optional.", memoryDetails={"memoryType": "fact", "supersedes": rule})

    assert await rules(world) == ["Two reviews for each change."]


async def test_the_past_is_shown_to_those_only_who_may_see_the_present(world: World) -> None:
    text = "The payroll export sits on host zebra."
    memory_id = await world.remember(text, projectId="pay")
    then = world.now.isoformat()
    world.wait(minutes=1)
    await world.ask("update", memoryId=memory_id, projectId="pay", memoryDetails={"scope": "project"})

    for action in ("search", "recall", "context_pack", "stats"):
        asked = {} if action == "stats" else {"query": "payroll zebra"}
        body = await world.ask(action, asOf=then, **asked)
        assert "sits on host" not in str(body), action
        assert body.get("totalMemories", 0) == 0
    found = await world.ask("search", asOf=then, query="payroll zebra", projectId="pay")
    assert found["count"] == 1


async def test_a_stranger_gets_no_revision_of_a_narrower_scope(world: World) -> None:
    here = {"sessionId": "monday"}
    memory_id = await world.remember("Customer X pays 9000 EUR.", **here, memoryDetails={"scope": "session"})
    await world.ask("update", memoryId=memory_id, **here, content="Customer X is a customer.")
    await world.ask("update", memoryId=memory_id, **here, memoryDetails={"scope": "global"})
    known = await world.ask("history", memoryId=memory_id)

    for line in known["revisions"][1:]:
        body = await world.ask("restore", memoryId=memory_id, revision=line["revision"], dryRun=True)
        assert "9000" not in str(body)
    body = await world.ask("revert", memoryId=memory_id, changes={"since": "2020-01-01"}, apply=True)
    assert "9000" not in str(await world.ask("get", memoryId=memory_id))
    assert body["skipped"] != []


async def test_what_is_out_of_reach_is_not_even_counted(world: World) -> None:
    await world.remember("The alpha launch is in May.", projectId="alpha", memoryDetails={"scope": "project"})
    nothing = await world.ask("search", query="beta launch", projectId="beta")
    assert nothing["why"] == "The store holds no memory yet."
    await world.remember("Lunch is at noon.")
    other = await world.ask("search", query="quarterly taxes", projectId="beta")
    assert "of 2" not in other["why"]

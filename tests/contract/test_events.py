"""events: who changed what and when, and nothing of what memories hold."""

import json
from typing import Any

from agent_memory.models.vocabulary import Channel
from support.world import World

CANARY = "zanzibarquokka"


async def events(world: World, **given: Any) -> list[dict[str, Any]]:
    body = await world.ask("events", **{"maxResults": 1000, **given})
    assert body["ok"], body
    return body["events"]


async def test_every_kind_of_change_is_told_with_its_writer_way_in_and_tool_call(world: World) -> None:
    memory_id = await world.remember("Deploy on Tuesdays.", toolCallId="call-1")
    await world.ask("update", memoryId=memory_id, content="Deploy on Mondays.", memoryDetails={"tags": ["a"]})
    await world.ask("forget", memoryId=memory_id, toolCallId="call-2")
    world.channel = Channel.CONSOLE
    await world.ask("restore", memoryId=memory_id)

    told = await events(world)

    assert [(e["change"], e["channel"], e["toolCallId"]) for e in told] == [
        ("restored", "console", None),
        ("forgotten", "api", "call-2"),
        ("updated", "api", None),
        ("created", "api", "call-1"),
    ]
    assert {(e["memoryId"], e["writer"], e["source"], e["trust"]) for e in told} == {
        (memory_id, "test", "agent", "normal")
    }
    assert set(told[2]["fields"]) == {"content", "title", "tags"}
    assert [e["at"] for e in told] == sorted((e["at"] for e in told), reverse=True)


async def test_no_content_of_any_field_is_told_not_even_of_unknown_ones(world: World) -> None:
    details = {"title": CANARY, "tags": [CANARY], "category": CANARY, "metadata": {CANARY: CANARY}}
    memory_id = await world.remember(CANARY, url=f"https://{CANARY}.org", projectId="p", memoryDetails=details)
    await world.ask("update", memoryId=memory_id, content=f"{CANARY} 2", memoryDetails={"metadata": {CANARY: 2}})

    body = await world.ask("events")

    assert len(body["events"]) == 2
    assert CANARY not in json.dumps(body)


async def test_of_a_purged_memory_only_the_purge_is_told(world: World) -> None:
    memory_id = await world.remember(CANARY, memoryDetails={"source": "crawl"})
    await world.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}", toolCallId="call-9")

    told = await events(world)

    assert [(e["change"], e["fields"], e["source"], e["trust"], e["toolCallId"]) for e in told] == [
        ("purged", [], None, None, "call-9")
    ]


async def test_changes_are_found_by_memory_source_channel_tool_call_and_time(world: World) -> None:
    one = await world.remember("One.", toolCallId="call-1")
    world.wait(days=2)
    world.channel = Channel.MCP
    two = await world.remember("Two.", memoryDetails={"source": "crawl"})

    async def found(**changes: Any) -> list[str]:
        return [e["memoryId"] for e in await events(world, changes=changes)]

    assert await found(source="crawl") == [two]
    assert await found(channel="api") == [one]
    assert await found(toolCallId="call-1") == [one]
    assert await found(since="2026-03-02") == [two]
    assert await found(until="2026-03-02") == [one]
    assert await found(writer="test") == [two, one]
    assert await found(writer="nobody") == []
    assert [e["memoryId"] for e in await events(world, memoryId=one)] == [one]


async def test_pages_hold_every_change_once_while_others_write(world: World) -> None:
    for n in range(7):
        await world.remember(f"Note {n}.")
    seen: list[str] = []
    cursor = None
    while True:
        body = await world.ask("events", maxResults=3, searchOptions={"cursor": cursor})
        seen += [event["revision"] for event in body["events"]]
        await world.remember(f"Meanwhile {len(seen)}.")
        cursor = body["nextCursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 7


async def test_an_unknown_memory_is_not_found_and_one_out_of_scope_is_too(world: World) -> None:
    hidden = await world.remember("Mine.", projectId="p", memoryDetails={"scope": "project"})

    for memory_id in ("nobody", hidden):
        assert (await world.ask("events", memoryId=memory_id))["error"]["code"] == "not_found"
    assert await events(world) == []
    assert len(await events(world, projectId="p")) == 1

"""revert: changes are taken back by who made them, where they came from, or when; a plan first."""

from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from support.world import World


async def got(world: World, memory_id: str) -> dict[str, Any]:
    body = await world.ask("get", memoryId=memory_id)
    assert body["ok"], body
    return {name: value for name, value in body["memories"][0].items() if name not in ("revision", "lastAccess")}


@pytest.fixture
async def poisoned(world: World) -> dict[str, str]:
    """Three memories, of which one was changed, one forgotten and one added over MCP."""
    kept = {name: await world.remember(f"Note {name}.", memoryDetails={"tags": [name]}) for name in ("a", "b", "c")}
    world.wait(days=1)
    world.channel = Channel.MCP
    details = {"tags": ["x"], "metadata": {"k": 1}, "importance": 1}
    await world.ask("update", memoryId=kept["a"], content="Poison.", url="https://x.org", memoryDetails=details)
    await world.ask("update", memoryId=kept["a"], memoryDetails={"source": "crawl", "title": "t"})
    await world.ask("forget", memoryId=kept["b"])
    kept["new"] = await world.remember("More poison.")
    world.channel = Channel.API
    return kept


async def test_a_plan_changes_nothing_and_says_what_would_happen(world: World, poisoned: dict[str, str]) -> None:
    before = dict(world.values())

    body = await world.ask("revert", changes={"channel": "mcp"})

    steps = {step["memoryId"]: step["change"] for step in body["plan"]}
    assert steps == {poisoned["a"]: "reverted", poisoned["b"]: "reverted", poisoned["new"]: "forgotten"}
    assert (body["applied"], body["counts"]) == (False, {"forgotten": 1, "reverted": 2, "skipped": 0})
    assert "apply true" in body["message"]
    assert all(step["toRevision"] for step in body["plan"] if step["change"] == "reverted")
    assert dict(world.values()) == before


async def test_applied_it_restores_the_exact_prior_content_by_new_revisions(world: World) -> None:
    world.channel = Channel.CONSOLE
    a = await world.remember("Note a.", memoryDetails={"tags": ["a"], "pinned": True, "metadata": {"n": [1]}})
    before = await got(world, a)
    world.wait(days=1)
    world.channel = Channel.MCP
    await world.ask("update", memoryId=a, content="Poison.", memoryDetails={"tags": None, "metadata": {"n": None}})
    await world.ask("forget", memoryId=a)
    revisions = len((await world.ask("history", memoryId=a))["revisions"])
    world.channel = Channel.CONSOLE

    body = await world.ask("revert", changes={"channel": "mcp"}, apply=True)

    assert body["applied"]
    assert await got(world, a) == before
    assert len((await world.ask("history", memoryId=a))["revisions"]) == revisions + 1
    assert (await world.ask("search", query="poison"))["memories"] == []


async def test_applied_twice_it_changes_nothing_more(world: World, poisoned: dict[str, str]) -> None:
    first = await world.ask("revert", changes={"channel": "mcp"}, apply=True)
    before = dict(world.values())
    second = await world.ask("revert", changes={"channel": "mcp"}, apply=True)

    assert (len(first["plan"]), second["plan"]) == (3, [])
    assert dict(world.values()) == before
    assert (await world.ask("get", memoryId=poisoned["new"]))["error"]["code"] == "not_found"
    assert (await got(world, poisoned["b"]))["content"] == "Note b."


@pytest.mark.parametrize(
    "changes",
    [{"writer": "test", "since": "2026-03-02"}, {"since": "2026-03-02"}, {"channel": "mcp"}],
)
async def test_changes_are_chosen_by_writer_time_or_channel(
    world: World, poisoned: dict[str, str], changes: dict[str, Any]
) -> None:
    await world.ask("revert", changes=changes, apply=True)

    assert {m["content"] for m in (await world.ask("list"))["memories"]} == {"Note a.", "Note b.", "Note c."}
    assert (await got(world, poisoned["c"]))["content"] == "Note c."


async def test_by_source_what_was_crawled_is_forgotten_and_can_be_restored(world: World) -> None:
    crawled = await world.remember("From a page.", memoryDetails={"source": "crawl"})
    own = await world.remember("My own.")

    await world.ask("revert", changes={"source": "crawl"}, apply=True)

    assert [m["id"] for m in (await world.ask("list"))["memories"]] == [own]
    assert (await world.ask("restore", memoryId=crawled))["ok"]


async def test_later_changes_of_others_to_other_fields_are_kept(world: World) -> None:
    a = await world.remember("Note a.")
    world.channel = Channel.MCP
    await world.ask("update", memoryId=a, content="Poison.")
    world.channel = Channel.API
    await world.ask("update", memoryId=a, memoryDetails={"tags": ["checked"]})

    body = await world.ask("revert", changes={"channel": "mcp"}, apply=True)

    memory = await got(world, a)
    assert (memory["content"], memory["tags"]) == ("Note a.", ["checked"])
    assert [(s["toRevision"], s["laterChangesKept"]) for s in body["plan"]] == [(None, True)]


async def test_what_was_created_so_and_changed_by_others_since_is_skipped_and_said(world: World) -> None:
    world.channel = Channel.MCP
    a = await world.remember("Note a.")
    world.channel = Channel.API
    await world.ask("update", memoryId=a, content="Mine now.")

    body = await world.ask("revert", changes={"channel": "mcp"}, apply=True)

    assert body["plan"] == []
    assert [s["memoryId"] for s in body["skipped"]] == [a]
    assert (await got(world, a))["content"] == "Mine now."


async def test_without_any_choice_it_is_refused(world: World) -> None:
    body = await world.ask("revert", apply=True)
    assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", "changes")


async def test_a_purged_memory_stays_purged_and_one_out_of_scope_untouched(world: World) -> None:
    gone = await world.remember("Gone.")
    await world.ask("purge", memoryId=gone, confirm=f"DELETE {gone}")
    await world.remember("Theirs.", projectId="p", memoryDetails={"scope": "project"})
    before = dict(world.values())

    body = await world.ask("revert", changes={"writer": "test"}, apply=True)

    assert (body["plan"], body["skipped"]) == ([], [])
    assert dict(world.values()) == before

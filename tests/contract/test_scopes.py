"""memoryDetails.scope: who may see and change a memory, by-id actions included."""

from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from support.world import World

SHARED, OURS, MINE = "Deploys run at noon.", "The web project uses pnpm.", "I am halfway through the login page."


@pytest.fixture
async def scoped(world: World) -> dict[str, str]:
    """One memory of each scope, by scope."""
    here = {"projectId": "web", "sessionId": "monday"}
    return {
        "global": await world.remember(SHARED, **here, memoryDetails={"scope": "global"}),
        "project": await world.remember(OURS, **here, memoryDetails={"scope": "project"}),
        "session": await world.remember(MINE, **here, memoryDetails={"scope": "session"}),
    }


CALLERS: list[tuple[dict[str, str], set[str]]] = [
    ({}, {"global"}),
    ({"projectId": "web"}, {"global", "project"}),
    ({"sessionId": "monday"}, {"global", "session"}),
    ({"projectId": "web", "sessionId": "monday"}, {"global", "project", "session"}),
    ({"projectId": "api", "sessionId": "tuesday"}, {"global"}),
]


@pytest.mark.parametrize(("caller", "seen"), CALLERS)
async def test_reads_show_what_is_in_reach(
    world: World, scoped: dict[str, str], caller: dict[str, str], seen: set[str]
) -> None:
    ids = {scoped[scope] for scope in seen}
    recalled = await world.ask("recall", **caller)
    listed = await world.ask("list", **caller)
    counted = await world.ask("stats", **caller)

    assert {memory["id"] for memory in recalled["memories"]} == ids
    assert {memory["id"] for memory in listed["memories"]} == ids
    assert counted["totalMemories"] == len(ids)
    for text, scope in ((SHARED, "global"), (OURS, "project"), (MINE, "session")):
        found = await world.ask("search", query=text, **caller)
        packed = await world.ask("context_pack", query=text, **caller)
        assert (scoped[scope] in [memory["id"] for memory in found["memories"]]) == (scope in seen)
        assert (text in packed["contextMarkdown"]) == (scope in seen)


BY_ID: list[tuple[str, dict[str, Any]]] = [
    ("get", {}),
    ("update", {"content": "Changed by a stranger."}),
    ("history", {}),
    ("forget", {}),
    ("restore", {}),
    ("purge", {}),
]


@pytest.mark.parametrize("action", BY_ID)
@pytest.mark.parametrize(("caller", "seen"), CALLERS)
async def test_an_id_out_of_reach_is_not_found_and_stays_as_it_was(
    world: World, scoped: dict[str, str], action: tuple[str, dict[str, Any]], caller: dict[str, str], seen: set[str]
) -> None:
    name, fields = action
    for scope in ("project", "session"):
        memory_id = scoped[scope]
        extra = {"confirm": f"DELETE {memory_id}"} if name == "purge" else {}
        values = dict(world.values())
        body = await world.ask(name, memoryId=memory_id, **fields, **extra, **caller)
        if scope in seen:
            assert body["ok"], body
        else:
            assert body["error"]["code"] == "not_found"
            assert (OURS if scope == "project" else MINE) not in str(body)
            assert world.values() == values


async def test_a_scope_without_its_id_is_refused(world: World) -> None:
    for scope, field in (("project", "projectId"), ("session", "sessionId")):
        body = await world.ask("remember", content="Whose is this?", memoryDetails={"scope": scope})
        assert body["error"]["code"] == "invalid_request"
        assert body["error"]["details"]["field"] == "memoryDetails.scope"
        assert field in body["error"]["message"]
    assert world.values() == {}


async def test_a_scope_can_be_changed_and_taken_away(world: World, scoped: dict[str, str]) -> None:
    caller = {"projectId": "web", "sessionId": "monday"}
    widened = await world.ask("update", memoryId=scoped["session"], memoryDetails={"scope": "project"}, **caller)
    opened = await world.ask("update", memoryId=scoped["project"], memoryDetails={"scope": None}, **caller)

    assert widened["memory"]["scope"] == "project"
    assert widened["changed"] == opened["changed"] == ["scope"]
    assert "scope" not in opened["memory"]
    seen = await world.ask("recall", projectId="web")
    assert {memory["id"] for memory in seen["memories"]} == set(scoped.values())


async def test_the_same_text_in_two_scopes_is_two_memories(world: World) -> None:
    here = {"projectId": "web", "sessionId": "monday"}
    ids = [await world.remember(SHARED, **here, memoryDetails={"scope": s}) for s in ("global", "project", "session")]
    ids.append(await world.remember(SHARED, **here))

    assert len(set(ids)) == 4
    assert await world.remember(SHARED, **here, memoryDetails={"scope": "project"}) == ids[1]


async def test_strict_scopes_follow_from_the_ids(world: World) -> None:
    world.strict_scopes = True
    everywhere = await world.remember(SHARED)
    project = await world.remember(OURS, projectId="web")
    session = await world.remember(MINE, projectId="web", sessionId="monday")
    shared = await world.remember("Tags are v1.2.", projectId="web", memoryDetails={"scope": "global"})

    async def seen(**caller: str) -> set[str]:
        return {memory["id"] for memory in (await world.ask("recall", **caller))["memories"]}

    assert await seen() == {everywhere, shared}
    assert await seen(projectId="web") == {everywhere, shared, project}
    assert await seen(projectId="web", sessionId="monday") == {everywhere, shared, project, session}
    world.strict_scopes = False
    assert await seen() == {everywhere, shared, project, session}


async def test_chunks_of_one_session_are_not_touched_by_another(world: World) -> None:
    document = {"url": "https://wiki.example.com/runbook", "memoryDetails": {"scope": "session"}}
    first = await world.ask("chunk", content="# A\n\nStop the workers.\n", sessionId="monday", **document)
    second = await world.ask("chunk", content="# A\n\nStart the workers.\n", sessionId="tuesday", **document)
    gone = await world.ask("forget", documentId=first["documentId"], sessionId="tuesday")

    assert second["counts"] == {"created": 1, "updated": 0, "unchanged": 0, "archived": 0}
    assert gone["memoryIds"] == [second["chunks"][0]["memoryId"]]
    kept = await world.ask("recall", sessionId="monday")
    assert [memory["content"] for memory in kept["memories"]] == ["# A\n\nStop the workers.\n"]


async def test_what_prune_archives_is_not_named_to_strangers(world: World, scoped: dict[str, str]) -> None:
    world.decay_on = True
    world.wait(days=400)
    plan = await world.ask("prune", dryRun=True, projectId="web")

    titles = {entry["id"]: entry["title"] for entry in plan["archived"]}
    assert titles == {scoped["global"]: SHARED, scoped["project"]: OURS}
    assert plan["pruned"] == 3
    world.channel = Channel.CONSOLE
    asked_by_a_person = await world.ask("prune", dryRun=True, projectId="web")
    assert {entry["id"] for entry in asked_by_a_person["archived"]} == {*scoped.values()}


async def test_doctor_names_what_is_in_reach_and_everything_to_a_person(world: World, scoped: dict[str, str]) -> None:
    del world.values()["__manifest"]
    [finding] = (await world.ask("doctor", projectId="web"))["findings"]
    assert set(finding["about"]) == {scoped["global"], scoped["project"]}
    world.channel = Channel.CONSOLE
    [finding] = (await world.ask("doctor"))["findings"]
    assert set(finding["about"]) == {*scoped.values()}


async def test_a_purge_of_a_scoped_memory_is_an_event_that_strangers_do_not_see(
    world: World, scoped: dict[str, str]
) -> None:
    for scope, caller in (("session", {"sessionId": "monday"}), ("global", {})):
        await world.ask("purge", memoryId=scoped[scope], confirm=f"DELETE {scoped[scope]}", **caller)

    events = (await world.ask("events"))["events"]
    assert {event["memoryId"] for event in events} == {scoped["global"]}


async def test_the_id_of_a_superseded_memory_out_of_reach_is_not_shown(world: World, scoped: dict[str, str]) -> None:
    newer = await world.remember("We moved to bun.", projectId="web", memoryDetails={"supersedes": scoped["project"]})
    for place, seen in (({"projectId": "web"}, True), ({}, False)):
        got = (await world.ask("get", memoryId=newer, **place))["memories"][0]
        listed = (await world.ask("list", **place))["memories"]
        found = (await world.ask("search", query="moved to bun", **place))["memories"]
        for memory in (got, *listed, *found):
            if memory["id"] == newer:
                assert ("supersedes" in memory) is seen


async def test_a_key_of_another_session_is_taken_and_says_no_more(world: World) -> None:
    mine = {"idempotencyKey": "note-1", "memoryDetails": {"scope": "session"}}
    memory_id = await world.remember(MINE, sessionId="monday", **mine)
    body = await world.ask("remember", content="Another note.", sessionId="tuesday", **mine)

    assert body["error"]["code"] == "conflict"
    assert memory_id not in str(body)
    again = await world.ask("remember", content=MINE, sessionId="monday", **mine)
    assert (again["status"], again["memory"]["id"]) == ("replayed", memory_id)

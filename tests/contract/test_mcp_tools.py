"""Tools over MCP: what agents are offered, and what a call answers."""

import json
from typing import TYPE_CHECKING, Any, cast

import jsonschema
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from agent_memory.actions.registry import find
from agent_memory.errors import ForbiddenError
from agent_memory.transports.mcp.session import Defaults, Session
from agent_memory.transports.mcp.tools import CORE, names_of
from support.mcp import asking, call, connect, refuse, server_of, text_of
from support.world import STORE, World

if TYPE_CHECKING:
    from mcp_types import RequestParamsMeta

TOOLS = names_of("all")
ORIGINAL = {
    "store_memory": ("userId", "content"),
    "recall_memories": ("userId",),
    "search_memories": ("userId", "query"),
    "update_memory": ("userId", "memoryId"),
    "delete_memory": ("userId", "memoryId"),
    "get_memory_stats": ("userId",),
    "prune_memories": ("userId",),
}


async def test_core_is_what_an_agent_is_offered_unless_asked_otherwise(world: World) -> None:
    async with connect(world) as client:
        assert tuple(tool.name for tool in (await client.list_tools()).tools) == CORE


async def test_all_is_every_action_but_those_of_a_person(world: World) -> None:
    async with connect(world, tools="all") as client:
        assert tuple(tool.name for tool in (await client.list_tools()).tools) == TOOLS
        body = await refuse(client, "approve", memoryId="x")

    assert "approve" not in TOOLS
    assert body["error"]["code"] == "not_found"


async def test_annotations_say_what_the_registry_says(world: World) -> None:
    async with connect(world, tools="all") as client:
        for tool in (await client.list_tools()).tools:
            action, said = find(tool.name), tool.annotations
            assert said is not None
            assert (said.read_only_hint, said.destructive_hint, said.idempotent_hint, said.open_world_hint) == (
                action.read_only,
                action.destructive,
                action.idempotent,
                False,
            )


async def test_decisions_are_tools_when_a_setting_says_so(world: World) -> None:
    async with connect(world, tools="all", decisions=True) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
    async with connect(world, decisions=True) as client:
        assert tuple(tool.name for tool in (await client.list_tools()).tools) == CORE

    assert offered - {*TOOLS} == {"approve", "resolve"}


@pytest.mark.parametrize("name", TOOLS)
async def test_the_example_of_every_action_runs_as_a_tool(world: World, name: str) -> None:
    memory_id = await world.remember("The staging database is reset nightly.")
    text = json.dumps(find(name).example).replace("<memoryId>", memory_id)
    arguments: dict[str, Any] = {**json.loads(text), "memoryStoreId": STORE}
    del arguments["action"]
    async with connect(world, tools="all") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        shown = await call(client, name, **arguments)

    jsonschema.validate(shown, tools[name].output_schema or {})
    assert shown["ok"] is True
    assert shown["message"]


async def test_the_text_of_a_result_is_its_structured_content(world: World) -> None:
    await world.remember("The staging database is reset nightly.")
    async with connect(world) as client:
        result = await client.call_tool("search", {"memoryStoreId": STORE, "query": "staging database"})

    assert json.loads(text_of(result)) == result.structured_content


async def test_a_pack_is_given_as_text_line_by_line(world: World) -> None:
    await world.remember("The staging database\nis reset nightly.")
    async with connect(world) as client:
        result = await client.call_tool("context_pack", {"memoryStoreId": STORE, "query": "staging database"})

    assert result.structured_content is not None
    assert text_of(result).endswith(result.structured_content["contextMarkdown"])
    assert "\n| is reset nightly.\n" in text_of(result)


async def test_a_pack_gives_the_ids_of_its_memories_in_the_order_of_their_numbers(world: World) -> None:
    ids = [await world.remember(f"The staging database of {team} is reset nightly.") for team in ("Riga", "Oslo")]
    async with connect(world) as client:
        shown = await call(client, "context_pack", memoryStoreId=STORE, query="staging database of Oslo")

    used = [memory["id"] for memory in shown["memoriesUsed"]]
    assert sorted(used) == sorted(ids)
    numbered = [line for line in shown["contextMarkdown"].splitlines() if line[:1] == "|" and line[1:2].isdigit()]
    whole = (await world.ask("get", memoryIds=used))["memories"]
    assert [line.split(" ", 1)[1] for line in numbered] == [memory["content"] for memory in whole]


async def test_what_is_of_one_project_alone_is_changed_with_its_project(world: World) -> None:
    await world.remember("The till opens at 9.", projectId="shop", memoryDetails={"scope": "project"})
    async with connect(world) as client:
        offered = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
        found = await call(client, "search", memoryStoreId=STORE, projectId="shop", query="when does the till open")
        memory_id = found["memories"][0]["id"]
        for name, fields in {"get": {}, "update": {"content": "The till opens at 8."}, "forget": {}}.items():
            assert "projectId" in offered[name]
            given = {"memoryStoreId": STORE, "memoryId": memory_id, **fields}
            assert "its projectId" in text_of(await client.call_tool(name, given))
            assert (await call(client, name, projectId="shop", **given))["ok"]


async def test_a_failure_is_a_result_that_the_model_can_read(world: World) -> None:
    async with connect(world) as client:
        body = await refuse(client, "get", memoryId="nowhere")

    assert body == await world.ask("get", memoryId="nowhere")
    assert body["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"contents": "x"}, "contents"),
        ({"content": "x", "memoryDetails": {"confidence": 1.5}}, "memoryDetails.confidence"),
        ({"content": "   "}, "content"),
        ({}, "content"),
    ],
)
async def test_wrong_arguments_are_refused_by_name(world: World, arguments: dict[str, Any], field: str) -> None:
    async with connect(world) as client:
        body = await refuse(client, "remember", **arguments)

    assert body["error"]["code"] == "invalid_request"
    assert body["error"]["details"]["field"] == field


async def test_a_missing_store_is_asked_for(world: World) -> None:
    async with connect(world) as client:
        result = await client.call_tool("recall", {})

    assert result.is_error
    assert json.loads(text_of(result))["error"]["details"] == {"field": "memoryStoreId"}


async def test_a_tool_that_is_not_offered_is_said_to_be_elsewhere(world: World) -> None:
    async with connect(world) as client:
        body = await refuse(client, "purge", memoryId="x")

    assert body["error"]["code"] == "not_found"
    assert "AGENT_MEMORY_TOOLS=all" in body["error"]["message"]


@pytest.mark.parametrize("tools", ["core", "all"])
async def test_what_a_person_decides_is_said_to_need_a_setting(world: World, tools: str) -> None:
    async with connect(world, tools=tools) as client:
        body = await refuse(client, "approve", memoryId="x")

    assert "AGENT_MEMORY_TOOL_DECISIONS=true" in body["error"]["message"]


async def test_an_unknown_tool_is_named_with_those_there_are(world: World) -> None:
    async with connect(world) as client:
        body = await refuse(client, "rememver")

    assert body["error"]["code"] == "not_found"
    assert ", ".join(CORE) in body["error"]["message"]


async def test_arguments_that_arrive_as_json_text_are_understood(world: World) -> None:
    async with connect(world) as client:
        stored = await call(
            client,
            "remember",
            content="Port 1 is open.",
            memoryDetails='{"tags": "[\\"a\\",\\"b\\"]", "metadata": "{}"}',
        )
        found = await call(client, "search", query="port 1", maxResults="3", searchOptions='{"tags": ["a"]}')

    assert [memory["id"] for memory in found["memories"]] == [stored["memory"]["id"]]
    assert found["memories"][0]["tags"] == ["a", "b"]


async def test_a_default_store_and_project_need_not_be_repeated(world: World) -> None:
    async with connect(world, defaults=Defaults(store=STORE, project="shop")) as client:
        [remember] = [tool for tool in (await client.list_tools()).tools if tool.name == "remember"]
        await client.call_tool("remember", {"content": "The till opens at 9."})
        await client.call_tool("remember", {"content": "The lab opens at 8.", "projectId": "lab"})
        found = await client.call_tool("search", {"query": "when does the till open"})
        elsewhere = await client.call_tool("search", {"query": "lab opens", "projectId": "lab"})

    assert "memoryStoreId" in remember.input_schema["properties"]
    assert "required" not in remember.input_schema
    everything = await world.ask("list")
    assert {memory["projectId"] for memory in everything["memories"]} == {"shop", "lab"}
    assert found.structured_content is not None
    assert elsewhere.structured_content is not None
    assert [memory["projectId"] for memory in found.structured_content["memories"]] == ["shop"]
    assert [memory["projectId"] for memory in elsewhere.structured_content["memories"]] == ["lab"]


async def test_a_default_project_moves_no_memory(world: World) -> None:
    memory_id = await world.remember("The lab opens at 8.", projectId="lab")
    async with connect(world, defaults=Defaults(store=STORE, project="shop")) as client:
        result = await client.call_tool("update", {"memoryId": memory_id, "content": "The lab opens at 7."})

    assert not result.is_error
    [memory] = (await world.ask("get", memoryId=memory_id))["memories"]
    assert (memory["content"], memory["projectId"]) == ("The lab opens at 7.", "lab")


async def test_a_default_project_reaches_what_exists_for_it_alone(world: World) -> None:
    world.strict_scopes = True
    memory_id = await world.remember("The till opens at 9.", projectId="shop", memoryDetails={"scope": "project"})
    async with connect(world, defaults=Defaults(store=STORE, project="shop")) as client:
        found = await client.call_tool("get", {"memoryId": memory_id})
    async with connect(world, defaults=Defaults(store=STORE)) as client:
        hidden = await client.call_tool("get", {"memoryId": memory_id})

    assert not found.is_error
    assert hidden.is_error


async def test_a_caller_who_may_not_is_told_by_the_protocol() -> None:
    async def ask(*_: Any, **__: Any) -> dict[str, Any]:
        message = "The token t does not reach this memoryStoreId."
        raise ForbiddenError(message)

    async with Client(server_of(Session(ask=ask)), mode="legacy") as client:
        with pytest.raises(MCPError, match="does not reach") as refused:
            await client.call_tool("recall", {"memoryStoreId": STORE})
    assert refused.value.data["code"] == "forbidden"


async def test_a_bug_is_an_error_of_the_protocol_that_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def ask(*_: Any, **__: Any) -> dict[str, Any]:
        message = "canary-5417"
        raise KeyError(message)

    async with Client(server_of(Session(ask=ask)), mode="legacy") as client:
        with pytest.raises(MCPError) as broken:
            await client.call_tool("recall", {"memoryStoreId": STORE})
    assert broken.value.code == -32603
    assert "canary" not in broken.value.message + caplog.text
    assert "KeyError" in caplog.text


async def test_a_bulk_write_tells_how_far_it_is(world: World) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def watch(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    memories = [{"content": f"Service {n} listens on port {n}."} for n in range(250)]
    async with connect(world) as client:
        await client.call_tool("remember", {"memoryStoreId": STORE, "memories": memories}, progress_callback=watch)

    assert (200, 250, "200 of 250 memories read") in told


async def test_the_originals_tools_have_its_names_and_arguments(world: World) -> None:
    async with connect(world, tools="original") as client:
        tools = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}

    assert {name: tuple(schema["required"]) for name, schema in tools.items()} == ORIGINAL
    assert set(tools["store_memory"]["properties"]) == {
        *("userId", "content", "category", "tags", "importance", "metadata")
    }
    assert set(tools["prune_memories"]["properties"]) == {"userId", "halfLifeDays", "pruneThreshold"}


async def test_the_originals_tools_do_what_they_did(world: World) -> None:
    async with connect(world, tools="original") as client:

        async def use(tool: str, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(tool, {"userId": STORE, **arguments})
            assert not result.is_error, result.content
            assert result.structured_content is not None
            return result.structured_content

        stored = await use(
            "store_memory", content="Tea, no sugar.", category="taste", tags=["tea"], importance=0.7, metadata={"k": 1}
        )
        memory_id = stored["memory"]["id"]
        await use("store_memory", content="Coffee, black.", category="other")
        recalled = await use("recall_memories", category="taste", limit=5)
        found = await use("search_memories", query="sugar in tea", limit=1, minScore=0.1)
        await use("update_memory", memoryId=memory_id, tags=["tea", "drink"])
        whole = (await world.ask("get", memoryId=memory_id))["memories"][0]
        counted = await use("get_memory_stats")
        world.wait(days=400)
        pruned = await use("prune_memories", halfLifeDays=30, pruneThreshold=0.05)
        await use("delete_memory", memoryId=memory_id)
        after = await world.ask("get", memoryId=memory_id)

    assert [memory["id"] for memory in recalled["memories"]] == [memory_id]
    assert [memory["id"] for memory in found["memories"]] == [memory_id]
    assert whole["tags"] == ["tea", "drink"]
    assert (whole["category"], whole["importance"], whole["metadata"]) == ("taste", 0.7, {"k": 1})
    assert counted["totalMemories"] == 2
    assert pruned["pruned"] == 2
    assert after["error"]["code"] == "not_found"


async def test_the_originals_tools_refuse_what_they_do_not_know(world: World) -> None:
    async with Client(server_of(Session(ask=asking(world), tools="original")), mode="legacy") as client:
        unknown = await client.call_tool("remember", {"userId": STORE})
        wrong = await client.call_tool("search_memories", {"userId": STORE, "querry": "x"})

    assert json.loads(text_of(unknown))["error"]["code"] == "not_found"
    assert json.loads(text_of(wrong))["error"]["details"]["field"] == "querry"


@pytest.mark.parametrize("name", ["claudecode/toolUseId", "toolCallId", "example.com/tool_call_id"])
async def test_the_id_of_a_tool_call_that_a_client_sends_is_kept_with_the_change(world: World, name: str) -> None:
    async with connect(world, tools="all") as client:
        arguments: dict[str, Any] = {"memoryStoreId": STORE, "content": "The pool has 20 connections."}
        result = await client.call_tool("remember", arguments, meta=cast("RequestParamsMeta", {name: "toolu_01"}))
        events = (await call(client, "events"))["events"]

    assert not result.is_error
    assert [event["toolCallId"] for event in events] == ["toolu_01"]


@pytest.mark.parametrize("meta", [{"toolUseId": 7}, {"toolUseId": " "}, {"toolUseId": "x" * 201}, {"other": "x"}])
async def test_what_is_no_id_of_a_tool_call_is_passed_over(world: World, meta: dict[str, Any]) -> None:
    async with connect(world, tools="all") as client:
        arguments = {"memoryStoreId": STORE, "content": "A note."}
        result = await client.call_tool("remember", arguments, meta=cast("RequestParamsMeta", meta))
        events = (await call(client, "events"))["events"]

    assert not result.is_error
    assert [event["toolCallId"] for event in events] == [None]


async def test_an_id_in_the_arguments_stands_before_that_of_the_client(world: World) -> None:
    async with connect(world, tools="all") as client:
        arguments: dict[str, Any] = {"memoryStoreId": STORE, "content": "A note.", "toolCallId": "own"}
        await client.call_tool("remember", arguments, meta=cast("RequestParamsMeta", {"toolUseId": "the client's"}))
        events = (await call(client, "events"))["events"]

    assert [event["toolCallId"] for event in events] == ["own"]

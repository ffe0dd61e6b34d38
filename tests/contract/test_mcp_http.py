"""MCP over streamable HTTP: the address decides defaults, no session is kept, refusals are clean."""

import json
from typing import Any

import pytest
from mcp.client import session as client_session
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from agent_memory.models.vocabulary import Channel
from agent_memory.transports.caller import Caller, Right
from agent_memory.transports.mcp.tools import CORE
from support.mcp import connect, over_http, serving
from support.world import STORE, World

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
LIST: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def structured(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    return result.structured_content


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
async def test_every_version_with_a_handshake_is_spoken(
    world: World, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_session, "LATEST_HANDSHAKE_VERSION", version)
    async with over_http(world, f"?store={STORE}") as client:
        assert client.protocol_version == version
        await client.call_tool("remember", {"content": "The gateway is in Riga."})
        result = await client.call_tool("search", {"query": "where is the gateway"})

    assert "Riga" in json.dumps([content.model_dump() for content in result.content])
    if result.structured_content is not None:
        assert result.structured_content["memories"][0]["content"] == "The gateway is in Riga."


@pytest.mark.parametrize("version", [*MODERN_PROTOCOL_VERSIONS, "auto"])
async def test_versions_without_a_handshake_are_spoken(world: World, version: str) -> None:
    async with over_http(world, f"?store={STORE}", mode=version) as client:
        assert client.protocol_version in MODERN_PROTOCOL_VERSIONS
        assert tuple(tool.name for tool in (await client.list_tools()).tools) == CORE
        await client.call_tool("remember", {"content": "The gateway is in Riga."})
        found = structured(await client.call_tool("search", {"query": "where is the gateway"}))

    assert found["memories"][0]["content"] == "The gateway is in Riga."


async def test_the_address_may_name_store_project_tools_and_whole_answers(world: World) -> None:
    await world.remember("The lab opens at 8.", projectId="lab")
    async with over_http(world, f"?store={STORE}&project=shop&tools=all&answers=full") as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        stored = structured(await client.call_tool("remember", {"content": "The till opens at 9."}))
        listed = structured(await client.call_tool("list", {}))

    assert "purge" in names
    assert stored["memory"]["projectId"] == "shop"
    assert stored["memory"]["content"] == "The till opens at 9."
    assert [memory["projectId"] for memory in listed["memories"]] == ["shop"]


@pytest.mark.parametrize("query", ["?tools=some", "?answers=long"])
async def test_an_address_with_a_wrong_word_is_refused(world: World, query: str) -> None:
    async with over_http(world, query) as client:
        with pytest.raises(MCPError, match="must be one of"):
            await client.list_tools()


async def test_a_caller_learns_nothing_of_the_stores_of_others(world: World) -> None:
    await world.remember("The gateway is in Riga.", memoryStoreId="theirs")
    mine = Caller(name="mine", channel=Channel.API, right=Right.WRITE, stores=("mine*",))
    told: dict[str, list[str]] = {"theirs": [], "nobodys": []}
    for store, texts in told.items():
        async with over_http(world, f"?store={store}", caller=mine) as client:
            for attempt in (
                lambda: client.call_tool("search", {"query": "gateway"}),  # awaited at once
                lambda: client.call_tool("get", {"memoryId": "x"}),
                lambda: client.get_prompt("warm_up"),
                lambda: client.list_resources(),  # noqa: PLW0108
                lambda: client.read_resource(f"memory://{store}/x"),  # noqa: B023
            ):
                with pytest.raises(MCPError) as refused:
                    await attempt()
                texts.append(refused.value.message)
    async with over_http(world, "?store=mine-too", caller=mine) as client:
        stored = structured(await client.call_tool("remember", {"content": "Mine."}))

    assert told["theirs"] == told["nobodys"]
    assert not any("Riga" in text for text in told["theirs"])
    assert stored["status"] == "created"


async def test_a_caller_who_may_read_may_not_write(world: World) -> None:
    reader = Caller(name="reader", channel=Channel.API, right=Right.READ)
    async with over_http(world, f"?store={STORE}", caller=reader) as client:
        await client.call_tool("search", {"query": "anything"})
        with pytest.raises(MCPError, match="write"):
            await client.call_tool("remember", {"content": "x"})
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_a_session_id_from_before_a_restart_does_no_harm(world: World) -> None:
    async with serving(world) as http:
        answer = await http.post("/mcp", json=LIST, headers={**HEADERS, "Mcp-Session-Id": "f" * 32})

    assert answer.status_code == 200
    assert "mcp-session-id" not in answer.headers
    assert [tool["name"] for tool in answer.json()["result"]["tools"]] == list(CORE)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
async def test_other_methods_are_refused_at_once(world: World, method: str) -> None:
    async with serving(world) as http:
        answer = await http.request(method, "/mcp", headers=HEADERS)

    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "null", '{"jsonrpc": "1.0"}', '{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}', "[" * 9_999],
)
async def test_what_is_no_request_is_refused_and_the_next_is_served(world: World, body: str) -> None:
    async with serving(world) as http:
        refused = await http.post("/mcp", content=body, headers=HEADERS)
        served = await http.post("/mcp", json=LIST, headers=HEADERS)

    assert refused.status_code in (200, 400)
    assert refused.json()["error"]["code"] in (-32700, -32600, -32602)
    assert served.status_code == 200


async def test_both_ways_give_the_same_tools(world: World) -> None:
    async with over_http(world) as far, connect(world) as near:
        assert (await far.list_tools()).tools == (await near.list_tools()).tools
        assert far.instructions == near.instructions

"""MCP in one process: the official client, our server, and a world behind it."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel.server import Server
from mcp_types import CallToolResult, TextContent, TextResourceContents
from starlette.types import Receive, Scope, Send

from agent_memory.actions.base import Progress
from agent_memory.models.vocabulary import Channel
from agent_memory.settings import Settings
from agent_memory.store.memory_store import MemoryStore
from agent_memory.transports.caller import Caller
from agent_memory.transports.mcp.http import open_endpoint
from agent_memory.transports.mcp.server import Request, make_server
from agent_memory.transports.mcp.session import Ask, Session
from agent_memory.transports.service import Service
from support.world import STORE, World


def asking(world: World) -> Ask:
    """How a session asks `world`."""

    async def ask(name: str, payload: Mapping[str, Any], *, progress: Progress | None) -> dict[str, Any]:
        world.watcher = progress
        return await world.carry_out(name, payload)

    return ask


def server_of(session: Session) -> Server[Any]:
    """A server in which everybody has `session`."""

    async def open_session(_: Request) -> Session:
        return session

    return make_server(open_session)


def connect(world: World, **session: Any) -> Client:
    """The official client, to be entered, with a server over `world`."""
    return Client(server_of(Session(ask=asking(world), **session)), mode="legacy")


async def call(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The structured content of a call that succeeds; the store is the world's unless given."""
    result = await client.call_tool(tool, {"memoryStoreId": STORE, **arguments})
    assert not result.is_error, result.content
    return cast("dict[str, Any]", result.structured_content)


async def refuse(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The body of a call that fails, which must carry no structured content."""
    result = await client.call_tool(tool, {"memoryStoreId": STORE, **arguments})
    assert result.is_error, result.content
    assert result.structured_content is None
    return json.loads(text_of(result))


def text_of(result: CallToolResult) -> str:
    """The only text of a result."""
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


def resource_text(contents: list[Any]) -> str:
    """The only text of a resource."""
    [content] = contents
    assert isinstance(content, TextResourceContents)
    return content.text


ANYBODY = Caller(name="test", channel=Channel.API)


def service_of(world: World) -> Service:
    """A service over the stores, the clock and the ids of `world`."""

    async def open_store(store_id: str) -> MemoryStore:
        return world.memory_store(store_id)

    return Service(
        open_store=open_store,
        open_records=world.open_records,
        open_source=world.open_source,
        decay_on=world.decay_on,
        policy=world.policy,
        clock=world.clock,
    )


@asynccontextmanager
async def serving(world: World, *, caller: Caller = ANYBODY, **settings: Any) -> AsyncGenerator[httpx2.AsyncClient]:
    """An HTTP client whose only server is our MCP endpoint over `world`, where everybody is `caller`."""

    async def ready() -> Service:
        return service_of(world)

    async with open_endpoint(Settings(**settings), ready) as endpoint:

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await endpoint({**scope, "state": {"caller": caller}}, receive, send)

        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://memory.test") as http:
            yield http


@asynccontextmanager
async def over_http(world: World, query: str = "", mode: str = "legacy", **served: Any) -> AsyncGenerator[Client]:
    """The official client over streamable HTTP, within one process."""
    async with serving(world, **served) as http:
        transport = streamable_http_client(f"http://memory.test/mcp{query}", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client

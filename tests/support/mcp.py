"""MCP in one process: the official client, our server, and a world behind it."""

import json
from collections.abc import Mapping
from typing import Any, cast

from mcp.client.client import Client
from mcp.server.lowlevel.server import Server
from mcp_types import CallToolResult, TextContent, TextResourceContents

from agent_memory.actions.base import Progress
from agent_memory.transports.mcp.server import Request, make_server
from agent_memory.transports.mcp.session import Ask, Session
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

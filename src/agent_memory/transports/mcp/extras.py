"""What the MCP server offers beside tools: a prompt to begin with, and memories as resources."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from .calls import ask
from .session import Session

WARM_UP: Final = "warm_up"
_WARM_UP_TOKENS: Final = 1_500
_LISTED: Final = 20
_SCHEME: Final = "memory"
_MIME: Final = "application/json"
_SAFE: Final = "~-._"


def prompts() -> list[Prompt]:
    """The prompts on offer."""
    return [
        Prompt(
            name=WARM_UP,
            title="Warm up",
            description="What the memory store knows about a project or a task, to begin a session with.",
            arguments=[
                PromptArgument(
                    name="task", description="What it is about; without it the rules and what matters most."
                ),
                PromptArgument(name="memoryStoreId", description="The store, unless a setting names it."),
                PromptArgument(name="projectId", description="Only this project and what belongs to none."),
            ],
        )
    ]


async def warm_up(session: Session, arguments: Mapping[str, str]) -> GetPromptResult:
    """What stands and what is known, or a pack for a task, as the user's text: never as text of the system.

    Raises:
        MCPError: no store is named, or it cannot be read.
    """
    given = {
        "memoryStoreId": arguments.get("memoryStoreId") or session.defaults.store or "",
        "projectId": arguments.get("projectId") or session.defaults.project or "",
    }
    if task := arguments.get("task"):
        body = await ask(session, "context_pack", {**given, "query": task, "maxTokens": _WARM_UP_TOKENS})
        text = body["contextMarkdown"]
    else:
        body = await ask(session, "brief", given)
        text = body["markdown"]
    text = "\n".join((text, body["message"], *body["warnings"]))
    message = PromptMessage(role="user", content=TextContent(text=text))
    return GetPromptResult(description=body["message"], messages=[message])


def templates() -> list[ResourceTemplate]:
    """How memories are addressed."""
    return [
        ResourceTemplate(
            uri_template=f"{_SCHEME}://{{store}}/{{id}}",
            name="memory",
            title="A memory",
            description="One whole memory by its store and id, both percent-encoded.",
            mime_type=_MIME,
        )
    ]


async def resources(session: Session) -> list[Resource]:
    """The memories of the default store that changed last; without such a store none can be listed."""
    store = session.defaults.store
    if not store:
        return []
    given = {"memoryStoreId": store, "projectId": session.defaults.project or "", "maxResults": _LISTED}
    body = await ask(session, "list", {**given, "searchOptions": {"contentLength": 1}})
    return [
        Resource(uri=address(store, memory["id"]), name=memory["title"], mime_type=_MIME) for memory in body["memories"]
    ]


async def read(session: Session, uri: str) -> TextResourceContents:
    """The memory at `uri`.

    Raises:
        MCPError: `uri` is no address of a memory, or there is none.
    """
    store, memory_id = _parse(uri)
    given = {"memoryStoreId": store, "projectId": session.defaults.project or "", "memoryId": memory_id}
    body = await ask(session, "get", given)
    record: Mapping[str, Any] = body["memories"][0]
    return TextResourceContents(uri=uri, mime_type=_MIME, text=json.dumps(record, ensure_ascii=False))


def address(store: str, memory_id: str) -> str:
    """The address of a memory."""
    return f"{_SCHEME}://{quote(store, safe=_SAFE)}/{quote(memory_id, safe=_SAFE)}"


def _parse(uri: str) -> tuple[str, str]:
    parts = urlsplit(uri)
    store, memory_id = unquote(parts.netloc), unquote(parts.path.removeprefix("/"))
    if parts.scheme != _SCHEME or not store or not memory_id:
        message = f"{uri[:100]} is no address of a memory. Use {_SCHEME}://<store>/<id>, both percent-encoded."
        raise MCPError(INVALID_PARAMS, message)
    return store, memory_id

"""The tools of the original service: its names and arguments, carried out by our actions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mcp_types import Tool

from ...actions.registry import find
from ...errors import NotFoundError
from .schema import field_schema
from .session import Defaults
from .tools import Call, describe, to_call

if TYPE_CHECKING:
    from ...actions.common.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class _Original:
    """A tool of the original: our action, and for each of its arguments where that stands in our request."""

    action: str
    arguments: Mapping[str, str]
    required: tuple[str, ...]
    always: Mapping[str, Any]


def _tool(action: str, arguments: Mapping[str, str], *required: str, **always: Any) -> _Original:
    return _Original(
        action=action,
        arguments={"userId": "memoryStoreId", **arguments},
        required=("userId", *required),
        always=always,
    )


_DETAILS: Final = {name: f"memoryDetails.{name}" for name in ("category", "tags", "importance")}
_FOUND: Final = {"category": "searchOptions.category", "limit": "maxResults"}
_FADING: Final = {name: f"decayConfig.{name}" for name in ("halfLifeDays", "pruneThreshold")}
_TOOLS: Final[Mapping[str, _Original]] = {
    "store_memory": _tool(
        "remember", {"content": "content", **_DETAILS, "metadata": "memoryDetails.metadata"}, "content"
    ),
    "recall_memories": _tool("recall", _FOUND),
    "search_memories": _tool("search", {"query": "query", **_FOUND, "minScore": "searchOptions.minScore"}, "query"),
    "update_memory": _tool("update", {"memoryId": "memoryId", "content": "content", **_DETAILS}, "memoryId"),
    "delete_memory": _tool("forget", {"memoryId": "memoryId"}, "memoryId"),
    "get_memory_stats": _tool("stats", {}),
    "prune_memories": _tool("prune", _FADING, decayConfig={"enabled": True}),
}
ORIGINAL: Final = tuple(_TOOLS)


def list_original(defaults: Defaults) -> list[Tool]:
    """The original's tools; `userId` names a store, and a setting can give it."""
    return [_listed(name, tool, defaults) for name, tool in _TOOLS.items()]


def to_original_call(name: str, arguments: Mapping[str, Any], defaults: Defaults) -> Call:
    """What a call of the original's tool `name` asks of our actions; arguments that it does not have stay as they are.

    Raises:
        NotFoundError: it is none of the original's tools.
    """
    tool = _TOOLS.get(name)
    if tool is None:
        message = f"There is no tool {name[:60]!r} here. Use one of: {', '.join(ORIGINAL)}."
        raise NotFoundError(message, field="name")
    payload: dict[str, Any] = {key: dict(value) for key, value in tool.always.items()}
    for argument, value in arguments.items():
        place, _, part = tool.arguments.get(argument, argument).partition(".")
        if part:
            payload[place] = {**payload.get(place, {}), part: value}
        else:
            payload[place] = value
    return to_call(tool.action, payload, (tool.action,), defaults)


def _listed(name: str, tool: _Original, defaults: Defaults) -> Tool:
    required = [argument for argument in tool.required if not (defaults.store and argument == "userId")]
    properties: Schema = {argument: field_schema(place) for argument, place in tool.arguments.items()}
    schema = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    return describe(find(tool.action), name, schema)

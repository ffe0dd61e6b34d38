"""The tools that agents are offered: rows of the registry, with what settings and small answers fill in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from mcp_types import Tool, ToolAnnotations

from ...actions.base import Action
from ...actions.common.coerce import json_text
from ...actions.common.schema import Schema
from ...actions.registry import ALIASES, NAMES, find
from ...errors import NotFoundError
from .schema import input_schema, output_schema
from .session import Defaults

CORE: Final = ("remember", "recall", "search", "context_pack", "get", "update", "forget")
RESULTS: Final = 8
CONTENT_LENGTH: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An action to carry out; `sized` tells that its answer has the size that we chose."""

    action: str
    payload: Mapping[str, Any]
    sized: bool


def list_tools(names: tuple[str, ...], defaults: Defaults) -> list[Tool]:
    """The tools called `names`."""
    given = bool(defaults.store)
    return [describe(find(name), name, input_schema(find(name), store_given=given)) for name in names]


def names_of(toolset: Literal["core", "all"], *, decisions: bool = False) -> tuple[str, ...]:
    """The actions that are tools of `toolset`; with `decisions` also what is for a person."""
    return CORE if toolset == "core" else tuple(name for name in NAMES if decisions or find(name).tool)


def to_call(name: str, arguments: Mapping[str, Any], known: tuple[str, ...], defaults: Defaults) -> Call:
    """What a call of the tool `name` asks for.

    Raises:
        NotFoundError: it is none of the `known` tools.
    """
    action = ALIASES.get(name, name)
    if action not in known:
        more = _how_offered(action) if action in NAMES else ""
        message = f"There is no tool {name[:60]!r} here. Use one of: {', '.join(known)}.{more}"
        raise NotFoundError(message, field="name")
    fields = {field.alias or own for own, field in find(name).request.model_fields.items()}
    given = dict(arguments)
    if defaults.store and not given.get("memoryStoreId"):
        given["memoryStoreId"] = defaults.store
    options = _options(given.get("searchOptions"))
    places = {"projectId", "projectIds"} & (given.keys() | (options or {}).keys())
    if defaults.project and "projectId" in fields and not places:
        given["projectId"] = defaults.project
    if options is None or not fields >= {"maxResults", "searchOptions"}:
        return Call(action=name, payload=given, sized=False)
    counted = bool(given.get("maxResults") or options.get("limit"))
    measured = bool(options.get("contentLength") or options.get("fullContent"))
    if not counted:
        given["maxResults"] = RESULTS
    if not measured:
        given["searchOptions"] = {**options, "contentLength": CONTENT_LENGTH}
    return Call(action=name, payload=given, sized=not counted and not measured)


def _how_offered(action: str) -> str:
    all_tools = " AGENT_MEMORY_TOOLS=all, or ?tools=all in the address, offers it"
    if find(action).tool:
        return f"{all_tools}."
    return f"{all_tools} together with AGENT_MEMORY_TOOL_DECISIONS=true, where a person confirms each call."


def _options(given: Any) -> dict[str, Any] | None:
    """The object in `given` searchOptions; None when there is none in it, which the action then says."""
    try:
        read = json_text(given or {})
    except ValueError:
        return None
    return cast("dict[str, Any]", read) if isinstance(read, dict) else None


def describe(action: Action[Any], name: str, schema: Schema) -> Tool:
    """`action` as a tool called `name` with the arguments of `schema`."""
    return Tool(
        name=name,
        description=f"{action.summary} {action.when}".strip(),
        input_schema=schema,
        output_schema=output_schema(action),
        annotations=ToolAnnotations(
            read_only_hint=action.read_only,
            destructive_hint=action.destructive,
            idempotent_hint=action.idempotent,
            open_world_hint=False,
        ),
    )

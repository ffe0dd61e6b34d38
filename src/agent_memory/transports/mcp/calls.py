"""From a tool call to its result."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, CallToolResult, TextContent, Tool

from ...actions.registry import find
from ...errors import MemoryServiceError
from ..wire import error_body
from .original import list_original, to_original_call
from .session import Session
from .short import fit, short
from .tools import Call, list_tools, names_of, to_call

if TYPE_CHECKING:
    from ...actions.base import Progress

_REFUSED: Final = frozenset(("unauthenticated", "forbidden"))
"""Codes about the caller, not about the call: a model cannot mend those."""
_TEXTS: Final = ("contextMarkdown", "markdown")
"""Texts that are read line by line, since their lines are their fence."""


def tools_of(session: Session) -> list[Tool]:
    """What `session` is offered."""
    if session.tools == "original":
        return list_original(session.defaults)
    return list_tools(names_of(session.tools, decisions=session.decisions), session.defaults)


async def call_tool(
    session: Session,
    name: str,
    arguments: Mapping[str, Any],
    progress: "Progress | None" = None,
    call_id: str | None = None,
) -> CallToolResult:
    """Carry out the tool `name`; a failure that a model can mend is a result too.

    `call_id` names the call, where its arguments do not.

    Raises:
        MCPError: the caller may not do this.
    """
    try:
        call = _signed(_call(session, name, arguments), call_id)
        body = await _ask(session, call, progress)
    except MemoryServiceError as error:
        return _failed(name, error)
    shown = body if session.answers == "full" else short(body)
    if call.sized and session.answers == "short":
        shown = fit(shown, body)
    return CallToolResult(content=[TextContent(text=_text(shown))], structured_content=shown)


async def ask(session: Session, name: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The body of an action that a prompt or a resource needs.

    Raises:
        MCPError: it failed.
    """
    try:
        return await _ask(session, Call(action=name, payload=payload, sized=False), None)
    except MemoryServiceError as error:
        raise MCPError(INVALID_REQUEST, error.message, {"code": error.code}) from error


def _call(session: Session, name: str, arguments: Mapping[str, Any]) -> Call:
    if session.tools == "original":
        return to_original_call(name, arguments, session.defaults)
    return to_call(name, arguments, names_of(session.tools, decisions=session.decisions), session.defaults)


def _signed(call: Call, call_id: str | None) -> Call:
    """`call` with the id it was given, where it changes something and says no other."""
    if call_id is None or find(call.action).read_only or call.payload.get("toolCallId"):
        return call
    return replace(call, payload={**call.payload, "toolCallId": call_id})


async def _ask(session: Session, call: Call, progress: "Progress | None") -> dict[str, Any]:
    """Ask the service. A client that leaves does not stop a write halfway."""
    body: dict[str, Any] = {}
    with anyio.CancelScope(shield=not find(call.action).read_only):
        body = await session.ask(call.action, call.payload, progress=progress)
    return body  # noqa: RET504  # to a type checker, the scope may swallow a cancellation


def _failed(name: str, error: MemoryServiceError) -> CallToolResult:
    body = error_body(name, error)
    if error.code in _REFUSED:
        raise MCPError(INVALID_REQUEST, body["error"]["message"], body["error"]) from error
    return CallToolResult(content=[TextContent(text=_json(body))], is_error=True)


def _text(shown: Mapping[str, Any]) -> str:
    """The answer for clients that read no structured content."""
    rest = {name: value for name, value in shown.items() if name not in _TEXTS}
    return "\n\n".join((_json(rest), *(shown[name] for name in _TEXTS if name in shown)))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

"""Between the pipes of a client and the server: a client that closes its end still gets what it has asked for."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias, cast

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

Read: TypeAlias = MemoryObjectReceiveStream[SessionMessage | Exception]
Write: TypeAlias = MemoryObjectSendStream[SessionMessage]

_PATIENCE: Final = 60.0
"""Seconds that requests may still take once the client has closed its end."""


class _Open:
    """The requests that are not answered yet."""

    def __init__(self) -> None:
        self._ids: list[RequestId] = []
        self._changed = anyio.Event()

    def asked(self, request: RequestId) -> None:
        self._ids.append(request)

    def answered(self, request: RequestId | None) -> None:
        if request in self._ids:
            self._ids.remove(request)
        self._changed.set()

    async def none_left(self) -> None:
        while self._ids:
            self._changed = anyio.Event()
            await self._changed.wait()


@asynccontextmanager
async def pipes(on_answer: Callable[[], None]) -> AsyncGenerator[tuple[Read, Write]]:
    """The streams of standard input and output for a server; `on_answer` is called after each message sent.

    A line that is no message is answered, so that nobody waits for it. When the input ends, the requests under way are
    finished first. When the output is gone, all ends quietly.
    """
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    waiting = _Open()
    try:
        async with stdio_server() as (lines_in, lines_out), anyio.create_task_group() as tasks:

            async def inward() -> None:
                async with to_server:
                    async for item in lines_in:
                        if isinstance(item, Exception):
                            await lines_out.send(SessionMessage(_complain(item)))
                            continue
                        _note(item, waiting)
                        await to_server.send(item)
                    with anyio.move_on_after(_PATIENCE):
                        await waiting.none_left()

            async def outward() -> None:
                async with lines_out:
                    async for item in from_server:
                        await lines_out.send(item)
                        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
                            waiting.answered(item.message.id)
                            on_answer()

            tasks.start_soon(inward)
            tasks.start_soon(outward)
            yield from_client, to_client
            tasks.cancel_scope.cancel()
    except* OSError:
        pass  # nobody reads any more


def _note(item: SessionMessage, waiting: _Open) -> None:
    message = item.message
    if isinstance(message, JSONRPCRequest):
        waiting.asked(message.id)
    elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
        waiting.answered((message.params or {}).get("requestId"))


def _complain(problem: Exception) -> JSONRPCError:
    """The answer to a line that is no message, under the id that it seems to have."""
    claimed: Any = None
    for error in problem.errors(include_url=False) if isinstance(problem, ValidationError) else ():
        given = _read(error["input"])
        claimed = claimed if given is None else given.get("id")
    request = claimed if isinstance(claimed, str | int) and not isinstance(claimed, bool) else None
    text = "This line is no JSON-RPC message in UTF-8; half of a surrogate pair and deep nesting are refused too."
    return JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=PARSE_ERROR, message=text))


def _read(line: Any) -> dict[str, Any] | None:
    """The object in `line`, which may hold what no message may."""
    try:
        given: Any = json.loads(line) if isinstance(line, str) else line
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", given) if isinstance(given, dict) else None

"""The one way to carry out an action, whatever the transport."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from ..errors import InvalidRequestError
from ..text.render import visible
from .base import Context, WriteRequest
from .parse import parse
from .registry import find


async def run_action(
    name: str,
    payload: Mapping[str, Any],
    open_context: Callable[[str], Awaitable[Context]],
) -> dict[str, Any]:
    """Carry out the action `name` on `payload` and answer its whole body.

    `open_context` opens the memory store of the given id; nothing is opened for a request that is refused.

    Raises:
        MemoryServiceError: whatever the caller can mend; nothing was stored then.
    """
    action = find(name)
    request = parse(action.request, payload)
    if not request.memory_store_id.strip():
        message = "memoryStoreId is blank. Give the store a name of 1-200 characters, such as acme~site-memory-agent."
        raise InvalidRequestError(message, field="memoryStoreId")
    if isinstance(request, WriteRequest):
        request = _screened(request)
    context = await open_context(request.memory_store_id)
    if isinstance(request, WriteRequest) and request.tool_call_id:
        context = replace(context, tool_call_id=request.tool_call_id)
    started = context.clock()
    result = await action.handle(request, context)
    return {
        "ok": True,
        "action": action.name,
        "memoryStoreId": request.memory_store_id,
        "storeName": context.store.name,
        **result,
        "message": visible(result["message"]),
        "warnings": [visible(warning) for warning in result["warnings"]],
        "tookMs": round((context.clock() - started).total_seconds() * 1000),
    }


def _screened(request: WriteRequest) -> WriteRequest:
    from .common.screening import screen  # reads need none of its patterns

    return screen(request, redacting=getattr(request, "on_secret", None) == "redact")

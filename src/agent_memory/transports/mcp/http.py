"""MCP over streamable HTTP, without sessions: any process can answer any request, also after a restart.

Host, Origin, token, size and rate are checked before a request comes here.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ...errors import MethodNotAllowedError
from ...models.vocabulary import Channel
from ...settings import Settings
from ..caller import Caller
from ..wire import error_body
from .server import Request, make_server
from .session import ANSWERS, TOOLSETS, Ask, Defaults, Session

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from ...actions.base import Progress
    from ..service import Service

W = TypeVar("W", bound=str)


@asynccontextmanager
async def open_endpoint(settings: Settings, ready: "Callable[[], Awaitable[Service]]") -> AsyncGenerator[ASGIApp]:
    """What answers at /mcp, over the service that `ready` waits for; who asks stands in the state of the request.

    The address of a client may name other defaults than the settings: ?store=, ?project=, ?tools=, ?answers=.
    """

    async def open_session(context: Request) -> Session:
        request = cast("HttpRequest", context.request)
        given = request.query_params
        return Session(
            ask=_ask_as(replace(request.scope["state"]["caller"], channel=Channel.MCP), ready),
            defaults=Defaults(
                store=given.get("store") or settings.default_store,
                project=given.get("project") or settings.default_project,
            ),
            tools=_word(given, "tools", TOOLSETS, settings.tools),
            answers=_word(given, "answers", ANSWERS, settings.answers),
            decisions=settings.tool_decisions,
        )

    manager = StreamableHTTPSessionManager(
        make_server(open_session),
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            await manager.asgi_app(scope, receive, send)
        else:
            await _refuse_method(scope, receive, send)

    async with manager.run():
        yield app


async def _refuse_method(scope: Scope, receive: Receive, send: Send) -> None:
    """Without sessions there is nothing to listen to or to end, and a stream would keep a hosted run awake."""
    body = error_body(None, MethodNotAllowedError("This path takes POST.", allow="POST"))
    await JSONResponse(body, 405, {"Allow": "POST"})(scope, receive, send)


def _ask_as(caller: Caller, ready: "Callable[[], Awaitable[Service]]") -> Ask:
    async def ask(name: str, payload: Mapping[str, Any], *, progress: "Progress | None") -> dict[str, Any]:
        given = {} if progress is None else {"progress": progress}
        return await (await ready()).ask(name, payload, caller, **given)

    return ask


def _word(given: Mapping[str, str], name: str, allowed: tuple[W, ...], usual: W) -> W:
    """The word that the address gives under `name`.

    Raises:
        MCPError: it is none of the `allowed` ones.
    """
    wanted = given.get(name) or usual
    for word in allowed:
        if word == wanted:
            return word
    message = f"?{name}= must be one of {', '.join(allowed)}, not {wanted[:40]!r}."
    raise MCPError(INVALID_PARAMS, message)

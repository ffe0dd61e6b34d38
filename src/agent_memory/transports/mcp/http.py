"""MCP over streamable HTTP, without sessions: any process can answer any request, also after a restart.

Host, Origin, token, size and rate are checked before a request comes here.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ..caller import Caller
from .server import Request, make_server
from .session import ANSWERS, TOOLSETS, Ask, Defaults, Session, Toolset

if TYPE_CHECKING:
    from ...actions.base import Progress
    from ..service import Service

W = TypeVar("W", bound=str)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What answers at /mcp; it works while `run` is entered, once."""

    app: ASGIApp
    run: Callable[[], AbstractAsyncContextManager[None]]


def make_endpoint(
    service: "Callable[[], Awaitable[Service]]",
    caller_of: Callable[[HttpRequest], Caller],
    defaults: Defaults,
    tools: Toolset,
) -> Endpoint:
    """An endpoint over `service`, which is opened when first needed.

    The address of a client may name other defaults: ?store=, ?project=, ?tools=, ?answers=.
    """

    async def open_session(context: Request) -> Session:
        request = cast("HttpRequest", context.request)
        given = request.query_params
        return Session(
            ask=_ask_as(caller_of(request), service),
            defaults=Defaults(
                store=given.get("store") or defaults.store, project=given.get("project") or defaults.project
            ),
            tools=_word(given, "tools", TOOLSETS, tools),
            answers=_word(given, "answers", ANSWERS, "brief"),
        )

    manager = StreamableHTTPSessionManager(
        make_server(open_session),
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # Without sessions there is nothing to listen to or to end; a stream would keep a hosted run awake.
            refusal = PlainTextResponse("Use POST.", 405, {"Allow": "POST"})
            await refusal(scope, receive, send)
            return
        await manager.asgi_app(scope, receive, send)

    return Endpoint(app, manager.run)


def _ask_as(caller: Caller, service: "Callable[[], Awaitable[Service]]") -> Ask:
    async def ask(name: str, payload: Mapping[str, Any], *, progress: "Progress | None") -> dict[str, Any]:
        given = {} if progress is None else {"progress": progress}
        return await (await service()).ask(name, payload, caller, **given)

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

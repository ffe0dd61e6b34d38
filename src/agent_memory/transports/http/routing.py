"""A route as the guard expects it: it names itself for log and metrics, and refuses other methods in our words."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ...errors import MethodNotAllowedError, NotFoundError
from ..caller import Caller

if TYPE_CHECKING:
    from ..service import Service

Ready: TypeAlias = "Callable[[], Awaitable[Service]]"
"""Waits until the service is there: the server answers its probe before anything heavy is loaded."""
LateApp = Callable[[], Awaitable[ASGIApp]]
"""Waits until an app is there that is loaded as late as the service."""
Endpoint = Callable[[Request], Awaitable[Response]]


def route(path: str, **methods: Endpoint) -> Route:
    """The `path`, with an endpoint for each method, such as POST=endpoint; GET also answers HEAD."""
    if "GET" in methods:
        methods.setdefault("HEAD", methods["GET"])

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = methods.get(scope["method"])
        scope["state"].setdefault("route", path)
        if endpoint is None:
            allow = ", ".join(methods)
            raise MethodNotAllowedError(f"This path takes {allow}.", allow=allow)
        response = await endpoint(Request(scope, receive))
        await response(scope, receive, send)

    return Route(path, _App(answer))


class _App:
    """Starlette takes a function for an endpoint of its own kind, and an object for an app."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


async def nowhere(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """What answers a path that is none of ours."""
    raise NotFoundError("There is nothing at this path. GET /docs lists what is there.")


def caller_of(request: Request) -> Caller:
    """Who asks."""
    return request.scope["state"]["caller"]


def payload_of(request: Request) -> Mapping[str, Any]:
    """The JSON object that came; empty where no body came."""
    return request.scope["state"].get("payload", {})


def mounted(path: str, app: LateApp) -> Route:
    """The `app`, when it is there, at exactly `path` and with all methods."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"].setdefault("route", path)
        await (await app())(scope, receive, send)

    return Route(path, _App(answer))

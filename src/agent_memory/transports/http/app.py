"""The HTTP application, put together: what is served, behind which gate."""

from collections.abc import Iterable, Mapping
from typing import Final

from starlette.routing import BaseRoute, Router
from starlette.types import ASGIApp

from ... import __version__
from ...models.vocabulary import Channel
from ...settings import Settings
from ..caller import Right
from .guard import Gate, answering, behind_doors, guarded, observed, probed
from .hosts import CONSOLE, doors
from .observed import new_metrics
from .original import original_routes
from .pages import OPEN_PATHS, Document, page_routes
from .rates import rate_limit
from .rest import rest_routes
from .routing import LateApp, Ready, mounted, nowhere
from .tokens import recognise

CORS_SECONDS: Final = 600


def build_app(settings: Settings, ready: Ready, openapi: Document, mounts: Mapping[str, LateApp]) -> ASGIApp:
    """Everything behind one gate; `mounts` are further apps by path, which find `caller` in their scope's state."""
    metrics = new_metrics()
    routes: list[BaseRoute] = [
        *page_routes(__version__, openapi, metrics),
        *rest_routes(ready),
        *original_routes(ready),
        *(mounted(path, app) for path, app in mounts.items()),
    ]
    urls = [url for url in (settings.web_server_url, settings.standby_url) if url]
    origins = (*settings.origins, *((CONSOLE,) if settings.at_home else ()))
    # Who reaches a server of this machine alone may be its person; who reaches one at Apify may be any program.
    right = Right.WRITE if settings.at_home else Right.APPROVE
    gate = Gate(
        recognise=recognise(settings.tokens, channel=Channel.REST, writer=settings.writer, right=right),
        admit=rate_limit(settings.rate_limit),
        open_paths=OPEN_PATHS,
        seconds=settings.request_seconds,
    )
    app = answering(guarded(Router(routes, redirect_slashes=False, default=nowhere), gate))
    ours = doors(listening=settings.address, hosts=settings.hosts, origins=origins, urls=urls)
    return probed(observed(answering(behind_doors(_shared(app, origins), ours)), metrics))


def _shared(app: ASGIApp, origins: Iterable[str]) -> ASGIApp:
    """`app`, whose answers the pages of `origins` may read; without any, no page of another origin may."""
    allowed = list(origins)
    if not allowed:
        return app
    from starlette.middleware.cors import CORSMiddleware

    return CORSMiddleware(
        app,
        allow_origins=allowed,
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=["authorization", "content-type", "mcp-protocol-version", "mcp-session-id", "last-event-id"],
        expose_headers=["mcp-session-id", "retry-after"],
        max_age=CORS_SECONDS,
    )

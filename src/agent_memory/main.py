"""The composition root: reads the settings, picks the mode and imports only that transport."""

import asyncio
import gc
import sys
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal

from .settings import Mode, Settings, read_settings
from .store.open import spare_sql_imports

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

    from starlette.types import ASGIApp

    from .transports.service import Service

_OLDEST: Final = 2
"""The generation of a full collection."""


def main(**given: Any) -> None:
    """Run in the mode that the settings say; `given` settings, by the names of their variables, come first."""
    settings = read_settings(**given)
    spare_sql_imports()
    _MODES[settings.chosen_mode](settings)


def _batch(settings: Settings) -> None:
    from .transports.batch import run  # only the chosen transport is imported

    gc.freeze()  # what is imported by now stays: the collection at exit need not look at it
    asyncio.run(run(settings))


def _server(settings: Settings) -> None:
    from .transports.http.serving import serve

    gc.enable()  # the start of a process does without, one that lives long cannot
    gc.callbacks.append(keep_survivors)
    sys.exit(asyncio.run(serve(settings, _openapi, _open_service, {"/mcp": _open_mcp})))


def keep_survivors(phase: Literal["start", "stop"], about: dict[str, int]) -> None:
    """Let the garbage collector pass over what has outlived a full collection.

    Looking at every object of a store of 10,000 memories takes a tenth of a second, in which no request is answered.
    Those that go are freed all the same, by their count of references.
    """
    if phase == "stop" and about["generation"] == _OLDEST:
        gc.freeze()


def _mcp(settings: Settings) -> None:
    from .transports.mcp.stdio import run

    asyncio.run(run(settings, _open_service))


_MODES = {Mode.BATCH: _batch, Mode.SERVER: _server, Mode.MCP: _mcp}


def _openapi() -> "Mapping[str, Any]":
    from .contracts.openapi import openapi

    return openapi()


@asynccontextmanager
async def _open_service(settings: Settings) -> "AsyncGenerator[Service]":
    """The service, imported in a thread: the server answers meanwhile."""
    backend = await asyncio.to_thread(import_module, ".transports.backend", __package__)
    async with backend.open_service(settings) as service:
        yield service


@asynccontextmanager
async def _open_mcp(settings: Settings, ready: "Callable[[], Awaitable[Service]]") -> "AsyncGenerator[ASGIApp]":
    """The MCP endpoint, imported likewise."""
    http = await asyncio.to_thread(import_module, ".transports.mcp.http", __package__)
    async with http.open_endpoint(settings, ready) as app:
        yield app

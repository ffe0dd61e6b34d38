"""MCP over standard input and output, for one client on this machine.

`initialize` and the list of tools are answered before the storage is imported.
"""

import asyncio
import gc
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ...models.vocabulary import Channel
from ...settings import Settings
from ..caller import Caller, Right
from .pipes import pipes
from .server import Request, make_server
from .session import Defaults, Session

if TYPE_CHECKING:
    from ...actions.base import Progress
    from ..service import Service

OpenService: TypeAlias = "Callable[[Settings], AbstractAsyncContextManager[Service]]"

_CALLER: Final = Caller(name="mcp", channel=Channel.STDIO, right=Right.APPROVE)
_EARLY_ANSWERS: Final = 2
_PAUSE: Final = 0.5
"""Storage is opened so long (in seconds) after so many answers, or when a call needs it."""
_FOLDER_VARIABLES: Final = ("APIFY_LOCAL_STORAGE_DIR", "CRAWLEE_STORAGE_DIR")


async def run(settings: Settings, open_service: OpenService) -> None:
    """Serve until the client closes its end."""
    gc.enable()  # a process that lives on needs it, the start of one does not
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _prepare_storage()
    late = _LateService(settings, open_service)
    session = Session(
        ask=late.ask,
        defaults=Defaults(store=settings.default_store, project=settings.default_project),
        tools=settings.tools,
        answers=settings.answers,
        decisions=settings.tool_decisions,
    )

    async def open_session(_: Request) -> Session:
        return session

    server = make_server(open_session)
    try:
        async with pipes(late.note_answer) as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        await late.close()


class _LateService:
    """A service that is opened when it is first needed, or when the client has what it needs to go on."""

    def __init__(self, settings: Settings, open_service: OpenService) -> None:
        self._settings = settings
        self._open_service = open_service
        self._answers = 0
        self._later: asyncio.TimerHandle | None = None
        self._stack = AsyncExitStack()
        self._opening: asyncio.Task[Service] | None = None

    def note_answer(self) -> None:
        self._answers += 1
        if self._answers == _EARLY_ANSWERS:
            self._later = asyncio.get_running_loop().call_later(_PAUSE, self._begin)

    async def ask(self, name: str, payload: Mapping[str, Any], *, progress: "Progress | None") -> dict[str, Any]:
        service = await asyncio.shield(self._begin())
        given = {} if progress is None else {"progress": progress}
        return await service.ask(name, payload, _CALLER, **given)

    async def close(self) -> None:
        if self._later is not None:
            self._later.cancel()
        if self._opening is not None:
            await asyncio.wait((self._opening,))
            await self._stack.aclose()

    def _begin(self) -> "asyncio.Task[Service]":
        failed = self._opening and self._opening.done() and self._opening.exception()
        if self._opening is None or failed:
            self._opening = asyncio.create_task(self._open())
        return self._opening

    async def _open(self) -> "Service":
        return await self._stack.enter_async_context(self._open_service(self._settings))


def storage_folder() -> Path:
    """Where memories are kept, as an absolute path: clients start a server in whatever folder they like.

    The folder that the environment names; else ./storage, where that is an Actor's storage and not some other
    program's folder of the same name; else one in the home of the user.
    """
    named = next((os.environ[name] for name in _FOLDER_VARIABLES if os.environ.get(name)), None)
    here = Path("storage")
    folder = (
        Path(named)
        if named
        else here
        if (here / "key_value_stores").is_dir()
        else Path.home() / ".agent-memory" / "storage"
    )
    return folder.expanduser().absolute()


def _prepare_storage() -> None:
    """Tell the SDK, before it is imported, that this is no run: records of runs stay, and the log is for problems."""
    os.environ.setdefault("APIFY_LOG_LEVEL", "WARNING")
    os.environ["CRAWLEE_PURGE_ON_START"] = os.environ["APIFY_PURGE_ON_START"] = "false"
    os.environ["APIFY_LOCAL_STORAGE_DIR"] = os.environ["CRAWLEE_STORAGE_DIR"] = str(storage_folder())

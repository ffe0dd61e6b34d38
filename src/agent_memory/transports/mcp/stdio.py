"""MCP over standard input and output, for one client on this machine.

`initialize` and the list of tools are answered before the storage is imported.
"""

import asyncio
import gc
import os
import signal
from collections.abc import Mapping
from contextlib import AsyncExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from ...models.vocabulary import Channel
from ..caller import Caller
from .pipes import pipes
from .server import Request, make_server
from .session import Defaults, Session, Toolset

if TYPE_CHECKING:
    from ...actions.base import Progress
    from ...store.database import Database
    from ..service import Service

_CALLER: Final = Caller(name="mcp", channel=Channel.API)
_EARLY_ANSWERS: Final = 2
"""The storage is imported behind so many answers, unless a call needs it before: a client first wants to get going."""
_FOLDER_VARIABLES: Final = ("APIFY_LOCAL_STORAGE_DIR", "CRAWLEE_STORAGE_DIR")


class Wishes(Protocol):
    """What of the settings is asked for here."""

    @property
    def storage(self) -> "Database | None":
        """The database that holds memory stores, if any."""
        ...

    @property
    def decay_on(self) -> bool:
        """Whether memories fade when a request does not say."""
        ...

    @property
    def tools(self) -> Toolset:
        """Which tools are offered."""
        ...

    @property
    def default_store(self) -> str | None:
        """The store of calls that name none."""
        ...

    @property
    def default_project(self) -> str | None:
        """The project of calls that name none."""
        ...


async def run(settings: Wishes) -> None:
    """Serve until the client closes its end."""
    gc.enable()  # a process that lives on needs it, the start of one does not
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    late = _LateService(settings)
    session = Session(
        ask=late.ask,
        defaults=Defaults(store=settings.default_store, project=settings.default_project),
        tools=settings.tools,
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

    def __init__(self, settings: Wishes) -> None:
        self._settings = settings
        self._answers = 0
        self._stack = AsyncExitStack()
        self._opening: asyncio.Task[Service] | None = None

    def note_answer(self) -> None:
        self._answers += 1
        if self._answers == _EARLY_ANSWERS:
            self._begin()

    async def ask(self, name: str, payload: Mapping[str, Any], *, progress: "Progress | None") -> dict[str, Any]:
        service = await asyncio.shield(self._begin())
        given = {} if progress is None else {"progress": progress}
        return await service.ask(name, payload, _CALLER, **given)

    async def close(self) -> None:
        if self._opening is not None:
            await asyncio.wait((self._opening,))
            await self._stack.aclose()

    def _begin(self) -> "asyncio.Task[Service]":
        failed = self._opening and self._opening.done() and self._opening.exception()
        if self._opening is None or failed:
            self._opening = asyncio.create_task(self._open())
        return self._opening

    async def _open(self) -> "Service":
        await asyncio.to_thread(_import_storage)
        from apify import Actor, Configuration

        from ...store.apify_kv import open_records, open_source
        from ...store.memory_store import MemoryStore
        from ...store.names import storage_name
        from ...store.open import key_value_stores
        from ..service import Service
        from ..surroundings import clock, new_id

        # Nothing here is a run of its own: the records of other runs in the folder stay, and the log is for problems.
        configuration = Configuration(
            purge_on_start=False,
            storage_dir=str(storage_folder()),
            log_level=os.environ.get("APIFY_LOG_LEVEL", "WARNING"),  # pyright: ignore[reportArgumentType]  # validated
        )
        actor = Actor(configuration=configuration, exit_process=False)
        await self._stack.enter_async_context(actor)
        open_kv = await self._stack.enter_async_context(key_value_stores(self._settings.storage))

        async def open_store(store_id: str) -> MemoryStore:
            return MemoryStore(store_id=store_id, kv=await open_kv(storage_name(store_id)), now=clock, new_id=new_id)

        return Service(
            open_store=open_store,
            open_records=open_records,
            open_source=open_source,
            decay_on=self._settings.decay_on,
        )


def storage_folder() -> Path:
    """Where memories are kept, as an absolute path: clients start a server in whatever folder they like.

    The folder that the environment names; else ./storage, when it is there; else one in the home of the user.
    """
    named = next((os.environ[name] for name in _FOLDER_VARIABLES if os.environ.get(name)), None)
    here = Path("storage")
    folder = Path(named) if named else here if here.is_dir() else Path.home() / ".agent-memory" / "storage"
    return folder.expanduser().absolute()


def _import_storage() -> None:
    """Import in a thread, so that requests are answered meanwhile."""
    for module in ("...store.apify_kv", "..service"):
        import_module(module, __package__)

"""A server's life: listen, answer the probe, load the rest, serve, and on SIGTERM finish what has begun."""

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...errors import StorageUnavailableError
from ...settings import Settings, is_loopback
from .app import build_app
from .guard import HEAD_BYTES
from .logs import FIELDS, log_to_stderr
from .observed import log
from .pages import Document
from .routing import Ready

if TYPE_CHECKING:
    from ..service import Service

T = TypeVar("T")
OpenService: TypeAlias = "Callable[[Settings], AbstractAsyncContextManager[Service]]"
OpenMount = Callable[[Settings, Ready], AbstractAsyncContextManager[ASGIApp]]
_FINISH_S: Final = 20
_IDLE_S: Final = 15
_CONNECTIONS: Final = 1_000
_FIRST_S: Final = 1.0
"""Loading begins after the first answer, which is the probe's at Apify, or after this long."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class PatientProtocol(H11Protocol):
    """HTTP/1.1 whose request headers must arrive within `seconds`; uvicorn itself waits for ever."""

    seconds: float = 20.0
    _slow: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """A client is there; its first request is awaited."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Bytes came; as long as they do not end the headers, time runs."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._watch()
        elif self.conn.their_state is not h11.IDLE:
            self._unwatch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._unwatch()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self._slow is None:
            self._slow = self.loop.call_later(self.seconds, self._give_up)

    def _unwatch(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _give_up(self) -> None:
        self._slow = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: they would raise SIGTERM anew and cut off the Actor's own ending."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


async def serve(
    settings: Settings, openapi: Document, open_service: OpenService, mounts: Mapping[str, OpenMount]
) -> int:
    """Serve until SIGTERM or SIGINT; the exit code of the process.

    `open_service` is opened after the first answer, and `mounts`, by path, when one of them is first asked for.
    """
    log_to_stderr()
    if refused := _refuse_open_door(settings):
        log.error(refused)
        return 1
    try:
        sock = listen(settings.address, settings.port)
    except OSError as error:
        where = {"address": settings.address, "port": settings.port, "why": error.strerror}
        log.error("cannot listen; free the port or set ACTOR_WEB_SERVER_PORT", extra={FIELDS: where})
        return 1
    loop = asyncio.get_running_loop()
    service: asyncio.Future[Service] = loop.create_future()
    apps: dict[str, asyncio.Future[ASGIApp]] = {path: loop.create_future() for path in mounts}
    answered, wanted = asyncio.Event(), asyncio.Event()
    late_apps = {path: _waiting(late, wanted) for path, late in apps.items()}
    app = build_app(settings, _waiting(service), openapi, late_apps)
    server = _Server(_config(_noticing(app, answered), settings))
    with _stopping(server):
        serving = asyncio.create_task(server.serve(sockets=[sock]))
        log.info("listening", extra={FIELDS: {"address": settings.address, "port": sock.getsockname()[1]}})
        await asyncio.wait(
            (serving, asyncio.create_task(answered.wait())), timeout=_FIRST_S, return_when=asyncio.FIRST_COMPLETED
        )
        try:
            async with AsyncExitStack() as stack:
                service.set_result(await stack.enter_async_context(open_service(settings)))
                log.info("ready")
                await asyncio.wait((serving, asyncio.create_task(wanted.wait())), return_when=asyncio.FIRST_COMPLETED)
                for path, open_mount in mounts.items() if wanted.is_set() else ():
                    apps[path].set_result(await stack.enter_async_context(open_mount(settings, _waiting(service))))
                await serving
                log.info("stopped")
        except Exception as error:  # noqa: BLE001  # whatever it is, waiting requests must be told
            log.error("the server cannot go on and ends", extra={FIELDS: {"why": f"{type(error).__name__}: {error}"}})
            for late in (service, *apps.values()):
                if not late.done():
                    late.set_exception(StorageUnavailableError(f"The server could not start: {type(error).__name__}."))
                    late.exception()  # nobody may be waiting for it
            server.should_exit = True
            await serving
            return 1
    return 0


def _waiting(late: "asyncio.Future[T]", wanted: asyncio.Event | None = None) -> Callable[[], Awaitable[T]]:
    """Says that `late` is wanted and waits for it; one who stops waiting does not stop the others."""

    async def wait() -> T:
        if wanted:
            wanted.set()
        return await asyncio.shield(late)

    return wait


def _refuse_open_door(settings: Settings) -> str | None:
    if settings.tokens or settings.at_home or is_loopback(settings.address):
        return None
    return (
        f"Without tokens the server listens on a loopback address only, and AGENT_MEMORY_HOST is {settings.address}. "
        "Make a token with `agent-memory token` and set AGENT_MEMORY_TOKENS, or leave AGENT_MEMORY_HOST unset."
    )


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens; connections accepted from it send at once.

    asyncio switches Nagle's algorithm off for sockets that name TCP as their protocol, which `create_server` leaves
    open: the body of an answer would wait up to 40 ms for the client to acknowledge its headers.
    """
    sock = socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def _config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    class Patient(PatientProtocol):
        seconds = settings.request_seconds

    return uvicorn.Config(
        app,
        http=Patient,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=HEAD_BYTES,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=_FINISH_S,
    )


def _noticing(app: ASGIApp, answered: asyncio.Event) -> ASGIApp:
    """`app`, which sets `answered` after its first answer."""

    async def notice(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        finally:
            answered.set()

    return notice


@contextmanager
def _stopping(server: uvicorn.Server) -> Generator[None]:
    """SIGTERM and SIGINT let the server finish; the second one does not wait for requests."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        server.force_exit = server.should_exit
        server.should_exit = True

    def handle(_signal: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)

    before = {number: signal.signal(number, handle) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

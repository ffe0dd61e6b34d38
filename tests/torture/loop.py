"""An event loop whose time stands still and that does no I/O, for actions that a test advances by hand."""

import asyncio
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from typing_extensions import override

T = TypeVar("T")


class Loop(asyncio.AbstractEventLoop):
    """An event loop that runs what is ready, then stops. Its time stands still: what is put off never comes due."""

    def __init__(self) -> None:
        self._ready: deque[asyncio.Handle] = deque()

    @override
    def call_soon(self, callback: Callable[..., Any], *args: Any, context: Any = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    @override
    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    @override
    def create_task(self, coro: Any, **_: Any) -> asyncio.Task[Any]:
        return asyncio.Task(coro, loop=self)

    @override
    def time(self) -> float:
        return 0.0

    @override
    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        return asyncio.TimerHandle(when, callback, args, self, context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It would not have come due."""

    @override
    def get_debug(self) -> bool:
        return False

    @override
    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """An action that is left lying is what a crash is: nothing to say."""

    def drain(self) -> None:
        """Run until everything waits."""
        before = events._get_running_loop()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # made for loops
        events._set_running_loop(self)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # made for loops
        try:
            while self._ready:
                self._ready.popleft()._run()  # noqa: SLF001  # how a loop runs a handle
        finally:
            events._set_running_loop(before)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # made for loops


def finish(work: Coroutine[Any, Any, T], loop: Loop | None = None) -> T:
    """The result of `work`, which never waits for anything outside."""
    loop = loop or Loop()
    task = loop.create_task(work)
    loop.drain()
    return task.result()

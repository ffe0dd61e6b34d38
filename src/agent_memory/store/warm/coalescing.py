"""One job at a time for all who ask at once."""

import asyncio
from collections.abc import Awaitable, Callable


class Coalesced:
    """Carries out `job` for whoever calls: all who call before it begins share one run, later ones get the next.

    So each caller's job begins after its call. A caller that is cancelled leaves the job to the others; a failure
    reaches all who share it.
    """

    def __init__(self, job: Callable[[], Awaitable[None]]) -> None:
        """Nothing runs yet."""
        self._job = job
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def __call__(self) -> None:
        """Have the job done once more."""
        if self._next is None:
            self._next = asyncio.create_task(self._go(self._running))
            self._next.add_done_callback(_look_at)
        await asyncio.shield(self._next)

    async def idle(self) -> None:
        """Wait until nothing runs or is due, whatever comes of it."""
        while tasks := [task for task in (self._running, self._next) if task and not task.done()]:
            await asyncio.wait(tasks)

    async def _go(self, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await asyncio.wait([before])
        self._running, self._next = self._next, None
        await self._job()


def _look_at(task: "asyncio.Task[None]") -> None:
    """Keep asyncio from reporting a failure when every caller has gone."""
    if not task.cancelled():
        task.exception()

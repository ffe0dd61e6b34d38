"""Work that may wait a little and is then done once for all who asked."""

import asyncio
from collections.abc import Awaitable, Callable


class Deferred:
    """Carries out `job` a while after `due` was called, however often that was."""

    def __init__(self, job: Callable[[], Awaitable[None]], pause_s: float) -> None:
        """Nothing is due."""
        self._job = job
        self._pause_s = pause_s
        self._due = False
        self._task: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    def due(self) -> None:
        """Have the job done soon."""
        self._due = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def flush(self) -> None:
        """Do at once what is due, and wait for it."""
        self._hurry.set()
        try:
            if self._task is not None:
                await asyncio.wait([self._task])
        finally:
            self._hurry.clear()

    async def _run(self) -> None:
        while self._due:
            try:
                async with asyncio.timeout(self._pause_s):
                    await self._hurry.wait()
            except TimeoutError:
                pass
            self._due = False
            await self._job()

"""Turns at one SQLite file: processes that write wait for each other here rather than at SQLite's own lock.

That one is given to whoever comes back at the right moment, and those who wait come back more and more seldom: of many
writers some wait for minutes.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Final

try:
    import fcntl
except ImportError:  # Windows has none: there SQLite's own lock must do
    fcntl = None

_PAUSES_S: Final = (0.002, 0.005, 0.01)


@asynccontextmanager
async def turn_at(file: str) -> AsyncGenerator[None]:
    """Wait until no other process has its turn at `file`; a turn ends with the process, however that ends.

    Where no file can be put beside `file`, nobody waits.
    """
    handle = None
    if fcntl is not None:
        with suppress(OSError):
            handle = os.open(f"{file}-turns", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    if handle is None:
        yield
        return
    try:
        waited = 0
        while not _taken(handle):
            await asyncio.sleep(_PAUSES_S[min(waited, len(_PAUSES_S) - 1)])
            waited += 1
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True

"""Compute that grows with a store, kept from holding up the other requests of a process."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_AT_ONCE: Final = 2_000


async def aside(rows: int, job: Callable[[], T]) -> T:
    """What `job` answers, which looks at so many rows and at nothing that changes; many are left to a thread."""
    return await asyncio.to_thread(job) if rows > _AT_ONCE else job()

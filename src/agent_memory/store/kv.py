"""What the memory store asks of a key-value store, and the one that lives in memory."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final, Protocol, runtime_checkable

CONTENT_TYPE: Final = "application/x-ndjson"
"""What our values are, where a storage asks."""
_READS_AT_ONCE: Final = 16


class KeyValue(Protocol):
    """Bytes under keys; no compare-and-set, no transaction, the last write of one key wins.

    Every method raises StorageUnavailableError when the storage does not answer or refuses.
    """

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, None when there is none."""
        ...

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        """The value under each of `keys`, None where there is none; not one moment, as if each was read by itself."""
        ...

    async def set(self, key: str, value: bytes) -> None:
        """Put `value` under `key`; durable once this returns."""
        ...

    async def delete(self, key: str) -> None:
        """Remove `key`; nothing happens when it is not there."""
        ...

    def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All keys that start with `prefix`, in no promised order."""
        ...


@runtime_checkable
class Neighbourhood(Protocol):
    """A key-value store that knows of the others of its user. Both methods raise as those of KeyValue do."""

    async def names_beside(self) -> list[str]:
        """The names of the named stores there, this one too once it is made; at most the 1,000 changed last."""
        ...

    async def read_beside(self, name: str, key: str) -> bytes | None:
        """The value under `key` in the store `name`, one of `names_beside`; None when there is none."""
        ...


async def get_each(get: Callable[[str], Awaitable[bytes | None]], keys: Iterable[str]) -> dict[str, bytes | None]:
    """`get_many` where nothing reads more than one key: 16 at a time."""
    gate = asyncio.Semaphore(_READS_AT_ONCE)

    async def read(key: str) -> tuple[str, bytes | None]:
        async with gate:
            return key, await get(key)

    return dict(await asyncio.gather(*map(read, dict.fromkeys(keys))))


class InMemoryKeyValue:
    """A key-value store in a dict, for tests and for trying things out."""

    def __init__(self) -> None:
        """Start empty."""
        self.values: dict[str, bytes] = {}

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, None when there is none."""
        return self.values.get(key)

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        """The value under each of `keys`, None where there is none."""
        return {key: await self.get(key) for key in keys}

    async def set(self, key: str, value: bytes) -> None:
        """Put `value` under `key`."""
        self.values[key] = value

    async def delete(self, key: str) -> None:
        """Remove `key`; nothing happens when it is not there."""
        self.values.pop(key, None)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All keys that start with `prefix`."""
        for key in sorted(self.values):
            if key.startswith(prefix):
                yield key

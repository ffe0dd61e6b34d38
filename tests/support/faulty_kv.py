"""Key-value stores that misbehave as real ones do: slow, failing, listing what is no longer or not yet there."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field

from agent_memory.errors import StorageUnavailableError
from agent_memory.store.kv import InMemoryKeyValue, get_each


class YieldingKeyValue(InMemoryKeyValue):
    """Lets other tasks run before each operation, so that concurrent actions really interleave."""

    async def get(self, key: str) -> bytes | None:
        await asyncio.sleep(0)
        return await super().get(key)

    async def set(self, key: str, value: bytes) -> None:
        await asyncio.sleep(0)
        await super().set(key, value)

    async def delete(self, key: str) -> None:
        await asyncio.sleep(0)
        await super().delete(key)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        await asyncio.sleep(0)
        async for key in super().list_keys(prefix):
            yield key


@dataclass
class FaultyKeyValue:
    """A store over `inner` whose `fails_at`-th operation (from 0) and all later ones fail, for `failures` operations.

    `lands` says whether a write that failed was carried out all the same. `ghosts` are keys that every listing shows
    although they have no value; `unlisted` are keys that no listing shows yet.
    """

    inner: InMemoryKeyValue = field(default_factory=InMemoryKeyValue)
    fails_at: int | None = None
    failures: int = 1_000_000
    lands: bool = False
    ghosts: frozenset[str] = frozenset()
    unlisted: frozenset[str] = frozenset()
    operations: list[str] = field(default_factory=list[str])

    async def get(self, key: str) -> bytes | None:
        """The value under `key`."""
        self._step(f"get {key}")
        return await self.inner.get(key)

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        """The value under each of `keys`, each by a `get` of its own."""
        return await get_each(self.get, keys)

    async def set(self, key: str, value: bytes) -> None:
        """Put `value` under `key`."""
        try:
            self._step(f"set {key}")
        except StorageUnavailableError:
            if self.lands:
                await self.inner.set(key, value)
            raise
        await self.inner.set(key, value)

    async def delete(self, key: str) -> None:
        """Remove `key`."""
        self._step(f"delete {key}")
        await self.inner.delete(key)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All keys that start with `prefix`, as far as the listing knows."""
        self._step(f"list {prefix}")
        for key in sorted({*self.inner.values, *self.ghosts} - self.unlisted):
            if key.startswith(prefix):
                yield key

    def _step(self, what: str) -> None:
        place = len(self.operations)
        self.operations.append(what)
        if self.fails_at is not None and self.fails_at <= place < self.fails_at + self.failures:
            message = f"The storage did not answer ({what}). Try again."
            raise StorageUnavailableError(message)

"""A key-value store of the SDK on the local file system, read and written straight in its folder.

The SDK writes a value and then a sidecar beside it, and sees no value whose sidecar is missing. A run that ends between
the two, or a copy without the sidecars, would hide memories that are there; so values are read without it. They are
written as the SDK writes them, for whoever else looks at the folder, but in one thread instead of eight and without
stamping the time into the store's `__metadata__.json` each time: a fifth of the work. It writes to
`<name>.<8 characters>.tmp` first, which stays when the process dies there.
"""

import asyncio
import errno
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from ..kv import CONTENT_TYPE
from ..leftovers import Leftover
from .local_files import is_value, mend, name_of, put, remove, scan
from .storage_errors import storage_errors

if TYPE_CHECKING:
    from apify.storages import KeyValueStore

_RENAMES: Final = sys.platform != "win32"
"""Whether a file that is open may be replaced."""


class LocalKeyValue:
    """One folder of `storage/key_value_stores`."""

    def __init__(
        self, store: "KeyValueStore | None", folder: Path, make: "Callable[[], Awaitable[KeyValueStore]] | None" = None
    ) -> None:
        """Wrap an opened `store` whose values lie in `folder`.

        Without one the folder may only be read, or it is not there yet and the first write has to `make` it.
        """
        self._store = store
        self._make = make
        self.folder: Final = folder

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, None when there is none."""
        return await asyncio.to_thread(self._read, key)

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        """The value under each of `keys`, None where there is none."""
        wanted = tuple(keys)
        return await asyncio.to_thread(lambda: {key: self._read(key) for key in wanted}) if wanted else {}

    async def set(self, key: str, value: bytes) -> None:
        """Put `value` under `key`."""
        store = await self._writable()
        with storage_errors(key):
            if not _RENAMES:
                await store.set_value(key, value, content_type=CONTENT_TYPE)
                return
            try:
                await asyncio.to_thread(put, self.folder, key, value)
            except FileNotFoundError:  # the folder was deleted: the SDK makes it anew
                await store.set_value(key, value, content_type=CONTENT_TYPE)

    async def delete(self, key: str) -> None:
        """Remove `key`; nothing happens when it is not there."""
        await self._writable()
        with storage_errors(key):
            await asyncio.to_thread(remove, self.folder, key)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All keys that start with `prefix`."""
        with storage_errors("the list of keys"):
            keys = await asyncio.to_thread(keys_in, self.folder)
        for key in keys:
            if key.startswith(prefix):
                yield key

    async def names_beside(self) -> list[str]:
        """The folders beside this one."""
        with storage_errors("the list of stores"):
            return await asyncio.to_thread(lambda: sorted(p.name for p in self.folder.parent.iterdir() if p.is_dir()))

    async def read_beside(self, name: str, key: str) -> bytes | None:
        """The value under `key` in the folder `name`."""
        return await LocalKeyValue(self._store, self.folder.parent / name).get(key)

    async def leftovers(self) -> list[Leftover]:
        """All files that are no value with its sidecar."""
        with storage_errors("the list of files"):
            return await asyncio.to_thread(lambda: [*scan(self.folder)])

    async def mend(self, leftover: Leftover) -> None:
        """Give a value its sidecar; remove any other leftover."""
        with storage_errors(leftover.name):
            await asyncio.to_thread(mend, self.folder, leftover)

    async def _writable(self) -> "KeyValueStore":
        with storage_errors(str(self.folder.absolute())):
            if self._store is None and self._make is not None:
                self._store = await self._make()
            if self._store is None:
                raise PermissionError(errno.EACCES, "it may only be read", str(self.folder))
        return self._store

    def _read(self, key: str) -> bytes | None:
        with storage_errors(key):
            try:
                return (self.folder / name_of(key)).read_bytes()
            except FileNotFoundError:
                return None


def keys_in(folder: Path) -> list[str]:
    """The keys of all values in `folder`; none in one that was deleted."""
    try:
        names = os.listdir(folder)  # noqa: PTH208  # names only: twice as fast
    except FileNotFoundError:
        return []
    return [key for name in names if (key := key_of(name)) is not None]


def key_of(name: str) -> str | None:
    """The key whose value a file of this name holds; None for sidecars and what a write left that was cut short."""
    return unquote(name) if is_value(name) else None

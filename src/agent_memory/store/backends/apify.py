"""Key-value stores of Apify: on the platform through apify-client, elsewhere through the SDK's local storage."""

import asyncio
import errno
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from apify import Actor

from ...errors import InvalidRequestError, NotFoundError, StorageUnavailableError
from ..kv import CONTENT_TYPE, get_each
from .local import LocalKeyValue
from .storage_errors import storage_errors

if TYPE_CHECKING:
    from apify.storages import KeyValueStore
    from apify_client import ApifyClientAsync
    from apify_client._resource_clients import KeyValueStoreClientAsync

    from ..kv import KeyValue


OPENING_S: Final = 20
"""How long the opening of a store may take. The SDK would go on asking a platform that fails for two minutes."""
_READ_ONLY: Final = {errno.EACCES, errno.EPERM, errno.EROFS}
_GLANCE_S: Final = 5
_NAMES: Final = 1_000


async def open_key_value(name: str) -> "KeyValue":
    """Open the named key-value store of the user this run belongs to.

    One that is not there is made: on the platform now, since it opens none without making it; elsewhere by the first
    write.
    """
    return await _open(name)


async def open_records() -> "KeyValue":
    """Open the default key-value store of this run."""
    return await _open(None)


async def open_source(store_id: str) -> "KeyValue":
    """Open the key-value store on the platform with this id (or user~name), which must exist.

    Raises:
        NotFoundError: there is none that this run may see.
        InvalidRequestError: this run has no token for the platform.
    """
    if not Actor.configuration.token:
        raise InvalidRequestError(
            "sourceStore is a store on Apify, and this run has no APIFY_TOKEN. Set it, or give importPath.",
            field="sourceStore",
        )
    client = Actor.apify_client.key_value_store(store_id)
    with storage_errors(store_id):
        found = await client.get()
    if found is None:
        raise NotFoundError(
            f"There is no key-value store {store_id} that this run may read. Nothing changed. Check the id.",
            field="sourceStore",
        )
    return CloudKeyValue(client, Actor.apify_client)


def local_folder(name: str | None) -> Path:
    """Where a run on this machine keeps the named store, or its default one."""
    return Path(Actor.configuration.storage_dir) / "key_value_stores" / (name or "default")


async def _open(name: str | None) -> "KeyValue":
    if Actor.is_at_home():
        with storage_errors(name or "the default store"):
            store = await _open_store(name)
        return CloudKeyValue(Actor.apify_client.key_value_store(store.id), Actor.apify_client)
    folder = local_folder(name)
    with storage_errors(str(folder.absolute())):
        if not folder.exists():
            return LocalKeyValue(None, folder, make=lambda: _open_store(name))
        try:
            return LocalKeyValue(await _open_store(name), folder)
        except OSError as error:
            # The SDK writes into a folder to open it; what may only be read can still be read.
            if error.errno not in _READ_ONLY or not folder.is_dir():
                raise
            return LocalKeyValue(None, folder)


async def _open_store(name: str | None) -> "KeyValueStore":
    """Open (or make) a store by the SDK."""
    try:
        async with asyncio.timeout(OPENING_S):
            return await Actor.open_key_value_store(name=name)
    except ValueError as error:
        message = f"The storage {name or 'default'} cannot be opened: its __metadata__.json is damaged ({error})."
        raise StorageUnavailableError(message) from error


class CloudKeyValue:
    """A key-value store on the platform; apify-client repeats a request that met 429 or 5xx."""

    def __init__(self, client: "KeyValueStoreClientAsync", account: "ApifyClientAsync") -> None:
        """Wrap the `client` of one store of `account`."""
        self._client = client
        self._account = account
        self._ids: dict[str, str] = {}

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, None when there is none."""
        with storage_errors(key):
            record = cast("dict[str, Any] | None", await self._client.get_record_as_bytes(key))  # pyright: ignore[reportUnknownMemberType]  # its dict is untyped
        return None if record is None else record["value"]

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        """The value under each of `keys`, None where there is none; one request each, 16 at a time."""
        return await get_each(self.get, keys)

    async def set(self, key: str, value: bytes) -> None:
        """Put `value` under `key`."""
        with storage_errors(key):
            await self._client.set_record(key, value, content_type=CONTENT_TYPE)

    async def delete(self, key: str) -> None:
        """Remove `key`; nothing happens when it is not there."""
        with storage_errors(key):
            await self._client.delete_record(key)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All keys that start with `prefix`."""
        with storage_errors("the list of keys"):
            async for item in self._client.iterate_keys(prefix=prefix or None):
                yield item.key

    async def names_beside(self) -> list[str]:
        """The names of the stores that this run may see; one request, and not waited for longer than 5 s."""
        with storage_errors("the list of stores"):
            async with asyncio.timeout(_GLANCE_S):
                listed = await self._account.key_value_stores().list(limit=_NAMES, desc=True)
        self._ids = {store.name: store.id for store in listed.items if store.name}
        return [*self._ids]

    async def read_beside(self, name: str, key: str) -> bytes | None:
        """The value under `key` in the store `name`; one request."""
        with storage_errors(key):
            async with asyncio.timeout(_GLANCE_S):
                return await CloudKeyValue(self._account.key_value_store(self._ids[name]), self._account).get(key)

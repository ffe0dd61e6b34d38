"""Key-value stores of Apify: on the platform through apify-client, elsewhere through the SDK's local storage."""

from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from apify import Actor
from apify_client.errors import ApifyApiError, ApifyClientError

from ..errors import InvalidRequestError, NotFoundError, StorageUnavailableError, TooLargeError

if TYPE_CHECKING:
    from apify.storages import KeyValueStore
    from apify_client._resource_clients import KeyValueStoreClientAsync

    from .kv import KeyValue

CONTENT_TYPE: Final = "application/x-ndjson"
_TOO_LARGE: Final = 413


async def open_key_value(name: str) -> "KeyValue":
    """Open (or make) the named key-value store of the user this run belongs to."""
    with storage_errors(name):
        store = await Actor.open_key_value_store(name=name)
    return CloudKeyValue(Actor.apify_client.key_value_store(store.id)) if Actor.is_at_home() else LocalKeyValue(store)


async def open_records() -> "KeyValue":
    """Open the default key-value store of this run."""
    with storage_errors("the default store"):
        store = await Actor.open_key_value_store()
    return CloudKeyValue(Actor.apify_client.key_value_store(store.id)) if Actor.is_at_home() else LocalKeyValue(store)


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
    return CloudKeyValue(client)


@contextmanager
def storage_errors(key: str) -> Generator[None]:
    """Turn what a storage raises into an error that says what to do."""
    try:
        yield
    except ApifyApiError as error:
        if error.status_code == _TOO_LARGE:
            message = f"The storage refused {key}: too large. Store less in one memory."
            raise TooLargeError(message) from error
        message = (
            f"The Apify storage answered {error.status_code} for {key}. "
            "Try again; if it stays, check the permissions of the run."
        )
        raise StorageUnavailableError(message) from error
    except (ApifyClientError, TimeoutError) as error:
        message = f"The Apify storage did not answer for {key}. Try again."
        raise StorageUnavailableError(message) from error
    except OSError as error:
        message = (
            f"The storage folder refused {key}: {error.strerror or error}. "
            "Free some space or check its rights, then try again."
        )
        raise StorageUnavailableError(message) from error


class LocalKeyValue:
    """The SDK's own storage on the local file system."""

    def __init__(self, store: "KeyValueStore") -> None:
        """Wrap an opened `store`."""
        self._store = store

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, None when there is none."""
        with storage_errors(key):
            value: Any = await self._store.get_value(key)
        return value if isinstance(value, bytes) else None

    async def set(self, key: str, value: bytes) -> None:
        """Put `value` under `key`."""
        with storage_errors(key):
            await self._store.set_value(key, value, content_type=CONTENT_TYPE)

    async def delete(self, key: str) -> None:
        """Remove `key`; nothing happens when it is not there."""
        with storage_errors(key):
            await self._store.delete_value(key)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All keys that start with `prefix`."""
        with storage_errors("the list of keys"):
            async for item in self._store.iterate_keys():
                if item.key.startswith(prefix):
                    yield item.key


class CloudKeyValue:
    """A key-value store on the platform; apify-client repeats a request that met 429 or 5xx."""

    def __init__(self, client: "KeyValueStoreClientAsync") -> None:
        """Wrap the `client` of one store."""
        self._client = client

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, None when there is none."""
        with storage_errors(key):
            record = cast("dict[str, Any] | None", await self._client.get_record_as_bytes(key))  # pyright: ignore[reportUnknownMemberType]  # its dict is untyped
        return None if record is None else record["value"]

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

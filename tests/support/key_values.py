"""Every kind of key-value store, opened the same way in this process or in another one."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from apify import Configuration
from apify.storage_clients import FileSystemStorageClient
from apify.storages import KeyValueStore
from apify_client import ApifyClientAsync

from agent_memory.store.backends.apify import CloudKeyValue
from agent_memory.store.backends.local import LocalKeyValue
from agent_memory.store.database import parse_database
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.open import key_value_stores

OpenStore = Callable[[str], Awaitable[KeyValue]]


@asynccontextmanager
async def stores_at(location: str) -> AsyncGenerator[OpenStore]:
    """Opens stores in a folder, a database or an emulated platform (their URL), or in `memory`."""
    if location == "memory":
        yield _in_memory()
    elif location.startswith("http://"):
        yield _on_platform(location)
    elif "://" in location:
        async with key_value_stores(parse_database(location)) as open_store:
            yield open_store
    else:
        yield _in_folder(location)


def _in_memory() -> OpenStore:
    stores: dict[str, InMemoryKeyValue] = {}

    async def open_store(name: str) -> KeyValue:
        return stores.setdefault(name, InMemoryKeyValue())

    return open_store


def _on_platform(url: str) -> OpenStore:
    # As the SDK makes it.
    client = ApifyClientAsync("no-real-token", api_url=url, api_public_url=url, compression="brotli")

    async def open_store(name: str) -> KeyValue:
        store = await client.key_value_stores().get_or_create(name=name)  # pyright: ignore[reportUnknownMemberType]  # its schema is untyped
        return CloudKeyValue(client.key_value_store(store.id), client)

    return open_store


def _in_folder(folder: str) -> OpenStore:
    storage, configuration = FileSystemStorageClient(), Configuration(storage_dir=folder)

    async def open_store(name: str) -> KeyValue:
        client = await storage.create_kvs_client(name=name, configuration=configuration)
        return LocalKeyValue(KeyValueStore(client, (await client.get_metadata()).id, name), client.path_to_kvs)

    return open_store


async def write(location: str, name: str, writer: str, count: int) -> None:
    """Set `<writer>-<n>` to n for `count` numbers, one after the other."""
    async with stores_at(location) as open_store:
        kv = await open_store(name)
        for number in range(count):
            await kv.set(f"{writer}-{number}", str(number).encode())


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))

"""Key-value stores in an SQLite file or a PostgreSQL database, in the tables of crawlee's SQL storage client.

crawlee makes the tables and the stores and writes the values. Reads go to its tables directly: its own read writes a
row for each key asked for, so that a reader would wait for writers and a full disk would refuse reads.
"""

import asyncio
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from crawlee.configuration import Configuration
from crawlee.storage_clients._sql import SqlStorageClient
from sqlalchemy import URL, Executable, column, func, select, table
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ...errors import StorageUnavailableError
from ..kv import CONTENT_TYPE
from .sql_errors import native_errors, reason

if TYPE_CHECKING:
    from crawlee.storage_clients._sql import SqlKeyValueStoreClient

    from ..database import Database

T = TypeVar("T")

_PATIENCE_S: Final = 120
_BUSY_S: Final = 30
_PAUSE_S: Final = 0.05
_KEYS_AT_ONCE: Final = 500
_NAMES: Final = 1_000
_OPENINGS: Final = 8
_POSTGRESQL_WRITERS: Final = 10
_STORES: Final = table("key_value_stores", column("key_value_store_id"), column("name"), column("modified_at"))
_RECORDS: Final = table("key_value_store_records", column("key_value_store_id"), column("key"), column("value"))


class SqlStores:
    """The connections of this process to one database; stores are opened by name."""

    def __init__(self, database: "Database") -> None:
        """Connects when the first store is opened."""
        self._database = database
        self._engine = _engine(database)
        self._client: SqlStorageClient | None = None
        self._opening = asyncio.Lock()
        # SQLite takes one writer at a time: queue here, in order, rather than at the file's lock.
        self._writers = asyncio.Semaphore(_POSTGRESQL_WRITERS if database.host else 1)

    async def open(self, name: str) -> "SqlKeyValue":
        """Open (or make) the store called `name`."""
        _make_folder(self._database)
        with database_errors(self._database):
            # One at a time: crawlee holds a connection while it asks for a second one.
            async with asyncio.timeout(_PATIENCE_S), self._opening:
                client, store_id = await self._open(name)
        return SqlKeyValue(self._database, self._engine, client, store_id, self._writers)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    async def _open(self, name: str) -> "tuple[SqlKeyValueStoreClient, str]":
        """The store `name` and its id. Processes that make the tables at once get in each other's way: try again."""
        for attempt in range(1, _OPENINGS):
            try:
                return await self._open_once(name)
            except (SQLAlchemyError, ValueError):
                await asyncio.sleep(_PAUSE_S * attempt)
        try:
            return await self._open_once(name)
        except ValueError as error:
            # crawlee could not write, hides why, and says that there is no such store.
            message = f"{self._database} takes no new store. Check its free space and its rights, then try again."
            raise StorageUnavailableError(message) from error

    async def _open_once(self, name: str) -> "tuple[SqlKeyValueStoreClient, str]":
        if self._database.host is None:
            # Lasts as long as the file: readers and a writer no longer wait for each other.
            async with self._engine.connect() as connection:
                await connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        with warnings.catch_warnings():
            # That crawlee calls this client experimental, or was upgraded, is ours to test and not a user's to read.
            warnings.filterwarnings("ignore", "The SqlStorageClient is experimental|Database version", UserWarning)
            client = self._client or SqlStorageClient(engine=self._engine)
            store = await client.create_kvs_client(name=name, configuration=Configuration())
            store_id = (await store.get_metadata()).id
        self._client = client
        return store, store_id


class SqlKeyValue:
    """One store in a database."""

    def __init__(
        self,
        database: "Database",
        engine: AsyncEngine,
        client: "SqlKeyValueStoreClient",
        store_id: str,
        writers: asyncio.Semaphore,
    ) -> None:
        """`writers` bounds how many writes this process has under way."""
        self._database = database
        self._reads = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._client = client
        self._mine = _RECORDS.c.key_value_store_id == store_id
        self._writers = writers

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, None when there is none."""
        rows = await self._rows(select(_RECORDS.c.value).where(self._mine, _RECORDS.c.key == key))
        return bytes(rows[0][0]) if rows else None

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        """The value under each of `keys`, None where there is none; one SELECT for each 500."""
        found: dict[str, bytes | None] = dict.fromkeys(keys)
        wanted = [*found]
        for start in range(0, len(wanted), _KEYS_AT_ONCE):
            some = _RECORDS.c.key.in_(wanted[start : start + _KEYS_AT_ONCE])
            for key, value in await self._rows(select(_RECORDS.c.key, _RECORDS.c.value).where(self._mine, some)):
                found[key] = bytes(value)
        return found

    async def set(self, key: str, value: bytes) -> None:
        """Put `value` under `key`."""
        await self._write(lambda: self._client.set_value(key=key, value=value, content_type=CONTENT_TYPE))

    async def delete(self, key: str) -> None:
        """Remove `key`; nothing happens when it is not there."""
        await self._write(lambda: self._client.delete_value(key=key))

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """All keys that start with `prefix`."""
        # LIKE has wildcards and ignores case in SQLite.
        begins = func.substr(_RECORDS.c.key, 1, len(prefix)) == prefix
        for row in await self._rows(select(_RECORDS.c.key).where(self._mine, begins)):
            yield row[0]

    async def names_beside(self) -> list[str]:
        """The names of the stores in this database."""
        named = select(_STORES.c.name).where(_STORES.c.name.is_not(None))
        return [row[0] for row in await self._rows(named.order_by(_STORES.c.modified_at.desc()).limit(_NAMES))]

    async def read_beside(self, name: str, key: str) -> bytes | None:
        """The value under `key` in the store `name`."""
        theirs = _RECORDS.c.key_value_store_id == _STORES.c.key_value_store_id
        rows = await self._rows(select(_RECORDS.c.value).where(theirs, _STORES.c.name == name, _RECORDS.c.key == key))
        return bytes(rows[0][0]) if rows else None

    async def _write(self, operation: Callable[[], Awaitable[None]]) -> None:
        async def queued() -> None:
            async with self._writers:
                await operation()

        await self._patiently(queued)

    async def _rows(self, query: Executable) -> Sequence[Any]:
        async def read() -> Sequence[Any]:
            async with self._reads.connect() as connection:
                return (await connection.execute(query)).all()

        return await self._patiently(read)

    async def _patiently(self, operation: Callable[[], Awaitable[T]]) -> T:
        """Carry out `operation`, again and again while other processes hold the SQLite file."""
        with database_errors(self._database):
            async with asyncio.timeout(_PATIENCE_S):
                while True:
                    try:
                        return await operation()
                    except OperationalError as error:
                        if "locked" not in str(error.orig):
                            raise
                    await asyncio.sleep(_PAUSE_S)


@contextmanager
def database_errors(database: "Database") -> Generator[None]:
    """Turn what a database raises into an error that says what to do, and that holds no credentials."""
    try:
        yield
    except (SQLAlchemyError, OSError, *native_errors(database)) as error:
        message = f"{database} {reason(error, _PATIENCE_S)}"
        raise StorageUnavailableError(message) from error


def _engine(database: "Database") -> AsyncEngine:
    sqlite = database.host is None
    url = URL.create(
        "sqlite+aiosqlite" if sqlite else "postgresql+asyncpg",
        username=database.user,
        password=database.password,
        host=database.host,
        port=None if sqlite else database.port,
        database=database.name,
    )
    return create_async_engine(
        url,
        connect_args={"timeout": _BUSY_S} | ({"ssl": database.sslmode} if database.sslmode else {}),
        hide_parameters=True,
        pool_size=5,
        max_overflow=10,
        pool_timeout=_PATIENCE_S,
        pool_pre_ping=not sqlite,
    )


def _make_folder(database: "Database") -> None:
    if database.host is not None:
        return
    folder = Path(database.name).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"The folder {folder} of AGENT_MEMORY_STORAGE cannot be made: {error.strerror}. Name another file."
        raise StorageUnavailableError(message) from error

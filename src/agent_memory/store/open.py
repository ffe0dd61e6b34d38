"""Where memory stores live: in Apify's storage, unless a database is named. INPUT and OUTPUT never move."""

import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from ..errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from .database import Database
    from .kv import KeyValue

_SQL_CLIENT: Final = "crawlee.storage_clients._sql"
# None in place of a module makes Python refuse to import it.
_SPARED: Final = cast("dict[str, Any]", sys.modules)


@asynccontextmanager
async def key_value_stores(database: "Database | None") -> "AsyncGenerator[Callable[[str], Awaitable[KeyValue]]]":
    """A function that opens (or makes) the key-value store of a name; connections are closed at the end.

    The function raises StorageUnavailableError when the storage does not answer.

    Raises:
        InvalidRequestError: an SQLite file on the platform, where the disk ends with the run.
    """
    if database is None:
        from .backends.apify import open_key_value

        yield open_key_value
        return
    _refuse_a_passing_file(database)
    if _SPARED.get(_SQL_CLIENT, sys) is None:
        del _SPARED[_SQL_CLIENT]
    from .backends.sql import SqlStores

    stores = SqlStores(database)
    try:
        yield stores.open
    finally:
        await stores.close()


def _refuse_a_passing_file(database: "Database") -> None:
    from apify import Actor

    if database.host is None and Actor.is_at_home():
        raise InvalidRequestError(
            "AGENT_MEMORY_STORAGE names an SQLite file, and the disk of a run on Apify is gone when the run ends. "
            "Nothing was stored. Leave it unset for Apify's own storage, or use postgresql://."
        )


def spare_sql_imports() -> None:
    """Keep crawlee from loading SQLAlchemy before anybody asks for a database; call it before importing apify.

    crawlee imports every storage client whose packages are installed, and takes one that cannot be imported for one
    that is not installed. SQLAlchemy alone is a third of a run's start-up CPU.
    """
    _SPARED.setdefault(_SQL_CLIENT, None)

"""What a database says when it fails, in plain words that hold no credentials."""

import socket
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..database import Database

# PostgreSQL's codes: https://www.postgresql.org/docs/current/errcodes-appendix.html, the longest match first.
_STATES: Final = {
    "28": "refused the user. Check the user and the password in AGENT_MEMORY_STORAGE.",
    "3D000": "does not exist. Create it, or name another one in AGENT_MEMORY_STORAGE.",
    "42501": "refused: the user may not make or write tables there. Grant it, or name another user.",
    "53100": "has no disk space left. Nothing was stored. Free some space, then try again.",
    "53300": "has no connection left. Try again, or allow the server more connections.",
    "25006": "is read-only. Name the primary server in AGENT_MEMORY_STORAGE.",
    "57P": "is starting up or shutting down. Try again.",
    "08": "closed the connection. Try again.",
}
_SQLITE: Final = {
    "disk is full": "has no disk space left. Nothing was stored. Free some space, then try again.",
    "locked": "stayed locked by another process. Nothing was stored. Try again.",
    "readonly": "is read-only. Nothing was stored. Check the rights of the file and of its folder.",
    "unable to open": "cannot be opened. Check that it is a file and that its folder may be written.",
    "not a database": "is no SQLite database. Nothing was changed. Name another file in AGENT_MEMORY_STORAGE.",
    "malformed": "is damaged. Nothing was changed. Put back a copy of it, or name another file.",
    "disk I/O error": "cannot be read or written: the disk reports an error. Check the disk, then try again.",
}


def native_errors(database: "Database") -> tuple[type[Exception], ...]:
    """The errors of the driver itself, which it raises while connecting."""
    if database.host is None:
        import sqlite3

        return (sqlite3.Error,)
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]  # typed, but not marked so

    return (asyncpg.PostgresError, asyncpg.InterfaceError)


def reason(error: Exception, patience_s: float) -> str:
    """What happened and what to do, to follow the name of the database; `patience_s` is how long it was given."""
    origin = getattr(error, "orig", None) or error
    state = getattr(origin, "sqlstate", None) or ""
    for known, words in _STATES.items():
        if state.startswith(known):
            return words
    for known, words in _SQLITE.items():
        if known in str(origin):
            return words
    if isinstance(origin, socket.gaierror):
        return "cannot be reached: no such host. Check AGENT_MEMORY_STORAGE."
    if isinstance(origin, TimeoutError):
        return f"did not answer within {patience_s} s; another process may hold it. Try again."
    if isinstance(origin, OSError):
        return "cannot be reached: no server answers there. Start it, or correct AGENT_MEMORY_STORAGE."
    kind = f"{type(origin).__name__} {state}".rstrip()
    return f"failed ({kind}). Nothing was acknowledged. Try again; if it stays, see the log of the database."

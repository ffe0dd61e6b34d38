"""AGENT_MEMORY_STORAGE taken apart: the database that holds memory stores instead of Apify's storage."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

ALLOWED: Final = (
    "sqlite:///path/to/file.db (relative to the working directory; four slashes for an absolute path) or "
    "postgresql://user:password@host:5432/database, with ?sslmode= if needed"
)
_SQLITE: Final = "sqlite:///"
_POSTGRESQL: Final = "postgresql://"
_POSTGRESQL_PORT: Final = 5432
_SSL_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """An SQLite file, whose `name` is its absolute path and which has no `host`; or a database of PostgreSQL."""

    name: str
    host: str | None = None
    port: int = _POSTGRESQL_PORT
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    sslmode: str | None = None

    def __str__(self) -> str:
        """What a message may say of it: no user, no password."""
        if self.host is None:
            return f"The SQLite file {self.name}"
        return f"The PostgreSQL database {self.name} at {self.host}:{self.port}"


def parse_database(text: str) -> Database:
    """The database that `text`, an URL, names.

    Raises:
        ValueError: it names none; the message says what came, without credentials, and what is allowed.
    """
    try:
        if text.startswith(_SQLITE):
            return _sqlite(text.removeprefix(_SQLITE))
        if text.startswith(_POSTGRESQL):
            return _postgresql(text)
        problem = "it begins with neither sqlite:/// nor postgresql://"
    except ValueError as error:
        problem = str(error)
    message = f"{_shown(text)!r} is not understood: {problem}. Use {ALLOWED}; leave it unset for Apify's own storage."
    raise ValueError(message)


def _sqlite(path: str) -> Database:
    if path in {"", ":memory:"}:
        message = "it names no file, and memories must outlive the process"
        raise ValueError(message)
    if "?" in path or "\0" in path or path.endswith("/"):
        message = "the path may hold no question mark and no NUL, nor end in a slash"
        raise ValueError(message)
    return Database(name=str(Path(path).absolute()))


def _postgresql(url: str) -> Database:
    parts = urlsplit(url)
    try:
        port = parts.port or _POSTGRESQL_PORT
    except ValueError:
        message = "the port is no number up to 65535 (write / @ : ? in a password as %2F %40 %3A %3F)"
        raise ValueError(message) from None
    name = unquote(parts.path.removeprefix("/"))
    if not parts.hostname or not name or "/" in name:
        message = "it must name a host and one database"
        raise ValueError(message)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    mode = options.pop("sslmode", None)
    if options or parts.fragment or mode not in {None, *_SSL_MODES}:
        message = f"the only option is sslmode, one of {', '.join(_SSL_MODES)}"
        raise ValueError(message)
    return Database(
        name=name,
        host=parts.hostname,
        port=port,
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        sslmode=mode,
    )


def _shown(text: str) -> str:
    """What may be repeated of `text`: nothing that could be a user, a password or an option."""
    if "@" in text:
        return f"{text.partition(':')[0][:_SHOWN]}:..."
    plain, question, _ = text.partition("?")
    return f"{plain[:_SHOWN]}{'?...' if question else ''}"

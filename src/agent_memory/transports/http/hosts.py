"""Which names the server answers to, and which web pages may call it; exact, so that no page reaches it by a trick."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from ...errors import ForbiddenError, InvalidRequestError

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
CONSOLE: Final = "https://console.apify.com"
_AUTHORITY: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?", re.ASCII)
_PORTS: Final = range(1, 65_536)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """`hosts` are names, which any port goes with, or name:port; `origins` are scheme://name[:port]."""

    hosts: frozenset[str]
    origins: frozenset[str]

    def check(self, hosts: Iterable[str], origins: Iterable[str]) -> None:
        """Let a request with these Host and Origin headers through.

        Raises:
            InvalidRequestError: there is not exactly one Host, or it is no host.
            ForbiddenError: the Host is not ours, or the Origin is a page that may not call.
        """
        host = _only("Host", hosts, needed=True)
        name, port = _parts(host)
        if name not in self.hosts and f"{name}:{port}" not in self.hosts:
            raise ForbiddenError(
                "The server does not answer to this Host. Call it by its own address, or add the name to "
                "AGENT_MEMORY_HOSTS."
            )
        origin = _only("Origin", origins, needed=False)
        if origin is not None and origin not in self.origins and not _same(origin, name, port):
            raise ForbiddenError(
                "Web pages of this Origin may not call the server. Add it to AGENT_MEMORY_ORIGINS if they should."
            )


def doors(*, listening: str, hosts: Iterable[str], origins: Iterable[str], urls: Iterable[str]) -> Doors:
    """The doors of a server that listens on the address `listening` and that is also reached at `urls`."""
    own = [urlsplit(url.lower()) for url in urls]
    # An IPv6 address is written in brackets in a Host.
    address = f"[{listening}]" if ":" in listening else listening
    return Doors(
        hosts=frozenset((*LOOPBACK_NAMES, address, *hosts, *(url.netloc for url in own))),
        origins=frozenset((*origins, *(f"{url.scheme}://{url.netloc}" for url in own))),
    )


def _only(what: str, values: Iterable[str], *, needed: bool) -> str | None:
    given = list(values)
    if len(given) > 1 or (needed and not given):
        raise InvalidRequestError(f"A request must have one {what} header; this one has {len(given)}.")
    return given[0] if given else None


def _parts(host: str | None) -> tuple[str, int | None]:
    """Name and port of a Host header."""
    match = _AUTHORITY.fullmatch((host or "").lower())
    if match is None or (match["port"] is not None and int(match["port"]) not in _PORTS):
        raise InvalidRequestError("The Host header is no host name with, perhaps, a port.")
    return match["name"], None if match["port"] is None else int(match["port"])


def _same(origin: str, name: str, port: int | None) -> bool:
    """Whether `origin` is a page of the very host that is called."""
    scheme, separator, authority = origin.partition("://")
    match = _AUTHORITY.fullmatch(authority)
    if not separator or scheme not in _DEFAULT_PORTS or match is None or match["name"] != name:
        return False
    default = _DEFAULT_PORTS[scheme]
    return int(match["port"] or default) == (port or default)

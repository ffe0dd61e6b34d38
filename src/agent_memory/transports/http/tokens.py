"""Bearer tokens: who comes with which, and how one is made."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from ...errors import UnauthenticatedError
from ...models.vocabulary import Channel
from ...setting_values import TokenEntry
from ..caller import Caller, Right

AUTHORIZATION: Final = "authorization"
HEADER: Final = "x-agent-memory-token"
"""Where a token may also stand: behind a proxy that wants Authorization for itself, as Apify's does."""
_PREFIX: Final = "am_"

Recognise = Callable[[Mapping[str, str]], Caller]
"""From lower-case headers to who asks; raises UnauthenticatedError."""


def new_token() -> str:
    """A token of 256 random bits."""
    return f"{_PREFIX}{secrets.token_urlsafe(32)}"


def digest(token: str) -> str:
    """What is kept of a token. It is random and long, so one round of SHA-256 is as good as a slow hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def recognise(entries: Iterable[TokenEntry], *, channel: Channel, writer: str, right: Right) -> Recognise:
    """How callers are told apart; without entries everybody is `writer` and has this `right`."""
    callers = [
        (e.sha256, Caller(name=e.name, channel=channel, right=Right.of(e.right), stores=e.stores)) for e in entries
    ]
    if not callers:
        everybody = Caller(name=writer, channel=channel, right=right)
        return lambda _: everybody

    def find(headers: Mapping[str, str]) -> Caller:
        came = digest(_token(headers))
        found = None
        for known, caller in callers:  # all of them, so that the time taken tells nothing
            if hmac.compare_digest(came, known):
                found = caller
        if found is None:
            raise UnauthenticatedError("This token is not known. Use one that the server was given, or make a new one.")
        return found

    return find


def _token(headers: Mapping[str, str]) -> str:
    if token := headers.get(HEADER, "").strip():
        return token
    scheme, _, token = headers.get(AUTHORIZATION, "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise UnauthenticatedError("A token is required: send the header Authorization: Bearer <token>.")
    return token.strip()

"""The body of a request: plain JSON, of bounded size, in bounded time."""

import asyncio
from collections.abc import Mapping
from typing import Final

from starlette.types import Message, Receive

from ...errors import RequestTimeoutError, TooLargeError, UnsupportedMediaError

BODY_BYTES: Final = 4_194_304


class ClientGoneError(Exception):
    """The client closed the connection; nobody waits for an answer."""


def check_headers(headers: Mapping[str, str]) -> None:
    """Refuse a body by what its headers (lower-case names) say, before a byte of it is read.

    Raises:
        UnsupportedMediaError: it is no JSON, or encoded: a small encoded body may be a huge one.
        TooLargeError: it says that it is too large.
    """
    if headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise UnsupportedMediaError("Content-Encoding is not supported. Send the JSON as it is.")
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > BODY_BYTES:
        raise _too_large()
    kind, _, parameters = headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().removeprefix("charset=").strip('"')
    if kind.strip().lower() != "application/json" or charset not in {"", "utf-8", "utf8"}:
        raise UnsupportedMediaError("The body must be JSON in UTF-8: send the header Content-Type: application/json.")


async def read_body(receive: Receive, seconds: float) -> bytes:
    """The whole body.

    Raises:
        TooLargeError: it is over 4 MiB.
        RequestTimeoutError: it took longer than `seconds`.
        ClientGoneError: the client left.
    """
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGoneError
                chunk: bytes = message.get("body", b"")
                size += len(chunk)
                if size > BODY_BYTES:
                    raise _too_large()
                chunks.append(chunk)
                more = message.get("more_body", False)
    except TimeoutError:
        raise RequestTimeoutError(f"The body did not arrive within {seconds:g} s. Nothing was stored.") from None
    return b"".join(chunks)


def replay(body: bytes, receive: Receive) -> Receive:
    """A receive that gives out `body`, and then what the connection has to say."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _too_large() -> TooLargeError:
    return TooLargeError(
        f"The body is over {BODY_BYTES:,} bytes. Send it in several calls; nothing was stored.", limit=BODY_BYTES
    )

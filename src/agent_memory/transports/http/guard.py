"""What stands before every route, as small wrappers: probe, doors, token, rate, body; and failures as answers."""

import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import InvalidRequestError, MemoryServiceError, TooLargeError
from .answers import bug, refusal
from .body import ClientGoneError, check_headers, read_body, replay
from .hosts import Doors
from .logs import FIELDS
from .observed import Metrics, log, note
from .rates import Admit
from .strict_json import read_object
from .tokens import AUTHORIZATION, HEADER, Recognise

PROBE: Final = b"x-apify-container-server-readiness-probe"
HEAD_BYTES: Final = 32_768
_BODILESS: Final = ("GET", "HEAD", "OPTIONS")
_CLIENT_GONE: Final = 499


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Who and what is let through; `open_paths` need no token, and `seconds` is how long a body may take."""

    recognise: Recognise
    admit: Admit
    open_paths: frozenset[str]
    seconds: float


def probed(app: ASGIApp) -> ASGIApp:
    """`app` behind Apify's readiness probe, which is answered before anything else is looked at."""

    async def probe(scope: Scope, receive: Receive, send: Send) -> None:
        if not any(name == PROBE for name, _ in scope["headers"]):
            return await app(scope, receive, send)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        return await send({"type": "http.response.body", "body": b"ready\n"})

    return probe


def observed(app: ASGIApp, metrics: Metrics) -> ASGIApp:
    """`app`, whose answers are counted and logged."""

    async def observe(scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        state: dict[str, Any] = scope.setdefault("state", {})
        status = _CLIENT_GONE

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-content-type-options", b"nosniff")]
            await send(message)

        try:
            await app(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - started
            caller = state["caller"].name if "caller" in state else None
            note(metrics, route=state.get("route", "other"), status=status, seconds=seconds, caller=caller)

    return observe


def answering(app: ASGIApp) -> ASGIApp:
    """`app`, whose failures become answers."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noticed(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await app(scope, receive, noticed)
        except ClientGoneError:
            pass
        except MemoryServiceError as error:
            await refusal(scope["path"], scope["state"].get("action"), error)(scope, receive, send)
        except Exception as error:  # noqa: BLE001  # the outermost edge: a bug must still be answered
            # Without the exception itself: its text may hold a memory.
            where = "".join(traceback.format_tb(error.__traceback__))
            fields = {"exception": type(error).__name__, "where": where}
            log.error("a request failed in a way that it should not", extra={FIELDS: fields})
            if not begun:
                await bug(scope["path"], scope["state"].get("action"))(scope, receive, send)

    return answer


def behind_doors(app: ASGIApp, doors: Doors) -> ASGIApp:
    """`app` for requests whose Host and Origin are ours."""

    async def check(scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        _check_size(scope, headers)
        doors.check(_all(headers, "host"), _all(headers, "origin"))
        await app(scope, receive, send)

    return check


def _check_size(scope: Scope, headers: Sequence[tuple[str, str]]) -> None:
    """Refuse a head that is too large, and a body whose end can be read in two ways."""
    size = len(scope["raw_path"]) + len(scope["query_string"])
    if size + sum(len(name) + len(value) for name, value in headers) > HEAD_BYTES:
        raise TooLargeError(f"The address and the headers take over {HEAD_BYTES:,} bytes.", limit=HEAD_BYTES)
    if {"content-length", "transfer-encoding"} <= {name for name, _ in headers}:
        raise InvalidRequestError("A request may have Content-Length or Transfer-Encoding, not both.")


def guarded(app: ASGIApp, gate: Gate) -> ASGIApp:
    """`app` behind `gate`: a route finds `caller` and, where a body came, `payload` in the state of its scope."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, await _let_in(scope, receive, gate), send)

    return guard


async def _let_in(scope: Scope, receive: Receive, gate: Gate) -> Receive:
    """Check everything that can be checked without a route, the cheapest first; the body is read last."""
    bodiless = scope["method"] in _BODILESS
    if bodiless and scope["path"] in gate.open_paths:
        return receive
    came = _headers(scope)
    for name in (AUTHORIZATION, HEADER):
        if len(_all(came, name)) > 1:  # a proxy and this server might each read another one
            raise InvalidRequestError(f"The header {name} may stand in a request once. Send one token.")
    headers = dict(came)
    scope["state"]["caller"] = caller = gate.recognise(headers)
    gate.admit(caller)
    if bodiless or (scope["method"] == "DELETE" and not _has_body(headers)):
        return receive
    check_headers(headers)
    body = await read_body(receive, gate.seconds)
    scope["state"]["payload"] = read_object(body)
    return replay(body, receive)


def _has_body(headers: dict[str, str]) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _headers(scope: Scope) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]


def _all(headers: Iterable[tuple[str, str]], name: str) -> list[str]:
    return [value for known, value in headers if known == name]

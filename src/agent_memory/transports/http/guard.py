"""What stands before every route: Host and Origin, token, rate, body; and the one place where failures are answered."""

import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import MemoryServiceError
from .answers import bug, refusal
from .body import ClientGoneError, check_headers, read_body, replay
from .hosts import Doors
from .logs import FIELDS
from .observed import Metrics, log, note
from .rates import Admit
from .strict_json import read_object
from .tokens import Recognise

PROBE: Final = "x-apify-container-server-readiness-probe"
_BODILESS: Final = ("GET", "HEAD", "OPTIONS")
_CLIENT_GONE: Final = 499


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Who and what is let through; `open_paths` need no token, and `seconds` is how long a body may take."""

    doors: Doors
    recognise: Recognise
    admit: Admit
    metrics: Metrics
    open_paths: frozenset[str]
    seconds: float


def guarded(app: ASGIApp, gate: Gate) -> ASGIApp:
    """`app` behind `gate`; a route finds `caller` and, where there was a body, `payload` in its state."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await app(scope, receive, send)
        started = time.perf_counter()
        state: dict[str, Any] = scope.setdefault("state", {})
        status = _CLIENT_GONE
        answering = False

        async def watched(message: Message) -> None:
            nonlocal status, answering
            if message["type"] == "http.response.start":
                status, answering = message["status"], True
                message["headers"] = [*message.get("headers", ()), (b"x-content-type-options", b"nosniff")]
            await send(message)

        try:
            await app(scope, await _let_in(scope, receive, state, gate), watched)
        except ClientGoneError:
            pass
        except MemoryServiceError as error:
            await refusal(scope["path"], state.get("action"), error)(scope, receive, watched)
        except Exception as error:  # noqa: BLE001  # the outermost edge: a bug must still be answered
            where = "".join(traceback.format_tb(error.__traceback__))
            # Without the exception itself: its text may hold a memory.
            fields = {"exception": type(error).__name__, "where": where}
            log.error("a request failed in a way that it should not", extra={FIELDS: fields})
            if not answering:
                await bug(scope["path"], state.get("action"))(scope, receive, watched)
        finally:
            caller = state.get("caller")
            note(
                gate.metrics,
                route=state.get("route", "other"),
                status=status,
                seconds=time.perf_counter() - started,
                caller=caller and caller.name,
            )
        return None

    return guard


async def _let_in(scope: Scope, receive: Receive, state: dict[str, Any], gate: Gate) -> Receive:
    """Check everything that can be checked without a route, the cheapest first; reads the body last."""
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    gate.doors.check(_all(headers, "host"), _all(headers, "origin"))
    if scope["path"] in gate.open_paths and scope["method"] in _BODILESS:
        return receive
    named = dict(headers)
    state["caller"] = caller = gate.recognise(named)
    gate.admit(caller)
    if scope["method"] in _BODILESS:
        return receive
    if scope["method"] == "DELETE" and named.get("content-length", "0") == "0" and "transfer-encoding" not in named:
        return receive
    check_headers(named)
    body = await read_body(receive, gate.seconds)
    state["payload"] = read_object(body)
    return replay(body, receive)


def _all(headers: Iterable[tuple[str, str]], name: str) -> list[str]:
    return [value for known, value in headers if known == name]


def probed(app: ASGIApp) -> ASGIApp:
    """`app` behind Apify's readiness probe, which is answered before anything else is looked at."""
    name = PROBE.encode()

    async def probe(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and any(known == name for known, _ in scope["headers"]):
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": b"ready\n"})
            return
        await app(scope, receive, send)

    return probe

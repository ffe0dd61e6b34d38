"""The part of Apify's API that a run uses, over real HTTP on the loopback address, kept in memory.

Strict where the platform is: a typed 404, 413 over its limit, pages of at most 1,000 keys, brotli bodies.
"""

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs, unquote, urlsplit

import brotli  # pyright: ignore[reportMissingTypeStubs]  # comes with apify and has no types
from typing_extensions import override

KEY_VALUES: Final = "defaultKeyValues"
DATASET: Final = "defaultDataset"
RUN: Final = "theRun"
_JSON: Final = "application/json; charset=utf-8"
_AT: Final = "2026-03-01T00:00:00.000Z"
_PAGE: Final = 1_000
_BODY_BYTES: Final = 9_437_184
_MOST_CALLS: Final = 20_000
_RUN: Final[dict[str, Any]] = {
    "id": RUN,
    "actId": "theActor",
    "userId": "theUser",
    "startedAt": _AT,
    "status": "RUNNING",
    "meta": {"origin": "API"},
    "stats": {},
    "options": {"build": "latest", "timeoutSecs": 300, "memoryMbytes": 256, "diskMbytes": 512},
    "buildId": "theBuild",
    "buildNumber": "0.1.1",
    "defaultKeyValueStoreId": KEY_VALUES,
    "defaultDatasetId": DATASET,
    "defaultRequestQueueId": "defaultQueue",
}

Answer = tuple[int, str, bytes]


@dataclass(frozen=True)
class Call:
    """One request: `kind` is what its path is about, such as key-value-stores, keys, record, items, actor-run."""

    method: str
    kind: str
    store: str = ""
    key: str = ""
    query: dict[str, str] = field(default_factory=dict[str, str])
    content_type: str = _JSON
    body: bytes = b""

    def json(self) -> Any:
        """The body, an empty object when there is none."""
        return json.loads(self.body or b"{}")


@dataclass
class Fault:
    """Answers `status` to the next `times` calls of this method, kind and store; empty: of any."""

    status: int
    times: int
    method: str = ""
    kind: str = ""
    store: str = ""

    def hits(self, call: Call) -> bool:
        """Whether this call fails; a hit counts."""
        wanted = ((self.method, call.method), (self.kind, call.kind), (self.store, call.store))
        hit = self.times > 0 and all(want in ("", got) for want, got in wanted)
        self.times -= hit
        return hit


@dataclass
class Platform:
    """What the platform holds. `stores` and `names` outlive a run; `priced` is what each run is told of its price."""

    url: str = ""
    stores: dict[str, dict[str, tuple[str, bytes]]] = field(default_factory=dict[str, dict[str, tuple[str, bytes]]])
    names: dict[str, str] = field(default_factory=dict[str, str])
    faults: list[Fault] = field(default_factory=list[Fault])
    priced: dict[str, Any] = field(default_factory=dict[str, Any])
    run: dict[str, Any] = field(default_factory=dict[str, Any])
    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    charges: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    calls: list[Call] = field(default_factory=list[Call])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, payload: object) -> dict[str, str]:
        """Begin a run with this INPUT; answers the environment that the platform gives it."""
        self.stores[KEY_VALUES] = {"INPUT": (_JSON, json.dumps(payload).encode())}
        self.run, self.rows, self.charges, self.calls = _RUN | self.priced, [], [], []
        return {
            "APIFY_IS_AT_HOME": "1",
            "APIFY_TOKEN": "no-real-token",
            "APIFY_API_BASE_URL": self.url,
            "APIFY_API_PUBLIC_BASE_URL": self.url,
            "ACTOR_DEFAULT_KEY_VALUE_STORE_ID": KEY_VALUES,
            "ACTOR_DEFAULT_DATASET_ID": DATASET,
            "ACTOR_RUN_ID": RUN,
            "ACTOR_ID": "theActor",
        }

    def output(self) -> dict[str, Any]:
        """The OUTPUT of the run; empty when it set none."""
        return json.loads(self.stores[KEY_VALUES].get("OUTPUT", (_JSON, b"{}"))[1])

    def counts(self) -> Counter[str]:
        """How many calls came in, by method and kind."""
        return Counter(f"{call.method} {call.kind}" for call in self.calls)

    def answer(self, call: Call) -> Answer:
        """Status, content type and body of the answer."""
        with self.lock:
            self.calls.append(call)
            for fault in self.faults:
                if fault.hits(call):
                    return _refuse(fault.status, "injected-fault")
            if len(self.calls) > _MOST_CALLS or len(call.body) > _BODY_BYTES:
                return _refuse(413, "request-too-large")
            if call.kind in {"key-value-store", "keys", "record"} and call.store not in self.stores:
                return _refuse(404, "record-not-found")
            if call.kind == "record":
                return self._record(call)
            respond = self._responses().get(f"{call.method} {call.kind}")
            return _ok(respond(call)) if respond else _refuse(404, "record-not-found")

    def _record(self, call: Call) -> Answer:
        records = self.stores[call.store]
        if call.method == "PUT":
            records[call.key] = (call.content_type, call.body)
            return _ok({})
        if call.method == "DELETE":
            records.pop(call.key, None)
            return 204, _JSON, b""
        return (200, *records[call.key]) if call.key in records else _refuse(404, "record-not-found")

    def _responses(self) -> dict[str, Callable[[Call], dict[str, Any]]]:
        return {
            "POST key-value-stores": self._open,
            "GET key-value-stores": self._list,
            "GET key-value-store": lambda call: _storage(call.store),
            "GET keys": self._keys,
            "GET dataset": lambda call: _storage(call.store) | {"itemCount": 0, "cleanItemCount": 0},
            "POST items": self._push,
            "GET actor-run": lambda _: self.run,
            "PUT actor-run": self._update_run,
            "POST charge": self._charge,
            "GET user": lambda _: {"id": "theUser", "username": "somebody"},
        }

    def _open(self, call: Call) -> dict[str, Any]:
        store = self.names.setdefault(call.query["name"], f"store{len(self.names)}")
        self.stores.setdefault(store, {})
        return _storage(store) | {"name": call.query["name"]}

    def _list(self, call: Call) -> dict[str, Any]:
        limit = min(int(call.query.get("limit", _PAGE)), _PAGE)
        items = [_storage(store) | {"name": name} for name, store in [*self.names.items()][::-1]]
        page = {"total": len(items), "offset": 0, "limit": limit, "desc": True, "count": len(items[:limit])}
        return page | {"items": items[:limit]}

    def _keys(self, call: Call) -> dict[str, Any]:
        limit = min(int(call.query.get("limit", _PAGE)), _PAGE)
        start, prefix = call.query.get("exclusiveStartKey", ""), call.query.get("prefix", "")
        left = sorted(key for key in self.stores[call.store] if key > start and key.startswith(prefix))
        page, more = left[:limit], len(left) > limit
        return {
            "items": [{"key": key, "size": 1, "recordPublicUrl": f"{self.url}/records"} for key in page],
            "count": len(page),
            "limit": limit,
            "isTruncated": more,
            "nextExclusiveStartKey": page[-1] if more else None,
        }

    def _push(self, call: Call) -> dict[str, Any]:
        pushed: Any = call.json()
        self.rows += pushed if isinstance(pushed, list) else [pushed]
        return {}

    def _update_run(self, call: Call) -> dict[str, Any]:
        self.run |= call.json()
        return self.run

    def _charge(self, call: Call) -> dict[str, Any]:
        self.charges.append(call.json())
        return {}


def _ok(data: dict[str, Any]) -> Answer:
    return 200, _JSON, json.dumps({"data": data}).encode()


def _refuse(status: int, error_type: str) -> Answer:
    return status, _JSON, json.dumps({"error": {"type": error_type, "message": f"Answered {status}."}}).encode()


def _storage(store: str) -> dict[str, Any]:
    times = dict.fromkeys(("createdAt", "modifiedAt", "accessedAt"), _AT)
    return {"id": store, "name": None, "userId": "theUser", "consoleUrl": "https://console.example.com/", **times}


@contextmanager
def emulated_platform() -> Generator[Platform]:
    """The platform on a free port of 127.0.0.1, until the block ends."""
    held = Platform()

    class Handler(_Handler):
        platform = held

    with _Server(("127.0.0.1", 0), Handler) as server:
        held.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield held
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless the client was killed in the middle of a request."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    platform: ClassVar[Platform]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30

    def _serve(self) -> None:
        url = urlsplit(self.path)
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), 2 * _BODY_BYTES))
        if self.headers.get("Content-Encoding") == "br":
            body = bytes(brotli.decompress(body))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        content_type = self.headers.get("Content-Type") or _JSON
        call = Call(self.command, *_route(url.path), query, content_type, body)
        status, content_type, value = self.platform.answer(call)
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(value)))
        self.end_headers()
        self.wfile.write(value)

    do_GET = do_PUT = do_POST = do_DELETE = _serve  # noqa: N815  # the names that http.server looks for

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: `Platform.calls` is the log."""


def _route(path: str) -> tuple[str, str, str]:
    """Kind, store and key of a path /v2/<collection>[/<id>[/<what>[/<key>]]]."""
    collection, identity, what, key = [*(unquote(part) for part in path.split("/")[2:]), "", "", "", ""][:4]
    kind = "record" if key else what or (collection.removesuffix("s") if identity else collection)
    return kind, identity, key

"""The part of Apify's API that one run uses, over real HTTP on the loopback address and in memory.

Strict where the platform is: 404 with a typed error, 413 over its limit, pages of 1,000 keys, brotli bodies.
"""

import json
import threading
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs, unquote, urlsplit

import brotli  # pyright: ignore[reportMissingTypeStubs]  # comes with apify and has no types
from typing_extensions import override

KEY_VALUE_STORE: Final = "defaultKeyValues"
DATASET: Final = "defaultDataset"
RUN: Final = "theRun"
_ACTOR: Final = "theActor"
_AT: Final = "2026-03-01T00:00:00.000Z"
_PAGE: Final = 1_000
_BODY_BYTES: Final = 9_437_184
_MOST_REQUESTS: Final = 20_000
_JSON: Final = "application/json; charset=utf-8"


@dataclass(frozen=True)
class Seen:
    """A request as it came in; `kind` is its path without names: stores, store, keys, record, items, run, charge ..."""

    method: str
    kind: str
    store: str
    key: str
    status: int


@dataclass
class Fault:
    """Answers `status` to the next `times` requests of this method, kind and store (None: any)."""

    status: int
    times: int
    method: str | None = None
    kind: str | None = None
    store: str | None = None

    def hits(self, method: str, kind: str, store: str) -> bool:
        """Whether this request fails; each hit counts."""
        wanted = ((self.method, method), (self.kind, kind), (self.store, store))
        if self.times <= 0 or any(want not in (None, got) for want, got in wanted):
            return False
        self.times -= 1
        return True


@dataclass
class Platform:
    """What the platform holds. Named stores outlive `start_run`, as they outlive a run."""

    url: str = ""
    stores: dict[str, dict[str, tuple[str, bytes]]] = field(default_factory=dict[str, dict[str, tuple[str, bytes]]])
    names: dict[str, str] = field(default_factory=dict[str, str])
    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    charges: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    run: dict[str, Any] = field(default_factory=dict[str, Any])
    messages: list[str] = field(default_factory=list[str])
    seen: list[Seen] = field(default_factory=list[Seen])
    faults: list[Fault] = field(default_factory=list[Fault])
    lock: threading.RLock = field(default_factory=threading.RLock)

    def start_run(self, payload: object) -> dict[str, str]:
        """Begin a run with this INPUT: what it is to find in its environment."""
        self.stores[KEY_VALUE_STORE] = {"INPUT": (_JSON, json.dumps(payload).encode())}
        self.run = _RUN_FIELDS | {"status": "RUNNING"}
        for log in (self.rows, self.charges, self.messages, self.seen):
            log.clear()
        return {
            "APIFY_IS_AT_HOME": "1",
            "APIFY_TOKEN": "no-real-token",
            "APIFY_API_BASE_URL": self.url,
            "APIFY_API_PUBLIC_BASE_URL": self.url,
            "ACTOR_DEFAULT_KEY_VALUE_STORE_ID": KEY_VALUE_STORE,
            "ACTOR_DEFAULT_DATASET_ID": DATASET,
            "ACTOR_RUN_ID": RUN,
            "ACTOR_ID": _ACTOR,
        }

    def output(self) -> dict[str, Any]:
        """The OUTPUT of the run; empty when it set none."""
        return json.loads(self.stores[KEY_VALUE_STORE].get("OUTPUT", (_JSON, b"{}"))[1])

    def counts(self) -> Counter[str]:
        """How many requests came in, by method and kind."""
        return Counter(f"{seen.method} {seen.kind}" for seen in self.seen)

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        """Status, content type and body of the answer to one request."""
        kind, store, key = _route(path)
        with self.lock:
            fault = next((fault for fault in self.faults if fault.hits(method, kind, store)), None)
            if fault is not None or len(self.seen) >= _MOST_REQUESTS:
                answer = _refusal(fault.status if fault else HTTPStatus.TOO_MANY_REQUESTS, "injected-fault")
            elif len(body) > _BODY_BYTES:
                answer = _refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "request-too-large")
            elif kind == "record":
                answer = self._record(method, store, key, query.get("contentType", _JSON), body)
            else:
                answer = self._resource(method, kind, store, query, body)
            self.seen.append(Seen(method, kind, store, key, answer[0]))
        return answer

    def _record(self, method: str, store: str, key: str, content_type: str, body: bytes) -> tuple[int, str, bytes]:
        records = self.stores.get(store)
        if records is None:
            return _refusal(HTTPStatus.NOT_FOUND, "record-not-found")
        if method == "PUT":
            records[key] = (content_type, body)
            return HTTPStatus.CREATED, _JSON, b"{}"
        if method == "DELETE":
            records.pop(key, None)
            return HTTPStatus.NO_CONTENT, _JSON, b""
        if key not in records:
            return _refusal(HTTPStatus.NOT_FOUND, "record-not-found")
        return HTTPStatus.OK, *records[key]

    def _resource(
        self, method: str, kind: str, store: str, query: dict[str, str], body: bytes
    ) -> tuple[int, str, bytes]:
        answers: dict[tuple[str, str], Callable[[str, dict[str, str], bytes], dict[str, Any]]] = {
            ("POST", "key-value-stores"): self._open,
            ("GET", "key-value-store"): lambda identity, *_: _storage(identity, None),
            ("GET", "keys"): self._keys,
            ("GET", "dataset"): self._dataset,
            ("POST", "items"): self._push,
            ("GET", "actor-run"): self._run,
            ("PUT", "actor-run"): self._run,
            ("POST", "charge"): self._charge,
            ("GET", "user"): lambda *_: {"id": "theUser", "username": "somebody"},
        }
        answer = answers.get((method, kind))
        if answer is None or (kind in {"key-value-store", "keys"} and store not in self.stores):
            return _refusal(HTTPStatus.NOT_FOUND, "record-not-found")
        return HTTPStatus.OK, _JSON, json.dumps({"data": answer(store, query, body)}).encode()

    def _open(self, _: str, query: dict[str, str], __: bytes) -> dict[str, Any]:
        identity = self.names.setdefault(query["name"], f"store{len(self.names)}")
        self.stores.setdefault(identity, {})
        return _storage(identity, query["name"])

    def _dataset(self, store: str, _: dict[str, str], __: bytes) -> dict[str, Any]:
        return _storage(store, None) | {"itemCount": len(self.rows), "cleanItemCount": len(self.rows)}

    def _push(self, _: str, __: dict[str, str], body: bytes) -> dict[str, Any]:
        pushed: Any = json.loads(body)
        self.rows += pushed if isinstance(pushed, list) else [pushed]
        return {}

    def _run(self, _: str, __: dict[str, str], body: bytes) -> dict[str, Any]:
        change: dict[str, Any] = json.loads(body or b"{}")
        self.run |= change
        self.messages += [change["statusMessage"]] if "statusMessage" in change else []
        return self.run

    def _charge(self, _: str, __: dict[str, str], body: bytes) -> dict[str, Any]:
        self.charges.append(json.loads(body))
        return {}

    def _keys(self, store: str, query: dict[str, str], _: bytes) -> dict[str, Any]:
        limit, start = min(int(query.get("limit", _PAGE)), _PAGE), query.get("exclusiveStartKey", "")
        left = sorted(k for k in self.stores[store] if k > start and k.startswith(query.get("prefix", "")))
        page = left[:limit]
        return {
            "items": [
                {"key": k, "size": len(self.stores[store][k][1]), "recordPublicUrl": f"{self.url}/public"} for k in page
            ],
            "count": len(page),
            "limit": limit,
            "exclusiveStartKey": start or None,
            "isTruncated": len(left) > limit,
            "nextExclusiveStartKey": page[-1] if len(left) > limit else None,
        }


@contextmanager
def emulated_platform() -> Generator[Platform]:
    """The platform on a free port of 127.0.0.1, until the block ends."""
    platform = Platform()

    class Handler(_Handler):
        held = platform

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        platform.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield platform
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    held: ClassVar[Platform]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30

    def _serve(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), 2 * _BODY_BYTES))
        if self.headers.get("Content-Encoding") == "br":
            body = bytes(brotli.decompress(body))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        query.setdefault("contentType", self.headers.get("Content-Type") or _JSON)
        status, content_type, value = self.held.answer(self.command, url.path, query, body)
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(value)))
        self.end_headers()
        self.wfile.write(value)

    do_GET = do_PUT = do_POST = do_DELETE = _serve  # noqa: N815  # the names that http.server looks for

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: `Platform.seen` is the log."""


def _route(path: str) -> tuple[str, str, str]:
    """Kind of path, store and record key of /v2/<collection>[/<id>[/<what>[/<key>]]]."""
    parts = [unquote(part) for part in path.strip("/").split("/")][1:]
    collection, identity, what, key = [*parts, "", "", "", ""][:4]
    kind = what.removesuffix("s") if what == "records" else what or (collection.removesuffix("s") if identity else "")
    return kind or collection, identity, key


def _refusal(status: int, error_type: str) -> tuple[int, str, bytes]:
    return status, _JSON, json.dumps({"error": {"type": error_type, "message": f"Answered {status}."}}).encode()


def _storage(identity: str, name: str | None) -> dict[str, Any]:
    return {"id": identity, "name": name, "createdAt": _AT, "modifiedAt": _AT, "accessedAt": _AT, "userId": "theUser"}


_RUN_FIELDS: Final[dict[str, Any]] = {
    "id": RUN,
    "actId": _ACTOR,
    "userId": "theUser",
    "startedAt": _AT,
    "meta": {"origin": "API"},
    "stats": {},
    "options": {"build": "latest", "timeoutSecs": 300, "memoryMbytes": 256, "diskMbytes": 512},
    "buildId": "theBuild",
    "buildNumber": "0.1.1",
    "defaultKeyValueStoreId": KEY_VALUE_STORE,
    "defaultDatasetId": DATASET,
    "defaultRequestQueueId": "defaultQueue",
}

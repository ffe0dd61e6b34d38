"""What the server says of itself: a start page, health, figures, the OpenAPI document and a page to read it on."""

import html
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from .answers import json_response
from .observed import Metrics
from .original import CALLS, PREFIX
from .routing import caller_of, route

OPENAPI: Final = "/v1/openapi.json"
OPEN_PATHS: Final = frozenset(("/", "/health", "/docs", OPENAPI, "/api/health", "/api/docs"))
"""What anybody may see: it says nothing of any store."""
_CSP: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}"
    "code,pre{font:14px/1.5 ui-monospace,monospace;background:#f3f4f6;border-radius:4px}code{padding:.1em .3em}"
    "pre{padding:.8rem;overflow:auto}h2{margin-top:2.5rem;border-top:1px solid #d9dde2;padding-top:1rem}"
    "@media(prefers-color-scheme:dark){body{background:#15181c;color:#e6e8eb}code,pre{background:#22262c}}"
)

Document = Callable[[], Mapping[str, Any]]


def page_routes(version: str, openapi: Document, metrics: Metrics) -> Iterator[BaseRoute]:
    """Their routes; `openapi` makes the document when it is first asked for."""

    async def start(_: Request) -> Response:
        return json_response({"name": "agent-memory", "version": version, "docs": "/docs", "openapi": OPENAPI})

    async def health(_: Request) -> Response:
        return json_response({"ok": True, "status": "ok", "version": version})

    async def figures(request: Request) -> Response:
        caller_of(request).require_everywhere("/metrics")
        return Response(metrics.expose(), headers={"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"})

    async def document(_: Request) -> Response:
        return json_response(openapi())

    async def docs(_: Request) -> Response:
        return _html(_page(openapi()))

    async def original_docs(_: Request) -> Response:
        return _html(_original_page(version))

    yield route("/", GET=start)
    yield route("/health", GET=health)
    yield route("/api/health", GET=health)
    yield route("/metrics", GET=figures)
    yield route(OPENAPI, GET=document)
    yield route("/docs", GET=docs)
    yield route("/api/docs", GET=original_docs)


def _html(parts: Iterable[str]) -> Response:
    return HTMLResponse("".join(parts), headers={"content-security-policy": _CSP})


def _head(title: str, version: str) -> Iterable[str]:
    yield f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title>"
    yield f"<meta name=viewport content='width=device-width'><style>{_STYLE}</style>"
    yield f"<h1>{html.escape(title)} {html.escape(version)}</h1>"


def _original_page(version: str) -> Iterable[str]:
    """The routes of the original service, for a person."""
    yield from _head("Agent Memory, routes of the original service", version)
    yield "<p>A userId names a memory store. Errors are {error: text}. New programs do better with <a href='/docs'>"
    yield "/v1</a>.</p>"
    for call in CALLS:
        yield f"<h2><code>{call.method} {html.escape(PREFIX + call.path)}</code></h2>"
        yield f"<p>As the action {call.action}."
        yield f" Fields: {', '.join(f'<code>{name}</code>' for name in call.fields)}.</p>" if call.fields else "</p>"


def _page(document: Mapping[str, Any]) -> Iterable[str]:
    """`document` for a person: plain HTML, no script, nothing from elsewhere."""
    info = document["info"]
    yield from _head(info["title"], info["version"])
    yield f"<p>{html.escape(info['description'])}</p>"
    yield f"<p>As a document for programs: <a href='{OPENAPI}'>{OPENAPI}</a></p>"
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"<h2><code>{method.upper()} {html.escape(path)}</code></h2>"
            yield f"<p>{html.escape(operation['summary'])}</p>"
            yield from _fields(operation, document)
            yield from _example(operation)


def _fields(operation: Mapping[str, Any], document: Mapping[str, Any]) -> Iterable[str]:
    schema = _json(operation.get("requestBody", {})).get("schema", {})
    needed = schema.get("required", ())
    if not schema.get("properties"):
        return
    yield "<ul>"
    schemas = document["components"]["schemas"]
    for name, reference in schema["properties"].items():
        field = schemas[reference["$ref"].rpartition("/")[2]]
        required = " (required)" if name in needed else ""
        yield f"<li><code>{html.escape(name)}</code>{required}: {html.escape(field.get('description', ''))}</li>"
    yield "</ul>"


def _example(operation: Mapping[str, Any]) -> Iterable[str]:
    import json

    example = _json(operation.get("requestBody", {})).get("example")
    if example is not None:
        yield f"<pre>{html.escape(json.dumps(example, indent=2, ensure_ascii=False))}</pre>"


def _json(part: Mapping[str, Any]) -> Mapping[str, Any]:
    return part.get("content", {}).get("application/json", {})

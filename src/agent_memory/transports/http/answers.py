"""What goes back over HTTP: bodies as JSON, errors by the one table of codes."""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response

from ...errors import MemoryServiceError
from ...text.render import visible
from ..wire import INTERNAL, STATUS, error_body, internal_body

ORIGINAL: Final = "/api/"
"""Below this path answers have the shape of the original service."""
_PATIENCE_S: Final = 2
_UNAVAILABLE: Final = 503
_CLOSING: Final = frozenset(("too_large", "request_timeout", "unsupported_media_type", "unauthenticated", "forbidden"))


def json_response(body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """`body` as JSON. Half a surrogate pair, which an old memory may hold, becomes the escape that JSON has for it."""
    try:
        data = to_json(body, inf_nan_mode="null")
    except PydanticSerializationError:  # what takes a fifth of the time knows no such escape
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        data = text.encode("utf-8", "backslashreplace")
    return Response(data, status, {"cache-control": "no-store", **(headers or {})}, media_type="application/json")


def refusal(path: str, action: str | None, error: MemoryServiceError) -> Response:
    """The answer to a request at `path` that asked for `action` and met `error`."""
    status = STATUS[error.code]
    headers: dict[str, str] = {}
    if status == _UNAVAILABLE:
        headers["retry-after"] = str(_PATIENCE_S)
    if "retryAfter" in error.details:
        headers["retry-after"] = str(error.details["retryAfter"])
    if error.code == "unauthenticated":
        headers["www-authenticate"] = 'Bearer realm="agent-memory"'
    if "allow" in error.details:
        headers["allow"] = error.details["allow"]
    if error.code in _CLOSING:
        headers["connection"] = "close"  # a body may be on its way that nobody is going to read
    body = {"error": visible(error.message)} if path.startswith(ORIGINAL) else error_body(action, error)
    return json_response(body, status, headers)


def bug(path: str, action: str | None) -> Response:
    """The answer when something went wrong that should not."""
    body = internal_body(action)
    return json_response({"error": body["error"]["message"]} if path.startswith(ORIGINAL) else body, STATUS[INTERNAL])

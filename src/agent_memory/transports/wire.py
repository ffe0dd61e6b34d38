"""The one error table: from an error to what a caller reads."""

from typing import Any, Final

from ..errors import MemoryServiceError
from ..text.render import visible

INTERNAL: Final = "internal"
STATUS: Final = {
    "invalid_request": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "conflict": 409,
    "too_large": 413,
    "unsupported_media_type": 415,
    "secret_refused": 422,
    "rate_limited": 429,
    INTERNAL: 500,
    "storage_unavailable": 503,
    "incomplete": 503,
}
"""The HTTP status of each error code."""


def error_body(action: str | None, error: MemoryServiceError) -> dict[str, Any]:
    """The body of a failure that the caller can mend."""
    details = dict(error.details)
    message = visible(error.message)
    return {
        "ok": False,
        "action": action and visible(action),
        "error": {"code": error.code, "message": message, "details": details},
    }


def internal_body(action: str | None) -> dict[str, Any]:
    """The body of a bug: no details leave the log."""
    message = (
        "Something unexpected went wrong on our side; the log says more. If it stays, report it with the field names."
    )
    return {"ok": False, "action": action, "error": {"code": INTERNAL, "message": message, "details": {}}}

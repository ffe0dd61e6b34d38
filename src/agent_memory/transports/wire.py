"""The one error table: from an error to what a caller reads."""

from typing import Any

from ..errors import MemoryServiceError
from ..text.render import visible


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
    return {"ok": False, "action": action, "error": {"code": "internal", "message": message, "details": {}}}

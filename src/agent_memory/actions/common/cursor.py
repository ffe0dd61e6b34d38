"""The cursor of a paged answer: opaque, bound to the request and to the state of the store it was read at."""

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from ...errors import InvalidRequestError


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the next page begins, and the instant at which the first one was read."""

    at: str
    offset: int


def _asked(request: BaseModel) -> str:
    """What a cursor is bound to: the whole request but its cursor and page size."""
    given = request.model_dump(mode="json", exclude={"search_options": {"cursor", "limit"}, "max_results": True})
    return hashlib.sha256(json.dumps([type(request).__name__, given], sort_keys=True).encode()).hexdigest()[:16]


def write_cursor(request: BaseModel, at: str, offset: int) -> str:
    """The opaque text that `read_cursor` understands, bound to `request`."""
    return base64.urlsafe_b64encode(json.dumps([_asked(request), at, offset]).encode()).decode()


def read_cursor(cursor: str | None, request: BaseModel) -> Cursor | None:
    """What `cursor` says; None for the first page.

    Raises:
        InvalidRequestError: it is no cursor, or one of another request.
    """
    if cursor is None:
        return None
    field: Literal["searchOptions.cursor"] = "searchOptions.cursor"
    try:
        asked, at, offset = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        page = Cursor(str(at), int(offset))
    except (binascii.Error, ValueError, TypeError):
        message = (
            f"{field} is no cursor of ours. Give the nextCursor of the page before, or leave it out for the first page."
        )
        raise InvalidRequestError(message, field=field) from None
    if asked != _asked(request):
        message = (
            f"{field} belongs to another request. Ask with the same fields as for the page before, or leave it out."
        )
        raise InvalidRequestError(message, field=field)
    return page

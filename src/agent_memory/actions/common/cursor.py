"""The cursor of a paged answer: opaque, bound to the request and to the state of the store it was read at."""

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from ...errors import InvalidRequestError
from ...models import instant


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the next page begins, when the first one was read, and whether it showed what had faded."""

    at: str
    offset: int
    faded: bool


def _asked(request: BaseModel) -> str:
    """What a cursor is bound to: the whole request but its cursor and page size."""
    given = request.model_dump(mode="json", exclude={"search_options": {"cursor", "limit"}, "max_results": True})
    return hashlib.sha256(json.dumps([type(request).__name__, given], sort_keys=True).encode()).hexdigest()[:16]


def write_cursor(request: BaseModel, page: Cursor) -> str:
    """The opaque text that `read_cursor` understands, bound to `request`."""
    return base64.urlsafe_b64encode(json.dumps([_asked(request), page.at, page.offset, page.faded]).encode()).decode()


def read_cursor(cursor: str | None, request: BaseModel) -> Cursor | None:
    """What `cursor` says; None for the first page.

    Raises:
        InvalidRequestError: it is no cursor, or one of another request.
    """
    if cursor is None:
        return None
    field: Literal["searchOptions.cursor"] = "searchOptions.cursor"
    try:
        asked, at, offset, faded = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        page = Cursor(instant.parse(at), int(offset), faded is True)
        if page.offset < 0:
            raise ValueError
    except (binascii.Error, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
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

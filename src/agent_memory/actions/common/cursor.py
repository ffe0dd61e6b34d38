"""The cursor of a paged answer: opaque, bound to the request and to the state of the store it was read at."""

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel

from ...errors import InvalidRequestError
from ...models import instant


class Identified(Protocol):
    """Something about one memory."""

    @property
    def id(self) -> str:
        """Which memory."""
        ...


@dataclass(frozen=True, slots=True)
class Cursor:
    """When the first page was read, and where the next one begins.

    That is behind the memory `after`, wherever it stands by then, or at `offset` when it is gone.
    """

    at: str
    offset: int = 0
    after: str = ""

    def fits(self, found: Sequence[Identified]) -> bool:
        """Whether the memory `after` stands in `found` where it stood when the page before was written."""
        return not self.after or (0 < self.offset <= len(found) and found[self.offset - 1].id == self.after)


def _asked(request: BaseModel) -> str:
    """What a cursor is bound to: the whole request but its cursor and page size."""
    given = request.model_dump(mode="json", exclude={"search_options": {"cursor", "limit"}, "max_results": True})
    return hashlib.sha256(json.dumps([type(request).__name__, given], sort_keys=True).encode()).hexdigest()[:16]


def write_cursor(request: BaseModel, page: Cursor) -> str:
    """The opaque text that `read_cursor` understands, bound to `request`."""
    return base64.urlsafe_b64encode(json.dumps([_asked(request), page.at, page.offset, page.after]).encode()).decode()


def read_cursor(cursor: str | None, request: BaseModel) -> Cursor | None:
    """What `cursor` says; None for the first page.

    Raises:
        InvalidRequestError: it is no cursor, or one of another request.
    """
    if cursor is None:
        return None
    field: Literal["searchOptions.cursor"] = "searchOptions.cursor"
    try:
        asked, at, offset, after = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        page = Cursor(instant.parse(at), _place(offset), str(after))
    except (binascii.Error, ValueError, TypeError, AttributeError, RecursionError):
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


def _place(offset: object) -> int:
    if isinstance(offset, int) and offset >= 0:
        return offset
    raise ValueError(offset)

"""Every failure that a caller can do something about.

MemoryServiceError
├── InvalidRequestError      invalid_request      a field, date, cursor or JSON is wrong
├── NotFoundError            not_found            no such memory, document or action
├── ForbiddenError           forbidden            the caller may not do this
├── ConflictError            conflict             the store already holds something else under that key
├── TooLargeError            too_large            over a stated limit
├── StorageUnavailableError  storage_unavailable  the storage did not answer; try again
└── IncompleteError          incomplete           a part of the store could not be read; try again

A bug is none of these: it propagates to the outermost edge of a transport and becomes `internal` there.
"""

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping


class MemoryServiceError(Exception):
    """A failure with a stable `code`, a `message` for the person who must act, and `details` for a program.

    `brief` is the message without anything that was given: for logs and status lines, which hold no memories.
    """

    code: ClassVar[str]

    def __init__(self, message: str, *, brief: str | None = None, **details: Any) -> None:
        """Say what came, what is allowed and what to do, in `message`; `details` must be JSON values."""
        super().__init__(message)
        self.message = message
        self.brief = brief or message
        self.details: Mapping[str, Any] = details


class InvalidRequestError(MemoryServiceError):
    """A field, a date, a cursor or the JSON itself is wrong."""

    code = "invalid_request"


class NotFoundError(MemoryServiceError):
    """No such memory (forgotten ones included), document or action."""

    code = "not_found"


class ForbiddenError(MemoryServiceError):
    """The caller may not do this."""

    code = "forbidden"


class ConflictError(MemoryServiceError):
    """The store already holds something else under the given key."""

    code = "conflict"


class TooLargeError(MemoryServiceError):
    """Something is over a stated limit."""

    code = "too_large"


class StorageUnavailableError(MemoryServiceError):
    """The storage did not answer, or refused for want of space or rights; nothing was acknowledged."""

    code = "storage_unavailable"


class IncompleteError(MemoryServiceError):
    """A part of the store could not be read, so any answer would be shorter than the truth."""

    code = "incomplete"

"""Every failure that a caller can do something about.

MemoryServiceError
├── InvalidRequestError      invalid_request      a field, date, cursor or JSON is wrong
├── NotFoundError            not_found            no such memory, document or action
├── ConflictError            conflict             the store already holds something else under that key
├── TooLargeError            too_large            a request or an answer takes too many bytes
├── SecretRefusedError       secret_refused       something to be stored looks like a secret
├── StorageUnavailableError  storage_unavailable  the storage did not answer; try again
├── IncompleteError          incomplete           a part of the store could not be read; try again
│   and what only a server refuses, since it is about the caller or the request, not about memories:
├── UnauthenticatedError     unauthenticated      no token came, or one that is not known
├── ForbiddenError           forbidden            the caller, the Host or the Origin may not do this
├── MethodNotAllowedError    method_not_allowed   the path is there, the HTTP method is not
├── RequestTimeoutError      request_timeout      the request did not arrive in time
├── UnsupportedMediaError    unsupported_media_type  the body is something else than plain JSON
└── RateLimitedError         rate_limited         too many requests; try again later

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


class ConflictError(MemoryServiceError):
    """The store already holds something else under the given key."""

    code = "conflict"


class TooLargeError(MemoryServiceError):
    """Something is over a stated limit."""

    code = "too_large"


class SecretRefusedError(MemoryServiceError):
    """Something that was to be stored looks like a secret; `details` has its kind and field, never the value."""

    code = "secret_refused"


class StorageUnavailableError(MemoryServiceError):
    """The storage did not answer, or refused for want of space or rights; nothing was acknowledged."""

    code = "storage_unavailable"


class IncompleteError(MemoryServiceError):
    """A part of the store could not be read, so any answer would be shorter than the truth."""

    code = "incomplete"


class UnauthenticatedError(MemoryServiceError):
    """No token came, or one that is not known."""

    code = "unauthenticated"


class ForbiddenError(MemoryServiceError):
    """The caller does not reach this store or action, or the Host or Origin is not ours."""

    code = "forbidden"


class MethodNotAllowedError(MemoryServiceError):
    """The path is there, the HTTP method is not."""

    code = "method_not_allowed"


class RequestTimeoutError(MemoryServiceError):
    """The request did not arrive in time."""

    code = "request_timeout"


class UnsupportedMediaError(MemoryServiceError):
    """The body is something else than plain JSON."""

    code = "unsupported_media_type"


class RateLimitedError(MemoryServiceError):
    """Too many requests; `details` has retryAfter, in seconds."""

    code = "rate_limited"

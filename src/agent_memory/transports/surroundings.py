"""The clock and the ids of a running process."""

import uuid
from datetime import UTC, datetime


def clock() -> datetime:
    """The present instant."""
    return datetime.now(UTC)


def new_id() -> str:
    """32 random hexadecimal digits."""
    return uuid.uuid4().hex

"""The ids that a request names, and those that follow from what it names."""

import uuid
from typing import Final

from ...errors import InvalidRequestError

_NAMESPACE: Final = uuid.UUID("6f1d3c0a-8a51-4d9e-9d51-0c9b1d1f7a10")


def keyed_id(store_id: str, key: str) -> str:
    """The id that a retry with the same `key` in the same store makes again."""
    return str(uuid.uuid5(_NAMESPACE, f"{store_id}\n{key}"))


def wanted_ids(memory_id: str | None, memory_ids: list[str] | None, document_id: str | None = None) -> list[str]:
    """All three fields together, each id once.

    Raises:
        InvalidRequestError: none was given.
    """
    given = (memory_id, *(memory_ids or ()), document_id)
    ids = list(dict.fromkeys(i for i in given if i))
    if not ids:
        message = "memoryId or memoryIds is required: the ids that remember, search or recall answered."
        raise InvalidRequestError(message, field="memoryId")
    return ids

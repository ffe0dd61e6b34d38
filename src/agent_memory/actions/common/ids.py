"""The ids that a request names."""

from ...errors import InvalidRequestError


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

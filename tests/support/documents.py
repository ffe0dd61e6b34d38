"""Made-up documents for the tests of ranking."""

from typing import Any, Final

from agent_memory.ranking.document import Document

NOW: Final = "2026-03-01T00:00:00.000Z"
_DEFAULTS: Final[dict[str, Any]] = {
    "title": "",
    "tags": (),
    "url": None,
    "site": None,
    "memory_type": "general",
    "project_id": None,
    "session_id": None,
    "speaker": None,
    "updated_at": "2026-02-01T00:00:00.000Z",
    "created_at": "2026-02-01T00:00:00.000Z",
    "confidence": 0.8,
    "importance": 0.5,
    "retained": 0.8,
}


def document(identity: str, content: str, **given: Any) -> Document:
    """A document of which only what a test is about needs to be given."""
    fields: dict[str, Any] = {**_DEFAULTS, **given}
    return Document(id=identity, content=content, **fields)


def documents(*contents: str) -> list[Document]:
    """Documents `m0`, `m1`, ... of these contents."""
    return [document(f"m{place}", content) for place, content in enumerate(contents)]

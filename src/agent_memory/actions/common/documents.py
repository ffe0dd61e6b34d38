"""Memories as ranking sees them."""

from typing import Final

from ...models.memory import Memory
from ...ranking.document import Document
from ...store.resolve import Head

_SPEAKER_LENGTH: Final = 40


def to_document(head: Head, kept: float) -> Document:
    """The memory of `head`, of whose confidence decay has left `kept`."""
    memory = head.memory
    return Document(
        id=memory.id,
        content=memory.content,
        title=memory.title,
        tags=memory.tags,
        url=memory.url,
        site=memory.site,
        memory_type=memory.memory_type.value,
        project_id=memory.project_id,
        session_id=memory.session_id,
        speaker=_speaker(memory),
        updated_at=memory.updated_at,
        created_at=memory.created_at,
        confidence=memory.confidence,
        importance=memory.importance,
        retained=kept,
        order=(head.origin.at, head.origin.index),
    )


def _speaker(memory: Memory) -> str | None:
    """metadata.speaker, else a leading `Name:`, unless it leads a later line as well: then the text is a talk."""
    given = memory.metadata.get("speaker")
    if isinstance(given, str) and given.strip():
        return given.strip()
    first, *others = memory.content.split("\n")
    name = _leading_name(first)
    return None if name is None or name in map(_leading_name, others) else name


def _leading_name(line: str) -> str | None:
    name, colon, _ = line[: _SPEAKER_LENGTH + 1].partition(":")
    words = name.split(" ")
    capital = len(words) == 1 or not any(word[:1].islower() for word in words)  # else `class Pool : Base`
    return name if colon and capital and all(map(str.isalpha, words)) else None

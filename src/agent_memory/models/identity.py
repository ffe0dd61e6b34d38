"""When two memories are the same memory."""

import hashlib
import json
import re
import unicodedata
import uuid
from typing import Final

from .memory import Memory

_NAMESPACE: Final = uuid.UUID("6f1d3c0a-8a51-4d9e-9d51-0c9b1d1f7a10")
_FENCE = re.compile(r"(^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z))", re.MULTILINE | re.DOTALL)
_SPACE = re.compile(r"\s+")


def fold(text: str) -> str:
    """`text` in NFC, its ends trimmed, runs of space made one outside fenced code."""
    pieces = _FENCE.split(unicodedata.normalize("NFC", text)) if "```" in text or "~~~" in text else [text]
    if len(pieces) == 1:
        return " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(piece if place % 2 else _SPACE.sub(" ", piece) for place, piece in enumerate(pieces)).strip()


def keyed_id(store_id: str, idempotency_key: str) -> str:
    """The id of the memory that is made under an idempotency key; it does not tell the key."""
    return str(uuid.uuid5(_NAMESPACE, f"{store_id}\n{idempotency_key}"))


def approval_digest(memory: Memory) -> str:
    """The SHA-256, in hexadecimal, of what a person approves: every character of the text, and `dedupe_digest`.

    In full, since whoever writes a text could look for two that share a part of it.
    """
    text = json.dumps([dedupe_digest(memory), memory.content], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def dedupe_digest(memory: Memory) -> str:
    """16 hexadecimal digits that two active memories share exactly when one is a duplicate of the other.

    Same scope, projectId, sessionId, url, memoryType and folded text. A chunk also needs the same document and place,
    since a document may repeat a passage.
    """
    part = memory.part
    identity = [
        memory.project_id,
        memory.session_id,
        memory.url,
        memory.memory_type.value,
        fold(memory.content),
        None if part is None else [part.document_id, part.index],
        *([] if memory.scope is None else [memory.scope.value]),
    ]
    text = json.dumps(identity, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

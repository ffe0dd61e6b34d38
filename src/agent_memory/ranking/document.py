"""What ranking needs to know of one memory."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One memory as ranking sees it. Instants are UTC texts ending in `Z`; the four weights lie in 0-1.

    `retained` is the confidence that is left after decay. `url` is expected as the store normalises it.
    `order` tells apart memories of one session that were created at the same instant: when they were
    committed, and their place in that commit.
    """

    id: str
    content: str
    title: str
    tags: tuple[str, ...]
    url: str | None
    site: str | None
    memory_type: str
    project_id: str | None
    session_id: str | None
    speaker: str | None
    updated_at: str
    created_at: str
    confidence: float
    importance: float
    retained: float
    order: tuple[str, int] = ("", 0)

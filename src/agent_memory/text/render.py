from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    title: str
    memory_type: str
    source: str
    trust: str
    age_days: float
    updated_at: str
    url: str | None
    tags: tuple[str, ...]
    content: str


def visible(text: str) -> str:
    return text


def open_fence(nonce: str, query: str | None = None) -> str:
    return nonce


def close_fence(nonce: str) -> str:
    return nonce


def render_entry(entry: Entry, number: int, nonce: str) -> str:
    return entry.content

from collections.abc import Sequence
from dataclasses import dataclass

from .render import Entry


@dataclass(frozen=True, slots=True)
class Drop:
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pack:
    markdown: str
    used: tuple[str, ...]
    dropped: tuple[Drop, ...]
    tokens: int
    next_budget: int | None


def pack(
    entries: Sequence[Entry],
    max_tokens: int,
    nonce: str,
    heading: str,
    empty_reason: str = "Nothing matched.",
    query: str | None = None,
) -> Pack:
    raise NotImplementedError

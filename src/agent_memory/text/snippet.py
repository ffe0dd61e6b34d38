from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str
    truncated: bool


def cut(content: str, length: int, needles: Sequence[str]) -> Snippet:
    return Snippet(content[:length], len(content) > length)

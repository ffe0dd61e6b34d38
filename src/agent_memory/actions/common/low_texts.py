"""Texts of low trust, recognised when they are written down again; kept up to date with a warm store."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from ...lifecycle.scope import Reach
from ...models.identity import fold
from ...models.memory import Memory
from ...models.vocabulary import Source, State, Trust
from ...safety.provenance import lowered
from ...store.derived import Recipe
from ...store.snapshot import Snapshot
from ..objects import MemoryItem
from .reach import proposed

_PASSAGE: Final = 24
"""Characters from which on a text that stands in a page counts as taken from it."""


@dataclass(slots=True)
class LowTexts:
    """Folded texts that memories have or had with low trust, forgotten ones too: by id, and ids by text and by url."""

    texts: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    urls: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    by_text: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    by_url: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def follow(self, snapshot: Snapshot, changed: Iterable[str]) -> None:
        """Take in what became of the `changed` ids."""
        for memory_id in changed:
            for text in self.texts.pop(memory_id, ()):
                self.by_text[text].discard(memory_id)
            for url in self.urls.pop(memory_id, ()):
                self.by_url[url].discard(memory_id)
            low = _low_states(memory_id, snapshot)
            if low:
                self.texts[memory_id] = frozenset(fold(memory.content) for memory in low)
                self.urls[memory_id] = frozenset(memory.url for memory in low if memory.url)
            for text in self.texts.get(memory_id, ()):
                self.by_text.setdefault(text, set()).add(memory_id)
            for url in self.urls.get(memory_id, ()):
                self.by_url.setdefault(url, set()).add(memory_id)

    def holding(self, text: str, url: str | None) -> Iterator[str]:
        """The ids of memories with this folded text; of those of the same url also where one text is in the other."""
        yield from sorted(self.by_text.get(text, ()))
        for memory_id in sorted(self.by_url.get(url or "", ())):
            if any(_overlap(text, other) for other in self.texts[memory_id]):
                yield memory_id


def claimed_low(items: Iterable[MemoryItem | None]) -> frozenset[str]:
    """The folded texts that some of `items` say came from a page or an import."""
    return frozenset(
        fold(item.content)
        for item in items
        if item and item.memory_details and item.memory_details.source in (Source.CRAWL, Source.IMPORT)
    )


def distrust(
    memory: Memory, snapshot: Snapshot, reach: Reach, warnings: list[str], beside: Collection[str] = ()
) -> Memory:
    """`memory` with low trust when a program repeats a text that came from a page or an import.

    That is a text that is stored or proposed so, archived, forgotten or replaced since, or a passage of the same url;
    or one of `beside`, folded texts that the same request calls so.
    """
    if memory.trust is not Trust.NORMAL:
        return memory
    text = fold(memory.content)
    if text in beside:
        warnings.append("This text comes with source crawl or import in the same request; it is trusted no more here.")
        return lowered(memory, [Trust.LOW])
    ids = (i for i in snapshot.derive(LOW_TEXTS).holding(text, memory.url) if i != memory.id)
    twin = next((head.memory for i in ids if (head := proposed(snapshot, i, reach))), None)
    if twin is None:
        return memory
    warnings.append(f"This text is stored as {twin.source} in memory {twin.id}; repeated, it is trusted no more.")
    return lowered(memory, [Trust.LOW])


def _low_states(memory_id: str, snapshot: Snapshot) -> list[Memory]:
    """What a memory was with low trust, and is; nothing once it was purged."""
    head = snapshot.heads.get(memory_id)
    if head is None or head.state is State.PURGED:
        return []
    states = (stored.revision.memory for stored in snapshot.revisions[memory_id])
    return [memory for memory in states if memory.trust is Trust.LOW]


def _overlap(text: str, other: str) -> bool:
    short, long = sorted((text, other), key=len)
    return len(short) >= _PASSAGE and short in long


def _build(snapshot: Snapshot) -> LowTexts:
    return _extend(LowTexts(), snapshot, frozenset(snapshot.heads))


def _extend(texts: LowTexts, snapshot: Snapshot, changed: frozenset[str]) -> LowTexts:
    texts.follow(snapshot, changed)
    return texts


LOW_TEXTS: Final = Recipe(_build, _extend)

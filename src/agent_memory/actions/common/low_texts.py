"""Texts of low trust, recognised when they are written down again; kept up to date with a warm store."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ...lifecycle.scope import Reach
from ...models.identity import fold
from ...models.memory import Memory
from ...models.vocabulary import Trust
from ...safety.provenance import lowered
from ...store.derived import Recipe
from ...store.snapshot import Snapshot
from .reach import find


@dataclass(slots=True)
class LowTexts:
    """Ids of memories of low trust by folded text, and the text of each id."""

    ids: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    texts: dict[str, str] = field(default_factory=dict[str, str])

    def follow(self, snapshot: Snapshot, changed: Iterable[str]) -> None:
        """Take in what became of the `changed` ids."""
        for memory_id in changed:
            if memory_id in self.texts:
                self.ids[self.texts.pop(memory_id)].discard(memory_id)
            head = snapshot.find(memory_id)
            if head is not None and head.memory.trust is Trust.LOW:
                text = self.texts[memory_id] = fold(head.memory.content)
                self.ids.setdefault(text, set()).add(memory_id)


def distrust(memory: Memory, snapshot: Snapshot, reach: Reach, warnings: list[str]) -> Memory:
    """`memory` with low trust when an agent repeats a text that is stored as crawled or imported."""
    if memory.trust is not Trust.NORMAL:
        return memory
    ids = snapshot.derive(LOW_TEXTS).ids.get(fold(memory.content), set())
    heads = [head for i in sorted(ids - {memory.id}) if (head := find(snapshot, i, reach)) is not None]
    if not heads:
        return memory
    twin = heads[0].memory
    warnings.append(f"This text is stored as {twin.source} in memory {twin.id}; repeated, it is trusted no more.")
    return lowered(memory, [Trust.LOW])


def _build(snapshot: Snapshot) -> LowTexts:
    return _extend(LowTexts(), snapshot, frozenset(snapshot.heads))


def _extend(texts: LowTexts, snapshot: Snapshot, changed: frozenset[str]) -> LowTexts:
    texts.follow(snapshot, changed)
    return texts


LOW_TEXTS: Final = Recipe(_build, _extend)

"""Texts of low trust, recognised when they are written down again."""

from ...lifecycle.scope import Reach
from ...models.identity import fold
from ...models.memory import Memory
from ...models.vocabulary import Trust
from ...safety.provenance import lowered
from ...store.snapshot import Snapshot


class LowTexts:
    """What a store holds of low trust and shows to a caller, looked up only when a text of an agent comes in."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Look at all that is not hidden."""
        self._heads = [head.memory for head in snapshot.heads.values() if not head.state.hidden]
        self._folded: dict[str, list[Memory]] | None = None

    def lower(self, memory: Memory, reach: Reach, warnings: list[str]) -> Memory:
        """`memory` with low trust when an agent repeats a text that is stored as crawled or imported."""
        if memory.trust is not Trust.NORMAL:
            return memory
        twins = self._by_text().get(fold(memory.content), ())
        twin = next((twin for twin in twins if twin.id != memory.id and reach.admits(twin)), None)
        if twin is None:
            return memory
        warnings.append(f"This text is stored as {twin.source} in memory {twin.id}; repeated, it is trusted no more.")
        return lowered(memory, [Trust.LOW])

    def _by_text(self) -> dict[str, list[Memory]]:
        if self._folded is None:
            self._folded = {}
            for memory in self._heads:
                if memory.trust is Trust.LOW:
                    self._folded.setdefault(fold(memory.content), []).append(memory)
        return self._folded

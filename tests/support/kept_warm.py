"""A world whose stores keep what is derived from their snapshots between requests, as in a server."""

from dataclasses import dataclass, field, replace

from agent_memory.store.derived import Lineage
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.snapshot import Snapshot
from support.world import STORE, World


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived(MemoryStore):
    """A store that reads everything each time, and says what has changed since the last time."""

    lineage: Lineage
    last: list[Snapshot]

    async def load(self, *, access: bool = True) -> Snapshot:
        snapshot = await MemoryStore.load(self, access=access)
        before, now = self.last[-1].heads if self.last else {}, snapshot.heads
        changed = frozenset(i for i in before.keys() | now.keys() if before.get(i) != now.get(i))
        number = self.lineage.advance(changed) if changed and self.last else self.lineage.newest
        self.last[:] = [replace(snapshot, lineage=self.lineage, number=number)]
        return self.last[0]


@dataclass
class WarmWorld(World):
    """As `World`, in one process that goes on living."""

    lives: dict[str, tuple[Lineage, list[Snapshot]]] = field(default_factory=dict[str, tuple[Lineage, list[Snapshot]]])

    def memory_store(self, store_id: str = STORE) -> MemoryStore:
        cold = World.memory_store(self, store_id)
        lineage, last = self.lives.setdefault(store_id, (Lineage(), []))
        return Lived(store_id=store_id, kv=cold.kv, now=cold.now, new_id=cold.new_id, lineage=lineage, last=last)

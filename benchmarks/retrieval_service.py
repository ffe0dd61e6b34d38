"""The service as a caller meets it, in one process: texts in through `remember`, questions through `search`."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from process import ROOT
from retrieval_sets import TestSet, Text

sys.path.append(str(ROOT / "tests"))  # where the in-process world is

from agent_memory.store.derived import Lineage
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.snapshot import Snapshot
from support.world import World

NOW: Final = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
_AT_ONCE: Final = 500


class _ReadOnce(MemoryStore):
    """A store that is kept warm, as a server keeps it; it notes no access and is not written meanwhile."""

    async def load(self, *, access: bool = True) -> Snapshot:
        del access
        held = _READ.get(self.store_id)
        if held is None:
            held = _READ[self.store_id] = replace(await super().load(), lineage=Lineage())
        return held

    async def touch(self, snapshot: Snapshot, memory_ids: Iterable[str]) -> list[str]:
        """Leave the access times alone: a question must not change what the next one finds."""
        del snapshot, memory_ids
        return []


_READ: Final[dict[str, Snapshot]] = {}


@dataclass
class _Reading(World):
    """A world whose stores, once `reading`, are read once."""

    reading: bool = False

    def memory_store(self, store_id: str = "") -> MemoryStore:
        store = super().memory_store(store_id)
        if not self.reading:
            return store
        return _ReadOnce(store_id=store_id, kv=store.kv, now=store.now, new_id=store.new_id)


@dataclass
class Service:
    """The memories of one set: a store a group. `ids` maps the set's ids to those of the memories."""

    world: _Reading = field(default_factory=lambda: _Reading(now=NOW))
    ids: dict[str, str] = field(default_factory=dict[str, str])
    texts: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    refused: dict[str, str] = field(default_factory=dict[str, str])

    async def fill(self, test_set: TestSet) -> None:
        """Remember all texts. What is the same text as one before is the same memory."""
        for group, texts in test_set.groups().items():
            waiting = iter(texts)
            while batch := list(islice(waiting, _AT_ONCE)):
                await self._remember(store_of(test_set, group), batch)
        self.world.reading = True
        for text, memory in self.ids.items():
            self.texts.setdefault(memory, []).append(text)

    async def ask(self, store: str, query: str, most: int, action: str = "search", **fields: Any) -> dict[str, Any]:
        """What `action` answers."""
        options = {"limit": most, "contentLength": 1} if action == "search" else {}
        body = await self.world.ask(action, memoryStoreId=store, query=query, searchOptions=options, **fields)
        if not body["ok"]:
            raise RuntimeError(body["error"]["message"])
        return body

    async def _remember(self, store: str, batch: Sequence[Text]) -> None:
        body = await self.world.ask("remember", memoryStoreId=store, memories=[text.item for text in batch])
        if "results" not in body:
            raise RuntimeError(body["error"]["message"])
        for text, result in zip(batch, body["results"], strict=True):
            if result["ok"]:
                self.ids[text.id] = result["memoryId"]
            else:
                self.refused[text.id] = result["error"]["message"]


def store_of(test_set: TestSet, group: str) -> str:
    """The memoryStoreId under which the texts of `group` are kept."""
    return f"{test_set.name}~{group or 'all'}"

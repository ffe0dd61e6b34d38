"""The stores that are tortured, and what is asked of them."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import pytest

from agent_memory.models.instant import to_text
from agent_memory.store import loading, upkeep
from agent_memory.store.codec import Stored
from agent_memory.store.resolve import label

from .loop import finish
from .steps import NOW, Ask, Calm, Ids, MakeStore, carry_out, our_store

CANARY: Final = "canary-4711"
"""Part of every text that `target` ever has, and of no other memory."""
PACK_FROM: Final = 5
KEY: Final = "the-key"
UPDATED: Final = to_text(NOW - timedelta(days=4.75))
"""After `target` of the old store was made and before it was updated; before that of any other store was made."""
FOLLOWERS: Final = ("forget", "purge", "update", "remember key", "tidy", "restore")
"""The names of the actions after which a late write lands."""


@dataclass(frozen=True)
class Scene:
    """A store with a few memories: `target` and `other` are active, `gone` is forgotten.

    `settled` are the memories that were written before the last two actions, `active` those that reads find, `review`
    is a proposal that waits.
    """

    name: str
    held: Mapping[str, bytes]
    committed: tuple[Stored, ...]
    target: str
    other: str
    gone: str
    settled: frozenset[str]
    active: frozenset[str]
    review: str = ""


@contextmanager
def packing_soon(pack_from: int = PACK_FROM) -> Generator[None]:
    """Pack at a few loose revisions, not at 64, so that a schedule has tens of steps and not hundreds.

    Meanwhile a line that was read before is not taken apart again: what it holds depends on its bytes alone.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upkeep, "PACK_FROM", pack_from)
        patch.setattr(loading, "decode", lru_cache(maxsize=50_000)(loading.decode))
        yield


class _Maker:
    """Carries out one action after another, each as a process of its own, on a day of its own."""

    def __init__(self, make_store: MakeStore) -> None:
        self.held: dict[str, bytes] = {}
        self.committed: list[Stored] = []
        self._make_store = make_store
        self._count = 0
        self._written: list[int] = []

    def ask(self, action: str, days_ago: float, **fields: Any) -> dict[str, Any]:
        self._count += 1
        ids = Ids(f"maker {self._count}", NOW - timedelta(days=days_ago))
        body = finish(carry_out(Ask("", action, fields), Calm(self.held), ids, self._make_store, self.committed))
        assert body["ok"], body
        self._written.append(len(self.committed))
        return body

    def remember(self, content: str, days_ago: float) -> str:
        return self.ask("remember", days_ago, content=content)["memory"]["id"]

    def scene(self, name: str, target: str, other: str, gone: str) -> Scene:
        settled = frozenset(stored.key.memory_id for stored in self.committed[: self._written[-3]])
        snapshot = finish(self._make_store(Calm(self.held), lambda: NOW, lambda: "").load())
        active = frozenset(head.memory.id for head in snapshot.active())
        held = MappingProxyType(self.held)
        return Scene(name, held, tuple(self.committed), target, other, gone, settled, active)


def young(make_store: MakeStore = our_store) -> Scene:
    """Four loose revisions: the next write is the fifth, and packs them."""
    maker = _Maker(make_store)
    target = maker.remember(f"Port 1 is open, says {CANARY}.", 0.2)
    other = maker.remember("Port 2 is open.", 0.15)
    gone = maker.remember("Port 3 is open.", 0.1)
    maker.ask("forget", 0.05, memoryId=gone)
    return maker.scene("young", target, other, gone)


def packed(make_store: MakeStore = our_store) -> Scene:
    """Five revisions that have just been packed: their segment is the newest key."""
    maker = _Maker(make_store)
    target = maker.remember(f"Port 1 is open, says {CANARY}.", 0.2)
    other = maker.remember("Port 2 is open.", 0.15)
    gone = maker.remember("Port 3 is open.", 0.1)
    maker.ask("forget", 0.05, memoryId=gone)
    maker.remember("Port 4 is open.", 0.02)
    return maker.scene("packed", target, other, gone)


def old(make_store: MakeStore = our_store) -> Scene:
    """Segments of a bulk write, of packing and of a merge, singles that they cover, and one loose: all can be swept."""
    maker = _Maker(make_store)
    texts = (f"Port 1 is open, says {CANARY}.", "Port 2 is open.")
    bulk = maker.ask("remember", 5, memories=[{"content": text} for text in texts])
    target, other = (result["memoryId"] for result in bulk["results"])
    gone = maker.remember("Port 3 is open.", 4.9)
    maker.ask("forget", 4.8, memoryId=gone)
    maker.ask("update", 4.7, memoryId=target, content=f"Port 1 is shut, says {CANARY}.")
    maker.remember("Port 4 is open.", 4.6)
    maker.remember("Port 5 is open.", 4.5)
    maker.ask("prune", 4.4)
    maker.remember("Port 6 is open.", 0.1)
    return maker.scene("old", target, other, gone)


def bulky(make_store: MakeStore = our_store) -> Scene:
    """An old segment of two bulk writes, both of which it replaces, and a forget beside it."""
    maker = _Maker(make_store)
    texts = (f"Port 1 is open, says {CANARY}.", "Port 2 is open.", "Port 3 is open.", "Port 4 is open.")
    bulk = maker.ask("remember", 3.5, memories=[{"content": text} for text in texts])
    target, other, gone, _ = (result["memoryId"] for result in bulk["results"])
    maker.ask("remember", 3, memories=[{"content": "Port 5 is open."}, {"content": "Port 6 is open."}])
    maker.ask("forget", 0.1, memoryId=gone)
    return maker.scene("bulky", target, other, gone)


def alone(make_store: MakeStore = our_store) -> Scene:
    """An old segment that nothing else repeats, and a forget beside it."""
    maker = _Maker(make_store)
    texts = (f"Port 1 is open, says {CANARY}.", "Port 2 is open.", "Port 3 is open.")
    bulk = maker.ask("remember", 3.5, memories=[{"content": text} for text in texts])
    target, other, gone = (result["memoryId"] for result in bulk["results"])
    maker.remember("Port 4 is open.", 0.2)
    maker.ask("forget", 0.1, memoryId=gone)
    return maker.scene("alone", target, other, gone)


def reviewed(make_store: MakeStore = our_store) -> Scene:
    """Four loose revisions, one of them a proposal."""
    maker = _Maker(make_store)
    target = maker.remember(f"Port 1 is open, says {CANARY}.", 0.2)
    gone = maker.remember("Port 3 is open.", 0.15)
    maker.ask("forget", 0.1, memoryId=gone)
    body = maker.ask("propose", 0.05, candidates=[{"content": "Port 1 is shut."}])
    scene = maker.scene("reviewed", target, target, gone)
    return replace(scene, review=body["results"][0]["reviewId"])


def grown(make_store: MakeStore = our_store) -> Scene:
    """63 loose revisions, to be packed at the real threshold."""
    maker = _Maker(make_store)
    target = maker.remember(f"Port 1 is open, says {CANARY}.", 0.5)
    other = maker.remember("Port 2 is open.", 0.4)
    gone = maker.remember("Port 3 is open.", 0.3)
    maker.ask("forget", 0.25, memoryId=gone)
    for n in range(59):
        maker.remember(f"Filler number {n}.", 0.2)
    return maker.scene("grown", target, other, gone)


def asks(scene: Scene) -> dict[str, Ask]:
    """Every action that is tortured, by name."""
    target, other, gone = scene.target, scene.other, scene.gone
    fade = {"enabled": True, "pruneThreshold": 0.85}
    made = [
        Ask("remember", "remember", {"content": "A port was closed."}),
        Ask("remember twin", "remember", {"content": "Port 2 is open.", "idempotencyKey": "twin-key"}),
        Ask("remember key", "remember", {"content": "Keyed text.", "idempotencyKey": KEY}),
        Ask("remember key other", "remember", {"content": "Other keyed text.", "idempotencyKey": KEY}),
        Ask(
            "bulk",
            "remember",
            {
                "memories": [
                    {"content": "Bulk 1."},
                    {"content": "Bulk 2."},
                    {"content": "Keyed text.", "idempotencyKey": KEY},
                ]
            },
        ),
        Ask("update", "update", {"memoryId": target, "content": f"Port 1 is busy, says {CANARY}."}),
        Ask("update tags", "update", {"memoryId": target, "memoryDetails": {"tags": [CANARY]}}),
        Ask("forget", "forget", {"memoryId": target}),
        Ask("forget many", "forget", {"memoryIds": [target, other]}),
        Ask("restore", "restore", {"memoryId": gone}),
        Ask("restore target", "restore", {"memoryId": target}),
        Ask("archive", "prune", {"decayConfig": fade}),
        Ask("tidy", "prune", {}),
        Ask("purge", "purge", {"memoryId": target, "confirm": f"DELETE {target}"}),
        Ask("purge gone", "purge", {"memoryId": gone, "confirm": f"DELETE {gone}"}),
        Ask("recall", "recall", {"maxResults": 100}, scene.active),
    ]
    return {ask.name: ask for ask in made}


def others(scene: Scene) -> dict[str, Ask]:
    """Every other action that asks the store, by name."""
    target, ports = scene.target, frozenset((scene.target, scene.other))
    made = [
        Ask("search", "search", {"query": "port open"}, ports),
        Ask("pack", "context_pack", {"query": "port open"}),
        Ask("brief", "brief"),
        Ask("approve", "approve", {"memoryId": target, "ifRevision": _revision(scene)}),
        Ask("get", "get", {"memoryId": target}, frozenset({target})),
        Ask("list", "list", {"maxResults": 100}, scene.active),
        Ask("history", "history", {"memoryId": target}),
        Ask("events", "events"),
        Ask("lifecycle", "lifecycle"),
        Ask("revert", "revert", {"memoryId": target, "changes": {"since": UPDATED}, "apply": True}),
        Ask("stats", "stats"),
        Ask("doctor", "doctor"),
        Ask("repair", "doctor", {"repair": True}),
        Ask("export", "export", {"status": "all"}),
        Ask("import", "import", {"sourceStore": "original"}),
    ]
    return {ask.name: ask for ask in made}


def _revision(scene: Scene) -> str:
    """The revision that `target` is at."""
    key = max((s.key for s in scene.committed if s.key.memory_id == scene.target), key=lambda key: key.number)
    return label(key.number, key.hash)


def review_asks(scene: Scene) -> dict[str, Ask]:
    """What is asked about reviews, by name."""
    review, target = scene.review, scene.target

    def resolve(resolution: str, **fields: str) -> Ask:
        return Ask(f"resolve {resolution}", "resolve", {"reviewId": review, "resolution": resolution, **fields})

    made = [
        resolve("add"),
        resolve("ignore"),
        resolve("merge", memoryId=target),
        resolve("delete", memoryId=target),
        Ask("propose", "propose", {"candidates": [{"content": "Port 9 is open."}, {"content": "Port 8 is open."}]}),
        Ask("reviews", "reviews", {"status": "all"}),
        Ask("purge review", "purge", {"memoryId": review, "confirm": f"DELETE {review}"}),
    ]
    return {ask.name: ask for ask in made}


def every_ask(scene: Scene) -> dict[str, Ask]:
    """All of both."""
    return asks(scene) | others(scene)

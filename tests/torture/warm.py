"""The store of a server that has read everything before a schedule begins."""

from collections.abc import Mapping
from typing import Any, cast

from agent_memory.store.kv import KeyValue
from agent_memory.store.warm.following import Follower
from agent_memory.store.warm.store import WarmStore
from agent_memory.store.warm.watch import ListingWatch

from .loop import Loop, finish
from .steps import STORE, Calm, Ids


class Turning:
    """A key-value store that can become another one; a warm store reads from the first one what it starts with."""

    def __init__(self, kv: KeyValue) -> None:
        self.kv = kv

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kv, name)


def kept_warm(held: Mapping[str, bytes], kv: KeyValue, ids: Ids, loop: Loop) -> WarmStore:
    """A store of a server that has read `held`, which is what `kv` holds for now."""
    turning = Turning(Calm(dict(held)))
    both = cast("KeyValue", turning)
    store = WarmStore(
        store_id=STORE, kv=both, now=ids.now, new_id=ids.new_id, follower=Follower(both, ListingWatch(both))
    )
    finish(store.load(), loop)
    turning.kv = kv
    return store

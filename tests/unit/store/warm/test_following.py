"""Following a storage that changes while it is read."""

from collections.abc import Awaitable, Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

import pytest

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import encode
from agent_memory.store.keys import parse_revision_key
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.warm.following import Follower
from agent_memory.store.warm.watch import ListingWatch, Seen, Watch
from support.revisions import after, first
from support.world import STORE, World

WORLD = World()


class Interrupted(InMemoryKeyValue):
    """Something happens once, when the first segment has been read."""

    meanwhile: Callable[[], Awaitable[Any]] | None = None

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        found = await super().get_many(keys)
        if self.meanwhile and any(key.startswith("segment-") for key in found):
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        return found


class Telling:
    """Tells which values were overwritten since the last look."""

    exact = True

    def __init__(self, kv: InMemoryKeyValue) -> None:
        self.kv = kv
        self.seen: dict[str, bytes] = {}

    def quiet(self) -> bool:
        return self.seen == self.kv.values

    async def look(self, known: AbstractSet[str], *, whole: bool) -> Seen:
        del whole  # every look is
        there = self.kv.values.keys()
        touched = {key for key in there if self.seen.get(key) != self.kv.values[key]}
        self.seen = dict(self.kv.values)
        return Seen(there=set(there), gone=known - there, touched=touched)

    def wrote(self, key: str) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("make_watch", [Telling, ListingWatch])
async def test_a_segment_that_is_rewritten_between_two_looks_of_one_load_is_read_again(
    make_watch: Callable[[InMemoryKeyValue], Watch],
) -> None:
    kv = Interrupted()
    other = MemoryStore(store_id=STORE, kv=kv, now=WORLD.clock, new_id=WORLD.new_id)
    await other.commit(await other.load(), [first("a", "one"), first("b", "two")])
    await other.commit(await other.load(), [first("c", "three")])
    (segment,) = (key for key in kv.values if key.startswith("segment-"))

    async def purge_and_tidy() -> None:
        view = await other.load()
        await other.scrub(await other.commit(view, [after(*view.revisions["a"], content="", state=State.PURGED)]))
        await other.add(await other.load(), [encode(first("d", "four")), *view.revisions["c"]])
        for key in [key for key in kv.values if (parsed := parse_revision_key(key)) and parsed.memory_id == "c"]:
            del kv.values[key]

    kv.meanwhile = purge_and_tidy
    follower = Follower(kv, make_watch(kv))
    await follower.follow()

    layout = follower.holdings.snapshot.layout
    assert segment not in layout.segments
    assert segment in layout.moved
    texts = sorted(head.memory.content for head in follower.holdings.snapshot.active())
    assert texts == ["four", "three", "two"]

"""The table of a warm store follows what is read as it would be made from nothing."""

from datetime import timedelta

from agent_memory.actions.common.table import Table
from agent_memory.lifecycle.decay import Decay
from agent_memory.models.instant import to_text
from agent_memory.store.access import Accessed
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.warm.stores import warm_stores
from support.revisions import first
from support.world import World

DECAY = Decay(enabled=True, half_life_days=30.0, min_importance=0.0, prune_threshold=0.05)


async def test_what_each_memory_retains_follows_every_access() -> None:
    world, kv = World(tick=timedelta()), InMemoryKeyValue()

    async def open_kv(_: str) -> InMemoryKeyValue:
        return kv

    def kept(table: Table) -> list[float]:
        return table.kept(store.follower.holdings.snapshot, to_text(world.now), DECAY).tolist()

    async with warm_stores(open_kv, now=world.clock, new_id=world.new_id) as stores:
        store = await stores.open("a")
        names = ("m1", "m2", "m3")
        await store.commit(await store.load(), [first(name, f"text {name}") for name in names])
        world.now += timedelta(days=40)
        followed = Table(await store.load())
        before = kept(followed)
        for name in ("m2", "m1", "m2", "m3"):
            world.now += timedelta(days=1)
            await store.touch(await store.load(), [name])
            assert kept(followed) == kept(Table(await store.load()))
        assert all(late > early for early, late in zip(before, kept(followed), strict=True))
        snapshot = await store.load()
        assert isinstance(snapshot.access, Accessed)
        assert snapshot.access.changes == ["m2", "m1", "m2", "m3"]


def test_accesses_that_changed_very_often_are_worn() -> None:
    times = Accessed({"m1": ("2026-03-01T00:00:00.000Z",)})
    for _ in range(10_002):
        times.note({"m1": ("2026-03-02T00:00:00.000Z",)})
    assert not times.worn
    times.note({"m1": ("2026-03-02T00:00:00.000Z",)})
    assert times.worn
    assert not Accessed(times).worn

"""Upkeep: which segments are put together, what need not be read any more, and what is read all the same."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

import pytest

from agent_memory.store import upkeep
from agent_memory.store.keys import passed_over
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.memory_store import MemoryStore
from support.revisions import first
from support.world import STORE, World

SEGMENT = 20_000


class Counting(InMemoryKeyValue):
    """Notes which segments are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        wanted = tuple(keys)
        self.read += [key for key in wanted if key.startswith("segment-")]
        return await super().get_many(wanted)

    def segments(self) -> list[str]:
        return sorted(key for key in self.values if key.startswith("segment-"))


@dataclass
class Bench:
    """A store whose segments hold 20,000 bytes: about 30 of these memories."""

    kv: Counting
    world: World
    store: MemoryStore
    count: int = 0

    async def remember(self, *sizes: int) -> None:
        """One write of so many memories for each of `sizes`."""
        for size in sizes:
            made = [first(f"m-{self.count + place}", f"text {self.count + place}") for place in range(size)]
            self.count += size
            await self.store.commit(await self.store.load(), made)

    async def read(self) -> list[str]:
        """The segments that a load reads; it finds everything."""
        self.kv.read.clear()
        assert len((await self.store.load()).heads) == self.count
        return sorted(self.kv.read)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    for name, value in (("SMALL_BYTES", SEGMENT // 2), ("_FULL", SEGMENT * 9 // 10)):
        monkeypatch.setattr(upkeep, name, value)
    monkeypatch.setattr("agent_memory.store.codec.SEGMENT_BYTES", SEGMENT)
    kv = Counting()
    world = World(stores={STORE: kv}, tick=timedelta(milliseconds=1))
    return Bench(kv, world, world.memory_store())


async def test_bulk_writes_are_read_as_few_full_segments(bench: Bench) -> None:
    await bench.remember(*[8] * 10)

    total = sum(len(bench.kv.values[name]) for name in await bench.read())
    assert len(await bench.read()) == -(-total // SEGMENT)
    assert len(bench.kv.segments()) > len(await bench.read())


async def test_a_small_write_does_not_copy_a_large_segment(bench: Bench) -> None:
    await bench.remember(26)
    (large,) = bench.kv.segments()
    await bench.remember(2)
    assert len(await bench.read()) == 2

    await bench.remember(2, 2)
    assert len(await bench.read()) <= 3
    assert large in await bench.read()


async def test_single_writes_for_a_long_time_leave_few_segments(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "PACK_FROM", 4)
    await bench.remember(*[1] * 80)

    assert len(await bench.read()) <= 5


async def test_a_prune_fills_the_segment_that_has_room(bench: Bench) -> None:
    await bench.remember(20)
    await bench.remember(1, 1)
    await bench.store.tidy(await bench.store.load())

    assert len(await bench.read()) == 1
    assert not (await bench.store.load()).layout.loose


async def test_a_prune_writes_nothing_where_nothing_would_be_fewer(bench: Bench) -> None:
    await bench.remember(20, 1, 1)
    await bench.store.tidy(await bench.store.load())
    before = dict(bench.kv.values)
    for _ in range(3):
        bench.world.wait(minutes=1)
        await bench.store.tidy(await bench.store.load())

    assert bench.kv.values == before


async def test_what_a_damaged_segment_replaces_is_read(bench: Bench) -> None:
    await bench.remember(8, 8)
    (whole,) = await bench.read()
    value = bench.kv.values[whole]
    bench.kv.values[whole] = value.replace(b"text 3", b"text X")

    snapshot = await bench.store.load()
    assert len(snapshot.heads) == 16
    assert len(snapshot.damaged) == 1


async def test_what_a_missing_segment_replaces_is_read(bench: Bench) -> None:
    await bench.remember(8, 8, 8, 8, 8)
    assert len(await bench.read()) == 2
    assert any("." in name for name in await bench.read())  # rows of one segment stand in both
    for name in await bench.read():
        value = bench.kv.values.pop(name)
        assert len((await bench.store.load()).heads) == 40
        bench.kv.values[name] = value


async def test_a_damaged_segment_is_not_merged_and_nothing_passes_over_it(bench: Bench) -> None:
    await bench.remember(4)
    (damaged,) = bench.kv.segments()
    bench.kv.values[damaged] = bench.kv.values[damaged].replace(b"text 3", b"text X")
    await bench.store.commit(await bench.store.load(), [first("x-1"), first("x-2")])
    await bench.store.tidy(await bench.store.load())

    assert damaged not in passed_over(bench.kv.values)


async def test_spare_copies_are_looked_at_by_who_tidies_up(bench: Bench) -> None:
    await bench.remember(8, 8)
    snapshot = await bench.store.load()
    assert len(snapshot.layout.passed_over) == 2

    full = await bench.store.in_full(snapshot)
    assert full.layout.segments.keys() == set(bench.kv.segments())
    assert (full.heads, full.layout.passed_over) == (snapshot.heads, frozenset())


async def test_spare_copies_go_after_a_day(bench: Bench) -> None:
    await bench.remember(8, 8, 8, 8)
    needed = await bench.read()
    bench.world.wait(days=1, minutes=1)
    await bench.store.tidy(await bench.store.load())

    assert bench.kv.segments() == needed
    assert await bench.read() == needed


@pytest.mark.parametrize("rows", [1, 13, 40])
async def test_a_name_says_only_what_is_true(bench: Bench, rows: int) -> None:
    """Whatever is passed over stands, row by row, in what is read."""
    for size in (rows, 3, 2, rows, 9, 5, rows):
        await bench.remember(size)
        full = (await bench.store.in_full(await bench.store.load())).layout
        spare = passed_over(bench.kv.values)
        read = {row for name, held in full.segments.items() if name not in spare for row in held}
        assert all(read.issuperset(full.segments[name]) for name in spare)
        assert await bench.read() == sorted(full.segments.keys() - spare)

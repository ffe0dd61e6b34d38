"""How the store grows: requests, load CPU, memory, sizes of values and number of segments, against the bars of issue 3.

Requests are counted at an emulator of Apify's API, everything else on local files. A benchmark does not judge: it
prints each bar with what was measured and ends well either way.
"""

import argparse
import asyncio
import json
import logging
import platform
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from notes import notes
from process import BARE, OURS, ROOT, environment, run_module

sys.path.append(str(ROOT / "tests"))  # where the emulator is
sys.path.append(str(ROOT / "src"))

from agent_memory.models.instant import to_text
from agent_memory.models.memory import Memory
from agent_memory.models.revision import Origin, Revision
from agent_memory.models.vocabulary import MemoryType, State
from agent_memory.store.access import write_access
from agent_memory.store.keys import ACCESS_SHARDS
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.names import storage_name
from agent_memory.store.snapshot import Snapshot
from support.emulator import Platform, emulated_platform
from support.key_values import stores_at

RESULTS: Final = ROOT / "benchmarks" / "results" / "store.json"
STORE: Final = "acme~benchmark"
NAME: Final = storage_name(STORE)
START: Final = datetime(2026, 1, 1, tzinfo=UTC)
BULK: Final = 1_000  # what one remember may hold
DAYS: Final = 365
NOTES_A_DAY: Final = 2
OPENING: Final = 2  # a named store is got or made, then read
MB: Final = 1_000_000
_QUESTION: Final = {"query": "timeouts of the checkout connection pool"}


@dataclass(frozen=True)
class Figure:
    """One bar: what was measured, the most it should be, and in which unit."""

    name: str
    measured: float
    bar: float | None
    unit: str

    @property
    def met(self) -> str:
        """Whether the bar holds."""
        return "-" if self.bar is None else "yes" if self.measured <= self.bar else "no"


class Clock:
    """An instant that moves only when it is told to, and a millisecond at each look."""

    def __init__(self) -> None:
        """Begin on the first day."""
        self.at = START

    def __call__(self) -> datetime:
        """The present."""
        self.at += timedelta(milliseconds=1)
        return self.at


def open_memories(kv: KeyValue, clock: Clock) -> MemoryStore:
    """The benchmark's store on `kv`."""
    return MemoryStore(store_id=STORE, kv=kv, now=clock, new_id=lambda: uuid.uuid4().hex)


def revisions(count: int, clock: Clock, start: int = 0) -> list[Revision]:
    """The first revisions of so many notes, the first of them being number `start`."""
    return [_revision(start + i, note, to_text(clock())) for i, note in enumerate(notes(start + count)[start:])]


def _revision(index: int, note: dict[str, Any], at: str) -> Revision:
    details = note["memoryDetails"]
    memory = Memory(
        id=str(uuid.UUID(int=index)),
        content=note["content"],
        title=note["content"][:80],
        created_at=at,
        updated_at=at,
        url=note["url"],
        site=note["url"].split("/")[2],
        memory_type=MemoryType(details["memoryType"]),
        tags=tuple(details["tags"]),
        confidence=details["confidence"],
        importance=details["importance"],
    )
    return Revision(
        number=1, parents=(), at=at, by="benchmark", state=State.ACTIVE, memory=memory, origin=Origin(at=at)
    )


async def remember(store: MemoryStore, made: list[Revision], at_once: int) -> Snapshot:
    """Commit `made`, so many in one write."""
    snapshot = await store.load()
    for start in range(0, len(made), at_once):
        snapshot = await store.commit(snapshot, made[start : start + at_once])
    return snapshot


async def update(store: MemoryStore, snapshot: Snapshot, index: int) -> Snapshot:
    """One update of the memory number `index`."""
    head = list(snapshot.heads.values())[index % len(snapshot.heads)]
    at = to_text(store.now())
    revision = Revision(
        number=head.number + 1,
        parents=(head.hash, *head.conflicts),
        at=at,
        by="benchmark",
        state=head.state,
        memory=replace(head.memory, tags=("checked",), updated_at=at),
        origin=head.origin,
    )
    return await store.commit(snapshot, [revision])


async def tidy_for_good(store: MemoryStore, clock: Clock) -> None:
    """A prune today and one a day later, when what the first one has copied may go."""
    for _ in range(2):
        await store.tidy(await store.load())
        clock.at += timedelta(days=1, minutes=1)


async def read_often(store: MemoryStore) -> None:
    """Leave every shard of access times behind."""
    snapshot = await store.load()
    for shard in range(ACCESS_SHARDS):
        await write_access(store.kv, shard, list(snapshot.heads)[shard::20], {}, to_text(store.now()))


async def grown(count: int) -> tuple[dict[str, bytes], dict[str, bytes], dict[str, bytes], dict[str, bytes]]:
    """What is stored of `count` notes: after bulk writes, tidied up, a year of updates later, and tidied up again."""
    clock, kv = Clock(), InMemoryKeyValue()
    store = open_memories(kv, clock)
    await remember(store, revisions(count, clock), BULK)
    await read_often(store)
    bulk = dict(kv.values)
    await tidy_for_good(store, clock)
    packed = dict(kv.values)
    snapshot = await store.load()
    for day in range(DAYS):
        clock.at += timedelta(days=1)
        snapshot = await update(store, snapshot, day * 27)
    year = dict(kv.values)
    await tidy_for_good(store, clock)
    return bulk, packed, year, dict(kv.values)


def cases(memory_id: str) -> dict[str, tuple[dict[str, Any], int]]:
    """Each action's input, and the most requests it should make."""
    return {
        "remember": ({"content": "The load balancer drops idle connections after 55 seconds."}, 8),
        "update": ({"memoryId": memory_id, "memoryDetails": {"tags": ["counted"]}}, 8),
        "forget": ({"memoryId": memory_id}, 8),
        "recall": (_QUESTION, 10),
        "search": (_QUESTION, 10),
        "context_pack": (_QUESTION, 10),
        "brief": ({}, 10),
    }


def run_once(held: Platform, folder: Path, module: str, payload: dict[str, Any]) -> int:
    """How many requests one run makes."""
    ran = run_module(module, folder, environment(**held.begin(payload)))
    if ran.exit_code:
        message = f"{module} ended with {ran.exit_code}: {(folder / 'log.txt').read_text('utf-8')[-1000:]}"
        raise RuntimeError(message)
    return len(held.calls)


def requests(values: dict[str, bytes], label: str, *, judged: bool) -> Iterator[Figure]:
    """The requests of each action on a store of `values` that has been read often, beyond a bare run that opens it."""
    with tempfile.TemporaryDirectory() as name, emulated_platform() as held:
        folder = Path(name)
        bare = run_once(held, folder, BARE, {}) + OPENING
        held.names[NAME] = "theStore"
        held.stores["theStore"] = {key: ("application/x-ndjson", value) for key, value in values.items()}
        prepared = deepcopy(held.stores)
        memory_id = str(uuid.UUID(int=17))
        for action, (fields, bar) in cases(memory_id).items():
            held.stores = deepcopy(prepared)
            total = run_once(held, folder, OURS, {"action": action, "memoryStoreId": STORE, **fields})
            yield Figure(f"{action}, {label}", total - bare, bar if judged else None, "requests")


async def load_in(folder: str, loads: int) -> dict[str, float]:
    """Load the store in `folder` so many times: the least CPU of one load and the peak memory of the process."""
    cpu: list[float] = []
    async with stores_at(folder) as open_store:
        kv = await open_store(NAME)
        for _ in range(loads):
            started = time.process_time()
            snapshot = await open_memories(kv, Clock()).load()
            cpu.append(time.process_time() - started)
            del snapshot
    return {"cpu": min(cpu), "bytes": peak_bytes()}


def peak_bytes() -> int:
    """The most memory that this process has taken; getrusage would count what its parent took before it began."""
    status = Path("/proc/self/status")
    if status.is_file():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def load_figures(folder: Path, loads: int = 5) -> dict[str, float]:
    """`load_in`, in a process of its own."""
    command = [sys.executable, __file__, "--load", str(folder), "--loads", str(loads)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


async def put_in(folder: Path, count: int, at_once: int) -> None:
    """Remember `count` notes in `folder`, so many in one write."""
    clock = Clock()
    async with stores_at(str(folder)) as open_store:
        await remember(open_memories(await open_store(NAME), clock), revisions(count, clock), at_once)


async def tidy_in(folder: Path) -> None:
    """Prune the store in `folder`; what has been written anew stands there twice for a day."""
    async with stores_at(str(folder)) as open_store:
        store = open_memories(await open_store(NAME), Clock())
        await store.tidy(await store.load())


def loading(work: Path) -> Iterator[Figure]:
    """CPU and memory of loading, and the size of values."""
    small, bulk, single, large = (work / name for name in ("ten", "bulk", "single", "large"))
    asyncio.run(put_in(small, 10_000, BULK))
    asyncio.run(put_in(bulk, 2_000, BULK))
    asyncio.run(put_in(single, 2_000, 1))
    asyncio.run(put_in(large, 100_000, BULK))
    apart, together = load_figures(single), load_figures(bulk)
    again = min(load_figures(bulk)["cpu"], together["cpu"]), min(load_figures(single)["cpu"], apart["cpu"])
    written = load_figures(large, 1)
    asyncio.run(tidy_in(large))
    values = [path.stat().st_size for path in (large / "key_value_stores" / NAME).iterdir()]
    yield Figure("loading 10,000 memories from local files", load_figures(small)["cpu"], 1.0, "CPU s")
    ratio = again[1] / again[0]
    yield Figure("loading 2,000 written one at a time, against the same written in bulk", ratio, 1.5, "x")
    yield Figure("the largest value at 100,000 memories", max(values) / MB, 4.0, "MB")
    merged = load_figures(large, 1)
    yield Figure("memory of a process that loads 100,000", written["bytes"] / MB, 500, "MB")
    yield Figure("the same just after a prune that wrote some of it anew", merged["bytes"] / MB, 500, "MB")
    yield Figure("loading 100,000 memories from local files", written["cpu"], None, "CPU s")
    yield Figure("the same just after a prune", merged["cpu"], None, "CPU s")


async def daily_prunes() -> list[Figure]:
    """A year of a prune each day, beside a few new notes and an update each day."""
    clock, kv = Clock(), InMemoryKeyValue()
    store = open_memories(kv, clock)
    await remember(store, revisions(300, clock), BULK)
    made = revisions(DAYS * NOTES_A_DAY, clock, start=300)
    most = 0
    for day in range(DAYS):
        clock.at = START + timedelta(days=day + 1)
        snapshot = await store.load()
        for revision in made[day * NOTES_A_DAY : (day + 1) * NOTES_A_DAY]:
            snapshot = await store.commit(snapshot, [revision])
        snapshot = await update(store, snapshot, day * 7)
        await store.tidy(snapshot)
        most = max(most, _segments(kv.values))
    return [
        Figure("segments after 365 daily prunes", _segments(kv.values), 12, "segments"),
        Figure("the most segments on any of these days", most, None, "segments"),
        Figure("keys after 365 daily prunes", len(kv.values), None, "keys"),
    ]


def _segments(keys: Iterable[str]) -> int:
    return sum(key.startswith("segment-") for key in keys)


def measure_loading() -> Iterator[Figure]:
    """What reading a store takes, and how large its values are."""
    with tempfile.TemporaryDirectory() as name:
        yield from loading(Path(name))


def measure_prunes() -> Iterator[Figure]:
    """What a prune each day leaves."""
    yield from asyncio.run(daily_prunes())


def measure_requests() -> Iterator[Figure]:
    """What actions ask of Apify on 10,000 memories."""
    bulk, packed, year, after = asyncio.run(grown(10_000))
    yield from requests(packed, "10,000 packed", judged=True)
    yield from requests(bulk, "10,000 written in ten bulk runs, not pruned yet", judged=True)
    yield from requests(year, "after a year of one update a day and no prune", judged=False)
    yield from requests(after, "after that year and two prunes a day apart", judged=True)


PARTS: Final = {"loading": measure_loading, "prunes": measure_prunes, "requests": measure_requests}


def main() -> None:
    """Measure, print a table and write it down; ends well either way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=RESULTS, help="where to write the figures")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the date to note (today)")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=[*PARTS], help="measure a part, keep other figures")
    parser.add_argument("--load", help="only load the store in this folder; for the benchmark itself")
    parser.add_argument("--loads", type=int, default=5)
    given = parser.parse_args()
    logging.disable(logging.WARNING)  # the SDK wonders about a configuration of ours
    if given.load:
        print(json.dumps(asyncio.run(load_in(given.load, given.loads))))
        return
    figures = earlier(given.json) if len(given.only) < len(PARTS) else {}
    for part in given.only:
        for figure in PARTS[part]():
            figures[figure.name] = asdict(figure) | {"met": figure.met}
            bar = "-" if figure.bar is None else f"{figure.bar:g}"
            print(f"{figure.name:<75}{figure.measured:>9.2f}{bar:>7} {figure.unit:<9} {figure.met}", flush=True)
    body = {"date": given.date, "python": platform.python_version(), "figures": [*figures.values()]}
    given.json.write_text(json.dumps(body, indent=2) + "\n", "utf-8")


def earlier(path: Path) -> dict[str, dict[str, Any]]:
    """The figures of an earlier run, by name."""
    return {figure["name"]: figure for figure in json.loads(path.read_text("utf-8"))["figures"]}


if __name__ == "__main__":
    main()

"""How long a search takes in a process that lives: by the index, by the whole action, and by stock engines.

All are asked the same questions about the same texts, in turn, so that each figure has a ratio within the run. Times
are of the process's CPU, which other work on the machine moves less than it moves the clock.
"""

import argparse
import asyncio
import json
import platform
import uuid
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time
from typing import Any, Final

from agent_memory.actions.base import Context, Exchange
from agent_memory.actions.run import run_action
from agent_memory.models.vocabulary import Channel
from agent_memory.ranking.document import Document
from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.warm.stores import WarmStores, warm_stores
from engines import bm25s, tantivy
from made_up_texts import memories, questions, texts
from process import ROOT
from retrieval_sets import Text

RESULTS: Final = ROOT / "benchmarks" / "results" / "search_speed.json"
STORE: Final = "acme~speed"
SHOWN: Final = 20
BATCH: Final = 1_000
ADDED: Final = 200
NOW: Final = "2026-11-30T00:00:00.000Z"
# Milliseconds at the median and at the 95th percentile, by number of memories.
BARS: Final = {10_000: (3.0, 10.0), 100_000: (15.0, 40.0)}
ADD_BAR: Final = 5.0
BUILD_BAR: Final = 4.0
BYTES_BAR: Final = 300_000_000


def main() -> None:
    """Measure, print and write down; a benchmark does not judge, so it ends well either way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", type=Path, default=RESULTS, help="where to write the figures")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the date to note (today)")
    given = parser.parse_args()
    rows = [asyncio.run(_measure(number, given.questions)) for number in given.memories]
    body = {"date": given.date, "python": platform.python_version(), "questions": given.questions, "stores": rows}
    given.json.write_text(json.dumps(body, indent=2) + "\n", "utf-8")


async def _measure(number: int, asked: int) -> dict[str, Any]:
    contents = texts(number)
    queries = questions(contents, asked)
    Index([_document("m", "warm up", 0)]).blocks()
    before = _resident()
    documents = [_document(f"m{place}", content, place) for place, content in enumerate(contents)]
    held = _resident()
    build, index = _timed(lambda: Index(documents))
    settle, _ = _timed(index.blocks)
    taken = _resident() - held
    plain = [Text(id=f"m{place}", group="", item={}, plain=text, at="") for place, text in enumerate(contents)]
    figures: dict[str, Any] = {"memories": number, "documentBytes": held - before, "indexBytes": taken}
    figures["buildSeconds"] = round((build + settle) / 1000, 2)
    searched = _ask(queries, lambda query: search_index(index, Ask(query=query, now=NOW, most=SHOWN + 1)))
    figures["search"] = searched
    for name, engine in (("bm25s", bm25s), ("tantivy", tantivy)):
        seconds, find = _timed(lambda engine=engine: engine(plain))
        times = _ask(queries, lambda query, find=find: find(query, SHOWN))
        ratio = round(searched["p50"] / times["p50"], 2)
        figures[name] = {**times, "buildSeconds": round(seconds / 1000, 2), "ratioOfOurs": ratio}
    figures["add"] = _percentiles(_added(index, contents))
    figures["action"] = await _action(contents, queries)
    _print(figures)
    return figures


def _added(index: Index, contents: list[str]) -> Iterable[float]:
    for place in range(ADDED):
        document = _document(f"new{place}", f"{contents[place]} once more {place}", place)
        yield _timed(lambda document=document: index.update(added=[document]))[0]


async def _action(contents: list[str], queries: list[str]) -> dict[str, float]:
    """The whole `search` action on a store that is kept in memory: request in, answer out."""
    kv = InMemoryKeyValue()

    async def open_kv(name: str) -> KeyValue:
        del name
        return kv

    times: list[float] = []
    async with warm_stores(open_kv, now=lambda: datetime.now(UTC), new_id=lambda: uuid.uuid4().hex) as stores:
        items = memories(contents)
        for begin in range(0, len(items), BATCH):
            await _run(stores, "remember", memories=items[begin : begin + BATCH])
        await _run(stores, "search", query=queries[0])
        for query in queries:
            begun = process_time()
            await _run(stores, "search", query=query)
            times.append(1000 * (process_time() - begun))
    return _percentiles(times)


async def _run(stores: WarmStores, action: str, **fields: Any) -> dict[str, Any]:
    async def open_context(store_id: str) -> Context:
        return Context(
            store=await stores.open(store_id),
            clock=lambda: datetime.now(UTC),
            new_id=lambda: uuid.uuid4().hex,
            channel=Channel.API,
            writer="benchmark",
            decay_on=False,
            progress=_silent,
            exchange=Exchange(open_records=_nothing, open_source=_nothing, files=None),
        )

    body = await run_action(action, {"memoryStoreId": STORE, **fields}, open_context)
    if not body["ok"]:
        raise RuntimeError(str(body)[:500])
    return body


async def _silent(done: int, total: int, what: str) -> None:
    del done, total, what


async def _nothing(store_id: str = "") -> KeyValue:
    raise RuntimeError(
        f"A benchmark of searches neither exports nor imports, so it opens no other store: {store_id!r}."
    )


def _document(identity: str, content: str, place: int) -> Document:
    at = (datetime(2026, 11, 1, tzinfo=UTC) + timedelta(seconds=place)).isoformat(timespec="milliseconds")
    then = at.replace("+00:00", "Z")
    return Document(
        id=identity, content=content, title=content[:40], tags=(f"tag{place % 50}",), url=None, site=None,
        memory_type="general", project_id=None, session_id=f"session-{place // 20}" if place % 2 else None,
        speaker=None, updated_at=then, created_at=then, confidence=0.5 + place % 5 / 10, importance=0.5, retained=0.8,
    )  # fmt: skip


def _ask(queries: list[str], find: Callable[[str], Any]) -> dict[str, float]:
    find(queries[0])
    return _percentiles(_timed(lambda query=query: find(query))[0] for query in queries)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds of CPU, and what came out."""
    begun = process_time()
    result = work()
    return 1000 * (process_time() - begun), result


def _percentiles(times: Iterable[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "p50": round(ordered[len(ordered) // 2], 2),
        "p95": round(ordered[int(len(ordered) * 0.95)], 2),
        "max": round(ordered[-1], 2),
    }


def _resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096


def _print(figures: dict[str, Any]) -> None:
    print(f"{figures['memories']:,} memories: CPU ms p50 / p95 / max")
    for name in ("search", "action", "bm25s", "tantivy", "add"):
        times = figures[name]
        print(f"  {name:<8}{times['p50']:>9.2f}{times['p95']:>9.2f}{times['max']:>9.2f}")
    print(f"  built in {figures['buildSeconds']} s, {figures['indexBytes'] / 1e6:.0f} MB beside the documents")
    bars = BARS.get(figures["memories"])
    if bars:
        small, slow = bars
        met = {
            f"p50 <= {small} ms": figures["search"]["p50"] <= small,
            f"p95 <= {slow} ms": figures["search"]["p95"] <= slow,
            f"adding <= {ADD_BAR} ms": figures["add"]["p95"] <= ADD_BAR,
            f"index <= {BYTES_BAR / 1e6:.0f} MB": figures["indexBytes"] <= BYTES_BAR,
        }
        if figures["memories"] == min(BARS):
            met[f"built in <= {BUILD_BAR} s"] = figures["buildSeconds"] <= BUILD_BAR
        print("  " + ", ".join(f"{bar}: {'yes' if ok else 'no'}" for bar, ok in met.items()))


if __name__ == "__main__":
    main()

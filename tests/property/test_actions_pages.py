"""Paging while others write: whatever happens between two pages, no memory is skipped and none is shown twice."""

import asyncio
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from support.world import World

MEANWHILE = st.sampled_from(["remember", "update", "forget", "get", "prune", "bulk", "wait", "nothing"])
CONFIDENCES = st.sampled_from([0.1, 0.4, 0.8, 1.0])
DATES = st.sampled_from(["2025-06-01", "2026-01-15", "2026-02-27", ""])
URLS = st.sampled_from(["", "https://a.example.com/x", "https://a.example.com/y"])


@st.composite
def items(draw: st.DrawFn) -> dict[str, Any]:
    return {"url": draw(URLS), "memoryDetails": {"confidence": draw(CONFIDENCES), "createdAt": draw(DATES)}}


async def disturb(world: World, what: str, memory_id: str, place: int) -> None:
    fields: dict[str, dict[str, Any]] = {
        "remember": {"content": f"Port {place} was added."},
        "bulk": {"memories": [{"content": f"Port {place}{n} was added."} for n in range(3)]},
        "update": {"memoryId": memory_id, "content": f"Port {place} was changed."},
        "forget": {"memoryId": memory_id},
        "get": {"memoryId": memory_id},
        "prune": {"decayConfig": {"enabled": True}},
    }
    if what == "wait":
        # Access times are lossy: only one access after the first page is sure to be told from those before it.
        world.wait(days=0 if world.decay_on else 40)
    elif what in fields:
        await world.ask("remember" if what == "bulk" else what, **fields[what])


@settings(deadline=None, max_examples=60)
@given(
    st.lists(items(), min_size=5, max_size=25),
    st.sampled_from(["recall", "search"]),
    st.integers(1, 9),
    st.booleans(),
    st.lists(st.tuples(MEANWHILE, st.integers(0, 24)), min_size=25, max_size=25),
)
def test_each_memory_that_stays_is_shown_exactly_once(
    given_items: list[dict[str, Any]], action: str, size: int, decay: bool, between: list[tuple[str, int]]
) -> None:
    async def scenario() -> None:
        world = World(decay_on=decay)
        memories = [{"content": f"Port {n} is open.", **item} for n, item in enumerate(given_items)]
        body = await world.ask("remember", memories=memories)
        ids = [result["memoryId"] for result in body["results"]]
        asked = {"query": "port", "url": "https://a.example.com/x", "maxResults": size}
        expected: set[str] | None = None
        shown: list[str] = []
        gone: set[str] = set()
        cursor = ""
        for place, (what, target) in enumerate(between):
            page = await world.ask(action, **asked, searchOptions={"cursor": cursor})
            assert page["ok"], page
            new = [memory["id"] for memory in page["memories"]]
            assert not gone & set(new)
            shown += new
            expected = set(ids) if expected is None and page["hiddenByDecay"] == 0 else expected or set()
            cursor = page["nextCursor"]
            if cursor is None:
                break
            memory_id = ids[target % len(ids)]
            await disturb(world, what, memory_id, 100 + place)
            gone |= {memory_id} if what == "forget" else set()
        assert len(shown) == len(set(shown))
        assert set(shown) <= set(ids)
        assert cursor is not None or (expected or set()) - gone <= set(shown)

    asyncio.run(scenario())

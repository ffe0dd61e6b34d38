"""limit, maxResults, total, truncated and the cursor."""

import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agent_memory.models.memory import Memory
from agent_memory.models.revision import Origin, Revision
from agent_memory.models.vocabulary import State
from agent_memory.store.snapshot import Snapshot
from support.kept_warm import WarmWorld
from support.world import World

FORGED: list[Any] = ["garbage", -5, 10**30, 1.5, None, [], {}, True, float("inf"), "9999-99-99"]

Meanwhile = Callable[[int], Awaitable[object]]


async def fill(world: World, count: int) -> set[str]:
    body = await world.ask("remember", memories=[{"content": f"Port {n} is open."} for n in range(count)])
    return {result["memoryId"] for result in body["results"]}


async def all_pages(
    world: World, action: str, size: int, meanwhile: Meanwhile | None = None, **fields: Any
) -> tuple[list[str], list[dict[str, Any]]]:
    """The ids of all pages in order, and the bodies; `meanwhile` runs before each page but the first."""
    ids: list[str] = []
    bodies: list[dict[str, Any]] = []
    options: dict[str, Any] = dict(fields.pop("searchOptions", {}))
    while True:
        body = await world.ask(action, maxResults=size, searchOptions=options, **fields)
        assert body["ok"], body
        bodies.append(body)
        ids += [memory["id"] for memory in body["memories"]]
        assert body["count"] == len(body["memories"])
        assert body["truncated"] is (body["nextCursor"] is not None)
        if body["nextCursor"] is None:
            return ids, bodies
        options["cursor"] = body["nextCursor"]
        if meanwhile is not None:
            await meanwhile(len(bodies))


@pytest.mark.parametrize(
    ("max_results", "limit", "expected"),
    [
        (None, None, 20),
        (20, 20, 20),
        (5, None, 5),
        (None, 5, 5),
        (20, 25, 25),
        (25, 20, 25),
        (7, 5, 5),
        (5, 7, 5),
        (None, 300, 30),
        (1, 1, 1),
    ],
)
async def test_of_limit_and_max_results_the_one_that_is_not_20_wins_else_the_smaller(
    world: World, max_results: int | None, limit: int | None, expected: int
) -> None:
    await fill(world, 30)

    for action in ("recall", "search"):
        body = await world.ask(action, query="port open", maxResults=max_results, searchOptions={"limit": limit})
        assert (body["count"], body["total"], body["truncated"]) == (expected, 30, expected < 30), action


@pytest.mark.parametrize("action", ["recall", "search"])
async def test_260_memories_come_whole_at_a_limit_of_300(world: World, action: str) -> None:
    ids = await fill(world, 260)

    body = await world.ask(action, query="port", searchOptions={"limit": 300})

    assert {memory["id"] for memory in body["memories"]} == ids
    assert (body["total"], body["truncated"], body["nextCursor"]) == (260, False, None)


@pytest.mark.parametrize("action", ["recall", "search"])
async def test_paging_while_another_writer_adds_shows_each_memory_once(world: World, action: str) -> None:
    ids = await fill(world, 260)

    async def add(page: int) -> None:
        await world.remember(f"Port {9000 + page} is open too.")

    shown, bodies = await all_pages(world, action, 50, add, query="port open")

    assert len(shown) == len(set(shown)) == 260
    assert set(shown) == ids
    assert [body["total"] for body in bodies] == [260] * 6


@pytest.mark.parametrize("action", ["recall", "search"])
async def test_paging_while_shown_memories_are_forgotten_skips_none(world: World, action: str) -> None:
    ids = await fill(world, 60)
    first = await world.ask(action, query="port", maxResults=20)
    gone = first["memories"][3]["id"]

    async def forget(page: int) -> None:
        if page == 1:
            await world.ask("forget", memoryId=gone)

    shown, _ = await all_pages(world, action, 20, forget, query="port")

    assert set(shown) == ids
    assert len(shown) == 60


@pytest.mark.parametrize("action", ["recall", "search"])
@pytest.mark.parametrize("kind", [World, WarmWorld])
async def test_a_long_write_begun_before_the_first_page_and_landing_after_it_repeats_and_hides_none(
    kind: type[World], action: str
) -> None:
    world = kind()
    ids = await fill(world, 30)
    begun = world.clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    memory = Memory(id="late", content="Port open.", title="Late", created_at=begun, updated_at=begun)
    late = Revision(
        number=1, parents=(), at=begun, by="slow", state=State.ACTIVE, memory=memory, origin=Origin(at=begun)
    )

    async def land(page: int) -> None:
        store = world.memory_store()
        if page == 1:
            await store.commit(await store.load(), [late])

    shown, _ = await all_pages(world, action, 10, land, query="port open")

    assert len(shown) == len(set(shown))
    assert set(shown) >= ids


async def test_a_memory_forgotten_meanwhile_is_not_on_a_later_page(world: World) -> None:
    await fill(world, 30)
    whole = [memory["id"] for memory in (await world.ask("recall", maxResults=30))["memories"]]

    async def forget(page: int) -> None:
        if page == 1:
            await world.ask("forget", memoryId=whole[25])

    shown, _ = await all_pages(world, "recall", 10, forget)

    assert shown == [*whole[:25], *whole[26:]]


@pytest.mark.parametrize("action", ["recall", "search"])
async def test_paging_through_what_has_all_faded_reaches_the_end(action: str) -> None:
    world = World(decay_on=True)
    ids = await fill(world, 60)
    world.wait(days=400)

    shown, _ = await all_pages(world, action, 20, query="port")

    assert set(shown) == ids
    assert len(shown) == 60


@pytest.mark.parametrize("action", ["recall", "search"])
@pytest.mark.parametrize("size", [1, 2, 4])
async def test_paging_with_decay_on_shows_each_memory_once(action: str, size: int) -> None:
    world = World(decay_on=True)
    ids: set[str] = set()
    for n, confidence in enumerate([0.4, 0.7, 0.3, 0.6, 0.2, 0.8, 0.5, 0.15]):
        ids.add(await world.remember(f"Port {n} is open.", memoryDetails={"confidence": confidence}))
        world.wait(days=5)

    shown, _ = await all_pages(world, action, size, query="port open")

    assert len(shown) == len(set(shown))
    assert set(shown) == ids


@pytest.mark.parametrize("action", ["recall", "search"])
async def test_a_cursor_is_bound_to_its_query(world: World, action: str) -> None:
    await fill(world, 30)
    body = await world.ask(action, query="port", maxResults=10)

    for change in ({"query": "open"}, {"projectId": "p"}, {"url": "https://a.example.com"}):
        asked = {"query": "port", "searchOptions": {"cursor": body["nextCursor"]}, **change}
        refused = await world.ask(action, **asked)
        assert refused["error"]["code"] == "invalid_request", change
        assert refused["error"]["details"]["field"] == "searchOptions.cursor"


async def test_a_cursor_of_one_action_or_store_is_of_no_use_in_another(world: World) -> None:
    await fill(world, 30)
    cursor = (await world.ask("recall", query="port", maxResults=10))["nextCursor"]

    other_action = await world.ask("search", query="port", searchOptions={"cursor": cursor})
    other_store = await world.ask("recall", query="port", searchOptions={"cursor": cursor}, memoryStoreId="acme~other")

    assert other_action["error"]["code"] == "invalid_request"
    assert other_store["error"]["code"] == "invalid_request"


async def test_the_page_size_may_change_between_pages(world: World) -> None:
    ids = await fill(world, 30)
    first = await world.ask("recall", query="port", maxResults=10)
    rest = await world.ask("recall", query="port", maxResults=25, searchOptions={"cursor": first["nextCursor"]})

    shown = [memory["id"] for body in (first, rest) for memory in body["memories"]]
    assert set(shown) == ids
    assert len(shown) == 30


@pytest.mark.parametrize("cursor", ["abc", "é", "===", "a" * 2000, "!!!!", "bnVsbA==", "WzFd", "a" * 2001])
async def test_what_is_no_cursor_is_refused(world: World, cursor: str) -> None:
    await fill(world, 3)

    body = await world.ask("recall", searchOptions={"cursor": cursor})

    assert (body["ok"], body["error"]["code"]) == (False, "invalid_request")
    assert "cursor" in body["error"]["message"]


async def test_a_cursor_that_was_tampered_with_is_refused_or_harmless(world: World) -> None:
    await fill(world, 30)
    cursor = (await world.ask("recall", maxResults=10))["nextCursor"]
    parts: list[Any] = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))

    for place in range(len(parts)):
        for forged in FORGED:
            changed = [*parts[:place], forged, *parts[place + 1 :]]
            text = base64.urlsafe_b64encode(json.dumps(changed).encode()).decode()
            body = await world.ask("recall", maxResults=10, searchOptions={"cursor": text})
            assert body["ok"] or body["error"]["code"] == "invalid_request", changed


@pytest.mark.parametrize("action", ["search", "recall"])
async def test_pages_of_a_warm_store_that_nothing_was_written_to_do_not_read_it_as_it_stood(
    action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm, cold = WarmWorld(), World()
    for world in (warm, cold):
        await fill(world, 9)

    def refuse(self: Snapshot, at: str) -> Snapshot:
        raise AssertionError(self, at)

    expected, _ = await all_pages(cold, action, 2, query="which port is open")
    monkeypatch.setattr(Snapshot, "as_of", refuse)
    ids, bodies = await all_pages(warm, action, 2, query="which port is open")
    assert len(ids) == len(expected) == 9
    assert {body["total"] for body in bodies} == {9}
    assert len(set(ids)) == 9


async def test_pages_of_a_warm_store_go_on_as_it_stood_when_something_was_written_meanwhile() -> None:
    warm = WarmWorld()
    before = await fill(warm, 9)

    async def write(page: int) -> None:
        await warm.ask("remember", content=f"Port 80{page} is open too.")

    ids, _ = await all_pages(warm, "search", 2, write, query="which port is open")
    assert sorted(ids) == sorted(before)

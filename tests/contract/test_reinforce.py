"""remember with reinforce: an existing memory is counted and dated instead of stored again."""

import asyncio
from typing import Any

from support.faulty_kv import YieldingKeyValue
from support.world import STORE, World

TEXT = "Run make check before every push."


async def test_a_repeated_fact_is_counted_and_dated(world: World) -> None:
    memory_id = await world.remember(TEXT)
    for _ in range(2):
        world.wait(days=1)
        body = await world.ask("remember", content=TEXT, reinforce=True)
        assert (body["status"], body["memory"]["id"]) == ("reinforced", memory_id)
    memory = (await world.ask("get", memoryId=memory_id))["memories"][0]

    assert memory["reinforced"]["count"] == 2
    assert memory["reinforced"]["lastAt"][:10] == world.now.isoformat()[:10]
    assert memory["updatedAt"] == memory["createdAt"]
    assert (await world.ask("stats"))["totalMemories"] == 1
    found = await world.ask("search", query="make check")
    assert found["memories"][0]["reinforced"]["count"] == 2


async def test_what_is_new_is_stored_and_a_dry_run_counts_nothing(world: World) -> None:
    body = await world.ask("remember", content=TEXT, reinforce=True)
    assert body["status"] == "created"
    values = dict(world.values())
    dry = await world.ask("remember", content=TEXT, reinforce=True, dryRun=True)
    assert dry["status"] == "reinforced"
    assert world.values() == values
    assert "reinforced" not in (await world.ask("get", memoryId=body["memory"]["id"]))["memories"][0]


async def test_a_retry_with_its_key_counts_once(world: World) -> None:
    memory_id = await world.remember(TEXT)
    for _ in range(3):
        await world.ask("remember", content=TEXT, reinforce=True, idempotencyKey="correction-7")

    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["reinforced"]["count"] == 1


async def test_many_at_once_are_all_counted() -> None:
    world = World(stores={STORE: YieldingKeyValue()})
    memory_id = await world.remember(TEXT)
    await asyncio.gather(*(world.ask("remember", content=TEXT, reinforce=True) for _ in range(6)))

    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["reinforced"]["count"] == 6


async def test_bulk_reinforces_too(world: World) -> None:
    await world.remember(TEXT)
    items: list[dict[str, Any]] = [{"content": TEXT}, {"content": "Something new."}]
    body = await world.ask("remember", memories=items, reinforce=True)

    assert [result["status"] for result in body["results"]] == ["reinforced", "created"]
    assert body["counts"]["reinforced"] == 1


async def test_what_is_reinforced_does_not_fade(world: World) -> None:
    world.decay_on = True
    await world.remember(TEXT)
    for _ in range(10):
        world.wait(days=100)
        assert (await world.ask("remember", content=TEXT, reinforce=True))["status"] == "reinforced"
    found = await world.ask("search", query="make check")
    assert (found["count"], found["hiddenByDecay"]) == (1, 0)


async def test_one_that_was_forgotten_meanwhile_is_not_said_to_be_reinforced() -> None:
    world = World(stores={STORE: YieldingKeyValue()})
    memory_id = await world.remember(TEXT)
    bodies = await asyncio.gather(
        world.ask("forget", memoryId=memory_id), world.ask("remember", content=TEXT, reinforce=True)
    )

    assert bodies[0]["ok"]
    assert bodies[1]["error"]["code"] == "conflict"
    assert (await world.ask("recall"))["count"] == 0

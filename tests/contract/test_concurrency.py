"""Several actions at once on one store."""

import asyncio
import json

import pytest

from support.faulty_kv import YieldingKeyValue
from support.world import STORE, World


@pytest.fixture
def kv() -> YieldingKeyValue:
    return YieldingKeyValue()


@pytest.fixture
def world(kv: YieldingKeyValue) -> World:
    return World(stores={STORE: kv})


async def test_twenty_remembers_at_once_lose_nothing(world: World, kv: YieldingKeyValue) -> None:
    bodies = await asyncio.gather(*(world.ask("remember", content=f"Port {n} is open.") for n in range(20)))

    ids = {body["memory"]["id"] for body in bodies}
    assert len(ids) == 20
    assert {m["id"] for m in (await world.ask("recall"))["memories"]} == ids
    manifest = json.loads(kv.values["__manifest"])
    assert set(manifest["memoryIds"]) <= ids


async def test_the_write_after_a_crowd_lists_them_all_in_the_manifest(world: World, kv: YieldingKeyValue) -> None:
    bodies = await asyncio.gather(*(world.ask("remember", content=f"Port {n} is open.") for n in range(20)))
    last = await world.remember("One more.")

    manifest = json.loads(kv.values["__manifest"])
    assert set(manifest["memoryIds"]) == {last, *(body["memory"]["id"] for body in bodies)}


async def test_one_key_at_once_makes_one_memory(world: World) -> None:
    bodies = await asyncio.gather(
        *(world.ask("remember", content="Port 1 is open.", idempotencyKey="k") for _ in range(8))
    )

    assert len({body["memory"]["id"] for body in bodies}) == 1
    assert (await world.ask("stats"))["totalMemories"] == 1


async def test_one_key_with_two_texts_at_once_tells_the_loser(world: World) -> None:
    bodies = await asyncio.gather(
        *(world.ask("remember", content=f"Port {n} is open.", idempotencyKey="k") for n in range(4))
    )

    stored = (await world.ask("recall"))["memories"]
    assert len(stored) == 1
    refused = [body["error"]["code"] for body in bodies if not body["ok"]]
    acknowledged = {body["memory"]["content"] for body in bodies if body["ok"]}
    assert set(refused) == {"conflict"}
    assert acknowledged <= {stored[0]["content"]}


async def test_two_updates_at_once_keep_both_changes_or_say_a_conflict(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")

    bodies = await asyncio.gather(
        world.ask("update", memoryId=memory_id, content="Port 1 is shut."),
        world.ask("update", memoryId=memory_id, memoryDetails={"tags": ["net"]}),
    )

    memory = (await world.ask("get", memoryId=memory_id))["memories"][0]
    both = memory["content"] == "Port 1 is shut." and memory["tags"] == ["net"]
    assert all(body["ok"] for body in bodies)
    assert both or any(body["conflicts"] and body["warnings"] for body in bodies)


async def test_a_conflict_is_shown_by_every_read_until_an_update_settles_it(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    await asyncio.gather(
        *(world.ask("update", memoryId=memory_id, content=f"Port 1 is {word}.") for word in ("shut", "busy"))
    )

    for action in ("get", "recall", "search"):
        body = await world.ask(action, query="port", **({"memoryId": memory_id} if action == "get" else {}))
        assert len(body["memories"][0]["conflicts"]) == 1, action
    settled = await world.ask("update", memoryId=memory_id, content="Port 1 is shut for good.")
    assert settled["conflicts"] == []
    assert not (await world.ask("recall"))["memories"][0].get("conflicts")


async def test_a_forget_at_the_same_time_as_an_update_wins(world: World) -> None:
    for _ in range(5):
        memory_id = await world.remember("Port 1 is open.")
        updated, forgotten = await asyncio.gather(
            world.ask("update", memoryId=memory_id, content="Port 1 is shut."),
            world.ask("forget", memoryId=memory_id),
        )
        assert forgotten["ok"]
        assert updated["ok"] is False
        assert updated["error"]["code"] == "not_found"
        assert (await world.ask("get", memoryId=memory_id))["error"]["code"] == "not_found"
        assert (await world.ask("search", query="port"))["memories"] == []


async def test_two_batches_at_once_are_both_there(world: World) -> None:
    bodies = await asyncio.gather(
        *(
            world.ask("remember", memories=[{"content": f"Batch {batch} fact {n}."} for n in range(30)])
            for batch in range(3)
        )
    )

    assert all(body["counts"]["created"] == 30 for body in bodies)
    assert (await world.ask("stats"))["totalMemories"] == 90


async def test_writers_while_the_store_is_packed_lose_nothing(world: World) -> None:
    for start in range(0, 120, 10):
        await asyncio.gather(*(world.ask("remember", content=f"Port {start + n} is open.") for n in range(10)))

    assert (await world.ask("stats"))["totalMemories"] == 120
    assert (await world.ask("search", query="port 77 open", maxResults=1))["memories"][0][
        "content"
    ] == "Port 77 is open."


async def test_reads_while_others_write_are_whole(world: World) -> None:
    known = {await world.remember(f"Port {n} is open.") for n in range(10)}

    bodies = await asyncio.gather(
        *(
            world.ask("recall", maxResults=100) if n % 2 else world.ask("remember", content=f"New {n}.")
            for n in range(20)
        )
    )

    for body in bodies[1::2]:
        assert known <= {memory["id"] for memory in body["memories"]}


async def test_one_text_remembered_by_several_at_once_fills_one_place_of_an_answer(world: World) -> None:
    bodies = await asyncio.gather(*(world.ask("remember", content="Port 1 is open.") for _ in range(5)))

    found = await world.ask("search", query="port")
    again = await world.ask("remember", content="Port 1 is open.")

    assert len(found["memories"]) == 1
    assert again["status"] == "duplicate"
    assert again["memory"]["id"] in {body["memory"]["id"] for body in bodies}


async def test_one_document_split_by_two_at_once_is_whole_after_the_next_run(world: World) -> None:
    document = {"content": "# A\n\nOne.\n\n# B\n\nTwo.\n", "url": "https://a.example.com/d", "maxTokensPerChunk": 20}
    bodies = await asyncio.gather(*(world.ask("chunk", **document) for _ in range(2)))

    last = await world.ask("chunk", **document)

    assert len({body["documentId"] for body in (*bodies, last)}) == 1
    assert (await world.ask("stats"))["totalMemories"] == len(last["chunks"])
    assert len((await world.ask("search", query="one"))["memories"]) == 1


async def test_a_prune_and_an_update_at_once_leave_the_memory_found_or_say_a_conflict(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    world.wait(days=400)

    pruned, updated = await asyncio.gather(
        world.ask("prune", decayConfig={"enabled": True}),
        world.ask("update", memoryId=memory_id, content="Port 1 is shut."),
    )

    assert pruned["ok"]
    assert updated["ok"]
    memory = (await world.ask("get", memoryId=memory_id))["memories"][0]
    assert (memory["content"] == "Port 1 is shut." and not memory["archived"]) or memory["conflicts"]

"""get and forget: memories by id."""

from typing import Any

import pytest

from support.world import STORE, World

TEXT = "Invoices are numbered per calendar year."


async def test_get_answers_whole_memories_in_the_order_asked_for_and_names_the_missing(world: World) -> None:
    first, second = await world.remember("First fact."), await world.remember("Second fact.")

    body = await world.ask("get", memoryIds=[second, "nope", first])

    assert [memory["id"] for memory in body["memories"]] == [second, first]
    assert body["notFound"] == ["nope"]
    assert body["memories"][0]["revision"].startswith("1.")
    assert "1 not found" in body["message"]


async def test_memory_id_and_memory_ids_may_be_given_together(world: World) -> None:
    first, second = await world.remember("First fact."), await world.remember("Second fact.")

    body = await world.ask("get", memoryId=first, memoryIds=[second, first])

    assert [memory["id"] for memory in body["memories"]] == [first, second]


@pytest.mark.parametrize("action", ["get", "forget"])
async def test_an_id_is_required_and_unknown_ones_are_not_found(world: World, action: str) -> None:
    missing = await world.ask(action)
    unknown = await world.ask(action, memoryId="1a2b")

    assert missing["error"]["code"] == "invalid_request"
    assert "memoryId" in missing["error"]["message"]
    assert unknown["error"]["code"] == "not_found"
    assert "1a2b" in unknown["error"]["message"]
    assert STORE in unknown["error"]["message"]


@pytest.mark.parametrize("action", ["get", "forget"])
async def test_at_most_a_hundred_ids_may_be_named(world: World, action: str) -> None:
    memory_id = await world.remember(TEXT)
    hundred = [memory_id, *(f"id-{n}" for n in range(99))]

    assert (await world.ask(action, memoryIds=[*hundred, "id-100"]))["error"]["details"]["field"] == "memoryIds"
    assert (await world.ask(action, memoryIds=hundred))["ok"]


@pytest.mark.parametrize(
    "memory_id", ["../../x", "a\nb", "C:\\Users\\x", "memory-1", "x" * 200, "a.1.b.c", "*", "__manifest"]
)
async def test_a_strange_id_is_simply_not_found(world: World, memory_id: str) -> None:
    await world.remember(TEXT)

    for action in ("get", "forget"):
        assert (await world.ask(action, memoryId=memory_id))["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"memoryId": "x" * 201}, "memoryId"),
        ({"memoryId": 7}, "memoryId"),
        ({"memoryIds": "a, b"}, "memoryIds"),
        ({"memoryIds": [7]}, "memoryIds[0]"),
    ],
)
async def test_ids_are_texts(world: World, fields: dict[str, Any], named: str) -> None:
    for action in ("get", "forget"):
        assert (await world.ask(action, **fields))["error"]["details"]["field"] == named


@pytest.mark.parametrize("action", ["forget", "delete"])
async def test_a_forgotten_memory_is_gone_from_every_read_at_once(world: World, action: str) -> None:
    memory_id = await world.remember(TEXT)
    kept = await world.remember("Credit notes get a letter.")

    body = await world.ask(action, memoryId=memory_id)

    assert (body["action"], body["memoryIds"], body["notFound"]) == ("forget", [memory_id], [])
    assert (await world.ask("get", memoryId=memory_id))["error"]["code"] == "not_found"
    assert (await world.ask("search", query="invoices numbered"))["memories"] == []
    assert [m["id"] for m in (await world.ask("recall"))["memories"]] == [kept]
    archived_too = await world.ask("recall", searchOptions={"includeArchived": True})
    assert [m["id"] for m in archived_too["memories"]] == [kept]
    pack = await world.ask("context_pack")
    assert TEXT not in pack["contextMarkdown"]
    stats = await world.ask("stats")
    assert (stats["totalMemories"], stats["forgotten"]) == (1, 1)


async def test_forget_says_that_the_content_is_kept(world: World) -> None:
    body = await world.ask("forget", memoryId=await world.remember(TEXT))

    assert "content is kept" in body["message"]


async def test_forgetting_twice_is_not_found_the_second_time(world: World) -> None:
    memory_id = await world.remember(TEXT)
    await world.ask("forget", memoryId=memory_id)

    assert (await world.ask("forget", memoryId=memory_id))["error"]["code"] == "not_found"


async def test_several_are_forgotten_at_once_and_the_missing_are_named(world: World) -> None:
    ids = [await world.remember(f"Fact number {n}.") for n in range(3)]

    body = await world.ask("forget", memoryIds=[ids[0], "nope", ids[2]])

    assert (body["memoryIds"], body["notFound"]) == ([ids[0], ids[2]], ["nope"])
    assert [m["id"] for m in (await world.ask("recall"))["memories"]] == [ids[1]]


async def test_an_archived_memory_can_be_got_and_forgotten() -> None:
    world = World(decay_on=True)
    memory_id = await world.remember(TEXT)
    world.wait(days=300)
    await world.ask("prune")

    got = await world.ask("get", memoryId=memory_id)
    assert got["memories"][0]["archived"] is True
    assert (await world.ask("forget", memoryId=memory_id))["ok"]
    assert (await world.ask("stats"))["archived"] == 0


async def test_get_of_more_than_four_megabytes_is_too_large(world: World) -> None:
    notes = [{"content": f"{n} " + "é" * 199_000} for n in range(15)]
    body = await world.ask("remember", memories=notes)
    ids = [result["memoryId"] for result in body["results"]]

    refused = await world.ask("get", memoryIds=ids)

    assert refused["error"]["code"] == "too_large"
    assert "fewer" in refused["error"]["message"]
    assert (await world.ask("get", memoryIds=ids[:5]))["ok"]

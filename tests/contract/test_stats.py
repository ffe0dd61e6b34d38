"""stats: what a store holds, counted."""

from support.world import STORE, World


async def test_an_empty_store_counts_nothing(world: World) -> None:
    body = await world.ask("stats")

    assert {name: body[name] for name in ("totalMemories", "archived", "forgotten", "oldest", "lastUpdated")} == {
        "totalMemories": 0,
        "archived": 0,
        "forgotten": 0,
        "oldest": None,
        "lastUpdated": None,
    }
    assert body["sizeBytes"] == {"live": 0, "history": 0, "forgotten": 0}
    assert body["message"] == f"{STORE} holds 0 memories, 0 archived, 0 forgotten."


async def test_memories_are_counted_by_type_project_source_and_tag(world: World) -> None:
    await world.remember("One.", projectId="shop", memoryDetails={"memoryType": "rule", "tags": ["a", "b"]})
    await world.remember("Two.", projectId="shop", memoryDetails={"source": "human", "tags": ["a"]})
    await world.remember("Three.")

    body = await world.ask("stats")

    assert body["totalMemories"] == 3
    assert body["byType"] == {"general": 2, "rule": 1}
    assert sum(body["byProject"].values()) == 3
    assert body["byProject"]["shop"] == 2
    assert body["bySource"] == {"agent": 2, "human": 1}
    assert body["byTag"] == {"a": 2, "b": 1}


async def test_only_the_twenty_most_frequent_tags_are_listed(world: World) -> None:
    for n in range(30):
        await world.remember(f"Fact {n}.", memoryDetails={"tags": [f"t{n:02}", "common"]})

    by_tag = (await world.ask("stats"))["byTag"]

    assert len(by_tag) == 20
    assert next(iter(by_tag.items())) == ("common", 30)


async def test_oldest_and_last_updated_follow_the_active_memories(world: World) -> None:
    await world.remember("Old.", memoryDetails={"createdAt": "2020-05-01T00:00:00Z"})
    memory_id = await world.remember("New.")
    world.wait(days=2)
    await world.ask("update", memoryId=memory_id, content="Newer.")

    body = await world.ask("stats")

    assert body["oldest"] == "2020-05-01T00:00:00.000Z"
    assert body["lastUpdated"].startswith("2026-03-03T09:30")


async def test_sizes_tell_live_from_history_from_forgotten(world: World) -> None:
    first = await world.remember("x" * 5_000)
    second = await world.remember("y" * 7_000)
    fresh = (await world.ask("stats"))["sizeBytes"]
    await world.ask("update", memoryId=first, content="short")
    updated = (await world.ask("stats"))["sizeBytes"]
    await world.ask("forget", memoryId=second)
    after = (await world.ask("stats"))["sizeBytes"]

    assert fresh["live"] > 12_000
    assert (fresh["history"], fresh["forgotten"]) == (0, 0)
    assert 7_000 < updated["live"] < fresh["live"]
    assert updated["history"] > 5_000
    assert after["live"] < 3_000
    assert after["forgotten"] > 7_000


async def test_a_project_counts_its_own_and_what_belongs_to_none(world: World) -> None:
    await world.remember("One.", projectId="a")
    await world.remember("Two.", projectId="b")
    await world.remember("Three.")

    assert (await world.ask("stats", projectId="a"))["totalMemories"] == 2


async def test_counting_writes_nothing(world: World) -> None:
    await world.ask("stats")
    await world.ask("stats", memoryStoreId="never written")

    assert [vars(kv)["values"] for kv in world.stores.values()] == [{}, {}]

"""projectId is a filter; a memoryStoreId is a wall."""

import pytest

from support.world import World

READS = ["recall", "search", "context_pack"]


async def shown(world: World, action: str, **fields: str) -> set[str]:
    body = await world.ask(action, query="port", **fields)
    return {memory["id"] for memory in body.get("memories", body.get("memoriesUsed", []))}


@pytest.mark.parametrize("action", READS)
async def test_a_project_sees_its_own_and_the_global_memories_and_no_project_sees_all(
    world: World, action: str
) -> None:
    mine = await world.remember("Port A is open.", projectId="a")
    other = await world.remember("Port B is shut.", projectId="b")
    everyone = await world.remember("Port C is shared.")

    assert await shown(world, action, projectId="a") == {mine, everyone}
    assert await shown(world, action, projectId="b") == {other, everyone}
    assert await shown(world, action, projectId="c") == {everyone}
    assert await shown(world, action) == {mine, other, everyone}


async def test_several_projects_can_be_read_at_once(world: World) -> None:
    ids = [await world.remember(f"Port {p} is open.", projectId=p) for p in ("a", "b", "c")]

    body = await world.ask("recall", searchOptions={"projectIds": ["a", "b"]})

    assert {m["id"] for m in body["memories"]} == set(ids[:2])


async def test_a_project_may_have_any_script_and_its_ends_are_trimmed(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.", projectId="  проект «Ω» ")

    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["projectId"] == "проект «Ω»"
    assert await shown(world, "recall", projectId="проект «Ω»") == {memory_id}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a b", "a-b"),
        ("A-B", "a-b"),
        ("проект", "项目"),
        ("x" * 69 + "1", "x" * 69 + "2"),
        ("acme~notes", "acme notes"),
        ("a", "a "),
        ("a/b", "a\\b"),
        ("../../x", "x"),
        ("C:\\Users\\x", "C:/Users/x"),
        ("line\nbreak", "line break"),
        ("default", "Default"),
    ],
)
async def test_two_store_ids_are_two_stores(world: World, one: str, other: str) -> None:
    memory_id = await world.remember("Only here.", memoryStoreId=one)

    assert (await world.ask("recall", memoryStoreId=other))["memories"] == []
    assert (await world.ask("get", memoryStoreId=other, memoryId=memory_id))["error"]["code"] == "not_found"
    here = await world.ask("recall", memoryStoreId=one)
    assert [m["id"] for m in here["memories"]] == [memory_id]
    there = await world.ask("stats", memoryStoreId=other)
    assert here["storeName"] != there["storeName"]


@pytest.mark.parametrize("store_id", [None, "", "   ", "\n", 7, ["a"], "x" * 201])
async def test_a_store_id_is_required_and_has_1_to_200_characters(world: World, store_id: object) -> None:
    body = await world.ask("remember", memoryStoreId=store_id, content="x")

    assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", "memoryStoreId")
    assert world.stores == {}


async def test_a_store_copied_under_another_id_is_refused_by_name(world: World) -> None:
    await world.remember("Mine.", memoryStoreId="acme~one")
    world.stores["acme~two"] = world.stores["acme~one"]

    body = await world.ask("recall", memoryStoreId="acme~two")

    assert body["error"]["code"] == "conflict"
    assert "acme~two" in body["error"]["message"]

"""update: given fields only."""

from typing import Any

import pytest

from agent_memory.models.memory import Memory
from agent_memory.models.revision import Origin, Revision
from agent_memory.models.vocabulary import State
from support.world import World

FULL: dict[str, Any] = {
    "title": "Reset",
    "memoryType": "fact",
    "tags": ["staging", "db"],
    "confidence": 0.7,
    "importance": 0.6,
    "category": "operations",
    "source": "human",
    "relatedUrls": ["https://wiki.example.com/reset"],
    "pinned": True,
    "metadata": {"a": 1, "deep": {"x": 1, "y": 2}},
}


async def remembered(world: World) -> str:
    return await world.remember("Staging resets at 02:00.", url="https://db.example.com/s", memoryDetails=FULL)


async def read(world: World, memory_id: str) -> dict[str, Any]:
    return (await world.ask("get", memoryId=memory_id))["memories"][0]


async def test_updating_only_content_keeps_all_else(world: World) -> None:
    memory_id = await remembered(world)
    before = await read(world, memory_id)
    world.wait(days=1)

    body = await world.ask("update", memoryId=memory_id, content="Staging resets at 03:00.")

    after = await read(world, memory_id)
    moved = {"content", "contentHash", "updatedAt", "revision"}
    assert {n: v for n, v in after.items() if n not in moved} == {n: v for n, v in before.items() if n not in moved}
    assert after["content"] == "Staging resets at 03:00."
    assert after["createdAt"] == before["createdAt"]
    assert after["updatedAt"] > before["updatedAt"]
    assert body["changed"] == ["content"]
    assert body["memory"]["content"] == after["content"]


async def test_an_updated_text_is_found_and_the_old_one_is_not(world: World) -> None:
    memory_id = await world.remember("The gateway is called Falcon.")
    await world.ask("update", memoryId=memory_id, content="The gateway is called Heron.")

    assert (await world.ask("search", query="Heron"))["memories"][0]["id"] == memory_id
    assert (await world.ask("search", query="Falcon"))["memories"] == []


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ({"tags": ["new"]}, {"tags": ["new"]}),
        ({"tags": []}, {"tags": []}),
        ({"relatedUrls": ["https://b.example.com/x"]}, {"relatedUrls": ["https://b.example.com/x"]}),
        ({"metadata": {"b": 2}}, {"metadata": {"a": 1, "deep": {"x": 1, "y": 2}, "b": 2}}),
        ({"metadata": {"a": None}}, {"metadata": {"deep": {"x": 1, "y": 2}}}),
        ({"metadata": {"deep": {"x": None, "z": 3}}}, {"metadata": {"a": 1, "deep": {"y": 2, "z": 3}}}),
        ({"metadata": {"deep": [1]}}, {"metadata": {"a": 1, "deep": [1]}}),
        ({"metadata": {"new": {"gone": None, "kept": 1}}}, {"metadata": {**FULL["metadata"], "new": {"kept": 1}}}),
        ({"confidence": 0.95}, {"confidence": 0.95}),
        ({"pinned": False}, {"pinned": False}),
        ({"memoryType": "decision"}, {"memoryType": "decision"}),
    ],
)
async def test_tags_and_urls_replace_and_metadata_merges(
    world: World, details: dict[str, Any], expected: dict[str, Any]
) -> None:
    memory_id = await remembered(world)
    before = await read(world, memory_id)

    body = await world.ask("update", memoryId=memory_id, memoryDetails=details)

    after = await read(world, memory_id)
    assert {n: after[n] for n in expected} == expected
    moved = {*expected, "updatedAt", "revision"}
    assert {n: v for n, v in after.items() if n not in moved} == {n: v for n, v in before.items() if n not in moved}
    assert body["changed"] == list(expected)


@pytest.mark.parametrize(
    ("name", "cleared"),
    [
        ("title", "Staging resets at 02:00."),
        ("memoryType", "general"),
        ("tags", []),
        ("confidence", 0.8),
        ("importance", 0.5),
        ("category", None),
        ("relatedUrls", []),
        ("pinned", False),
        ("metadata", {}),
    ],
)
async def test_null_clears_a_field_to_its_default(world: World, name: str, cleared: object) -> None:
    memory_id = await remembered(world)

    body = await world.ask("update", memoryId=memory_id, memoryDetails={name: None})

    assert body["ok"], body
    assert (await read(world, memory_id))[name] == cleared


async def test_unknown_fields_of_a_stored_record_survive_an_update(world: World) -> None:
    at = "2026-01-01T00:00:00.000Z"
    memory = Memory(id="old-1", content="Old fact.", title="Old", created_at=at, updated_at=at, extra={"mood": "calm"})
    store = world.memory_store()
    revision = Revision(
        number=1, parents=(), at=at, by="import", state=State.ACTIVE, memory=memory, origin=Origin(at=at)
    )
    await store.commit(await store.load(), [revision])

    await world.ask("update", memoryId="old-1", content="New fact.")

    assert (await read(world, "old-1"))["mood"] == "calm"


async def test_an_update_that_changes_nothing_leaves_the_age(world: World) -> None:
    memory_id = await remembered(world)
    before = await read(world, memory_id)
    world.wait(days=2)

    body = await world.ask("update", memoryId=memory_id, content="Staging resets at 02:00.")

    assert (body["ok"], body["changed"]) == (True, [])
    after = await read(world, memory_id)
    assert (after["updatedAt"], after["revision"]) == (before["updatedAt"], before["revision"])


async def test_a_derived_title_follows_the_text_and_a_given_one_stays(world: World) -> None:
    derived = await world.remember("Old headline")
    given = await world.remember("Old body", memoryDetails={"title": "Mine"})

    await world.ask("update", memoryId=derived, content="New headline")
    await world.ask("update", memoryId=given, content="New body")

    assert (await read(world, derived))["title"] == "New headline"
    assert (await read(world, given))["title"] == "Mine"


async def test_an_unknown_or_forgotten_memory_is_not_found(world: World) -> None:
    memory_id = await remembered(world)
    await world.ask("forget", memoryId=memory_id)

    for unknown in (memory_id, "no-such-id"):
        body = await world.ask("update", memoryId=unknown, content="x")
        assert body["error"]["code"] == "not_found"
        assert unknown in body["error"]["message"]
        assert "Nothing changed" in body["error"]["message"]


@pytest.mark.parametrize("fields", [{}, {"content": ""}, {"memoryDetails": {}}, {"content": None, "url": ""}])
async def test_an_update_without_a_change_is_refused(world: World, fields: dict[str, Any]) -> None:
    memory_id = await remembered(world)

    body = await world.ask("update", memoryId=memory_id, **fields)

    assert body["error"]["code"] == "invalid_request"


async def test_an_update_needs_an_id_and_text_with_words(world: World) -> None:
    memory_id = await remembered(world)

    assert (await world.ask("update", content="x"))["error"]["details"]["field"] == "memoryId"
    assert (await world.ask("update", memoryId=memory_id, content="   "))["error"]["details"]["field"] == "content"
    assert (await read(world, memory_id))["content"] == "Staging resets at 02:00."


async def test_the_trust_of_a_memory_can_only_be_lowered(world: World) -> None:
    memory_id = await world.remember("Read on a page.", memoryDetails={"source": "crawl"})

    body = await world.ask("update", memoryId=memory_id, memoryDetails={"source": "human", "pinned": True})

    assert (body["memory"]["trust"], body["memory"]["pinned"]) == ("low", False)

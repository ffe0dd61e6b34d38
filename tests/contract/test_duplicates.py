"""When two texts are one memory, and what a repeated key does."""

from typing import Any

import pytest

from support.world import World

TEXT = "The deadline is 15 October."


@pytest.mark.parametrize(
    "again",
    [TEXT, f"  {TEXT}\n", "The  deadline is\n15 October.", "The\tdeadline is 15 October. "],
)
async def test_the_same_text_with_other_spacing_is_one_memory(world: World, again: str) -> None:
    memory_id = await world.remember(TEXT)

    body = await world.ask("remember", content=again)

    assert (body["status"], body["memory"]["id"]) == ("duplicate", memory_id)
    assert (await world.ask("stats"))["totalMemories"] == 1


async def test_composed_and_decomposed_letters_are_one_text(world: World) -> None:
    memory_id = await world.remember("Meet at the caf\u00e9.")

    assert await world.remember("Meet at the cafe\u0301.") == memory_id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TEXT, "The deadline is 16 October."),
        ("I work at Initech", "I left Initech"),
        ("Use tabs", "use tabs"),
        ("```\nif x:\n    y\n```", "```\nif x:\n  y\n```"),
    ],
)
async def test_nearly_equal_facts_both_stay(world: World, one: str, other: str) -> None:
    first = await world.remember(one)
    second = await world.remember(other)

    assert first != second
    assert (await world.ask("stats"))["totalMemories"] == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"projectId": "shop"},
        {"sessionId": "s-1"},
        {"url": "https://a.example.com"},
        {"memoryDetails": {"memoryType": "decision"}},
    ],
)
async def test_another_project_session_url_or_type_makes_another_memory(world: World, fields: dict[str, Any]) -> None:
    first = await world.remember(TEXT)

    assert await world.remember(TEXT, **fields) != first


async def test_differing_details_of_a_duplicate_are_not_applied_and_that_is_said(world: World) -> None:
    memory_id = await world.remember(TEXT, memoryDetails={"tags": ["plan"]})

    body = await world.ask("remember", content=TEXT, memoryDetails={"tags": ["other"], "importance": 0.7})

    assert body["memory"]["tags"] == ["plan"]
    assert any(memory_id in warning and "update" in warning for warning in body["warnings"])


async def test_a_forgotten_text_can_be_remembered_anew(world: World) -> None:
    first = await world.remember(TEXT)
    await world.ask("forget", memoryId=first)

    body = await world.ask("remember", content=TEXT)

    assert (body["status"], body["memory"]["id"] == first) == ("created", False)


async def test_an_update_to_another_text_frees_the_old_one(world: World) -> None:
    first = await world.remember(TEXT)
    await world.ask("update", memoryId=first, content="The deadline is 20 October.")

    body = await world.ask("remember", content=TEXT)

    assert body["status"] == "created"


async def test_a_retry_with_the_same_key_makes_one_memory(world: World) -> None:
    first = await world.ask("remember", content=TEXT, idempotencyKey="k-1", memoryDetails={"tags": ["a"]})
    world.wait(days=3)
    again = await world.ask("remember", content=TEXT, idempotencyKey="k-1", memoryDetails={"tags": ["a"]})

    assert (again["status"], again["memory"]["id"]) == ("replayed", first["memory"]["id"])
    assert (await world.ask("stats"))["totalMemories"] == 1


async def test_a_retry_is_replayed_even_after_an_update(world: World) -> None:
    memory_id = await world.remember(TEXT, idempotencyKey="k-1")
    await world.ask("update", memoryId=memory_id, content="The deadline is 20 October.")

    body = await world.ask("remember", content=TEXT, idempotencyKey="k-1")

    assert (body["status"], body["memory"]["content"]) == ("replayed", "The deadline is 20 October.")


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "Other."},
        {"content": TEXT, "projectId": "p"},
        {"content": TEXT, "sessionId": "s"},
        {"content": TEXT, "url": "https://a.example.com"},
        {"content": TEXT, "memoryDetails": {"importance": 0.7}},
    ],
)
async def test_the_same_key_with_anything_else_is_a_conflict(world: World, fields: dict[str, Any]) -> None:
    memory_id = await world.remember(TEXT, idempotencyKey="k-1")

    body = await world.ask("remember", idempotencyKey="k-1", **fields)

    assert (body["ok"], body["error"]["code"]) == (False, "conflict")
    assert body["error"]["details"]["memoryId"] == memory_id
    assert "new key" in body["error"]["message"]
    assert (await world.ask("stats"))["totalMemories"] == 1


async def test_a_key_whose_memory_was_forgotten_is_a_conflict_that_says_so(world: World) -> None:
    memory_id = await world.remember(TEXT, idempotencyKey="k-1")
    await world.ask("forget", memoryId=memory_id)

    body = await world.ask("remember", content=TEXT, idempotencyKey="k-1")

    assert body["error"]["code"] == "conflict"
    assert "forgotten" in body["error"]["message"]
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_one_key_in_two_stores_makes_two_memories(world: World) -> None:
    first = await world.remember(TEXT, idempotencyKey="k-1", memoryStoreId="acme~one")
    second = await world.remember(TEXT, idempotencyKey="k-1", memoryStoreId="acme~two")

    assert first != second


async def test_a_key_answered_with_a_duplicate_is_bound_to_that_text(world: World) -> None:
    await world.remember(TEXT)
    await world.remember(TEXT, idempotencyKey="k-1")

    body = await world.ask("remember", content="Something else.", idempotencyKey="k-1")

    assert body["ok"] is False
    assert body["error"]["code"] == "conflict"


async def test_a_served_context_pack_stored_back_is_flagged_as_an_echo(world: World) -> None:
    await world.remember(TEXT)
    pack = await world.ask("context_pack", query="deadline")

    body = await world.ask("remember", content=pack["contextMarkdown"])

    flagged = body.get("error", {}).get("message", "") + " ".join(body.get("warnings", []))
    assert "pack" in flagged or "echo" in flagged

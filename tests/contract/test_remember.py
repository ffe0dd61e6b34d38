"""remember, from the outside: fields, defaults, bounds."""

import hashlib
from typing import Any

import pytest

from support.world import STORE, World

RESET = "The staging database is reset every night at 02:00 UTC."


async def test_a_remembered_text_is_found_by_get_and_search_at_once(world: World) -> None:
    memory_id = await world.remember(RESET)

    got = await world.ask("get", memoryId=memory_id)
    found = await world.ask("search", query="when is staging reset?")

    assert got["memories"][0]["content"] == RESET
    assert [memory["id"] for memory in found["memories"]] == [memory_id]


async def test_what_is_not_given_has_its_documented_default(world: World) -> None:
    body = await world.ask("remember", content=RESET)

    memory = body["memory"]
    assert memory | {"id": "", "createdAt": "", "updatedAt": ""} == {
        "id": "",
        "url": None,
        "site": None,
        "title": RESET,
        "content": RESET,
        "memoryType": "general",
        "tags": [],
        "confidence": 0.8,
        "importance": 0.5,
        "category": None,
        "source": "agent",
        "channel": "api",
        "trust": "normal",
        "projectId": None,
        "sessionId": None,
        "relatedUrls": [],
        "pinned": False,
        "createdAt": "",
        "updatedAt": "",
        "contentHash": hashlib.sha256(RESET.encode()).hexdigest()[:16],
        "archived": False,
        "metadata": {},
        "schemaVersion": 1,
    }
    assert memory["createdAt"] == memory["updatedAt"]
    assert memory["createdAt"].startswith("2026-03-01T09:30:00.")
    assert memory["createdAt"].endswith("Z")


async def test_the_envelope_says_what_ran_where_and_how_long(world: World) -> None:
    body = await world.ask("remember", content=RESET)

    assert (body["ok"], body["action"], body["memoryStoreId"], body["status"]) == (True, "remember", STORE, "created")
    assert body["storeName"].startswith("mem-acme-notes-")
    assert body["warnings"] == []
    assert isinstance(body["tookMs"], int)
    assert body["message"] == f"Remembered 1 memory in {STORE}."


async def test_every_given_field_is_kept(world: World) -> None:
    details: dict[str, Any] = {
        "title": "Nightly reset",
        "memoryType": "fact",
        "tags": ["staging", "db"],
        "confidence": 0.7,
        "importance": 0.6,
        "category": "operations",
        "source": "human",
        "relatedUrls": ["https://wiki.example.com/reset"],
        "pinned": True,
        "metadata": {"ticket": {"id": 7}, "ok": True},
    }
    memory_id = await world.remember(
        RESET, url="https://db.example.com/staging", projectId="shop", sessionId="s-1", memoryDetails=details
    )

    memory = (await world.ask("get", memoryId=memory_id))["memories"][0]
    assert {name: memory[name] for name in details} == details
    assert (memory["url"], memory["site"]) == ("https://db.example.com/staging", "db.example.com")
    assert (memory["projectId"], memory["sessionId"]) == ("shop", "s-1")


async def test_store_is_another_word_for_remember(world: World) -> None:
    body = await world.ask("store", content=RESET)

    assert (body["ok"], body["action"]) == (True, "remember")


async def test_the_title_comes_from_the_first_line_with_words(world: World) -> None:
    body = await world.ask("remember", content="\n---\n## Nightly   reset\n\nDetails follow.")

    assert body["memory"]["title"] == "Nightly reset"


async def test_a_very_long_first_line_gives_a_short_title(world: World) -> None:
    body = await world.ask("remember", content="word " * 100)

    assert len(body["memory"]["title"]) <= 80
    assert body["memory"]["title"].endswith("…")


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("Shop.Example.com/Cart/", "https://shop.example.com/Cart"),
        ("https://shop.example.com:443/cart#top", "https://shop.example.com/cart"),
        ("https://shop.example.com/cart?utm_source=mail&id=7", "https://shop.example.com/cart?id=7"),
    ],
)
async def test_a_url_is_normalised(world: World, given: str, stored: str) -> None:
    body = await world.ask("remember", content=RESET, url=given)

    assert body["memory"]["url"] == stored
    assert body["memory"]["site"] == "shop.example.com"


async def test_a_dry_run_stores_nothing_and_says_what_would_happen(world: World) -> None:
    body = await world.ask("remember", content=RESET, dryRun=True)

    assert (body["dryRun"], body["status"]) == (True, "created")
    assert body["message"].startswith("Would remember")
    assert (await world.ask("stats"))["totalMemories"] == 0


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": "  \n\t "}, "content"),
        ({"content": "\ufeff\u200b"}, "content"),
        ({"content": None}, "content"),
        ({"content": 7}, "content"),
        ({"content": ["a"]}, "content"),
        ({"content": "x" * 200_001}, "content"),
        ({"content": "x", "projectId": "p" * 201}, "projectId"),
        ({"content": "x", "sessionId": "s" * 201}, "sessionId"),
        ({"content": "x", "idempotencyKey": "k" * 201}, "idempotencyKey"),
        ({"content": "x", "dryRun": "perhaps"}, "dryRun"),
        ({"content": "x", "memoryDetails": "no object"}, "memoryDetails"),
        ({"content": "x", "memoryDetails": {"title": "t" * 301}}, "memoryDetails.title"),
        ({"content": "x", "memoryDetails": {"memoryType": "guess"}}, "memoryDetails.memoryType"),
        ({"content": "x", "memoryDetails": {"tags": [f"t{n}" for n in range(51)]}}, "memoryDetails.tags"),
        ({"content": "x", "memoryDetails": {"tags": ["t" * 51]}}, "memoryDetails.tags[0]"),
        ({"content": "x", "memoryDetails": {"tags": [7]}}, "memoryDetails.tags[0]"),
        ({"content": "x", "memoryDetails": {"confidence": 1.5}}, "memoryDetails.confidence"),
        ({"content": "x", "memoryDetails": {"confidence": -0.1}}, "memoryDetails.confidence"),
        ({"content": "x", "memoryDetails": {"importance": "high"}}, "memoryDetails.importance"),
        ({"content": "x", "memoryDetails": {"source": "oracle"}}, "memoryDetails.source"),
        ({"content": "x", "memoryDetails": {"metadata": [1]}}, "memoryDetails.metadata"),
        ({"content": "x", "memoryDetails": {"createdAt": "not-a-date"}}, "memoryDetails.createdAt"),
        ({"content": "x", "memoryDetails": {"pinned": "maybe"}}, "memoryDetails.pinned"),
        ({"content": "x", "memories": [{"content": "y"}]}, "memories"),
    ],
)
async def test_a_wrong_field_is_named_and_nothing_is_stored(world: World, fields: dict[str, Any], named: str) -> None:
    body = await world.ask("remember", **fields)

    assert (body["ok"], body["action"], body["error"]["code"]) == (False, "remember", "invalid_request")
    assert body["error"]["details"]["field"] == named
    assert named in body["error"]["message"]
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_the_longest_allowed_content_is_kept_whole(world: World) -> None:
    memory_id = await world.remember("é" * 200_000)

    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["content"] == "é" * 200_000


async def test_limits_of_details_are_inclusive(world: World) -> None:
    details = {"title": "t" * 300, "tags": [f"{n:050}" for n in range(50)], "confidence": 1, "importance": 0}

    body = await world.ask("remember", content=RESET, memoryDetails=details)

    assert (body["memory"]["confidence"], body["memory"]["importance"]) == (1, 0)
    assert len(body["memory"]["tags"]) == 50


@pytest.mark.parametrize("source", ["crawl", "import"])
async def test_text_of_low_trust_cannot_pin_itself(world: World, source: str) -> None:
    body = await world.ask("remember", content=RESET, memoryDetails={"source": source, "pinned": True})

    assert (body["memory"]["pinned"], body["memory"]["trust"]) == (False, "low")
    assert any("pinned" in warning for warning in body["warnings"])

"""What tool wrappers make of a payload: every default filled in, JSON and numbers as text."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from agent_memory.actions.registry import ALIASES, NAMES, find
from agent_memory.models.vocabulary import Channel
from support.actor import ROOT
from support.world import STORE, World

SCHEMA: dict[str, Any] = json.loads((ROOT / ".actor" / "input_schema.json").read_text(encoding="utf-8"))
EMPTY: dict[str, Any] = {"string": "", "array": [], "object": {}, "integer": None, "number": None, "boolean": None}
FIXED = {
    "id",
    "memoryId",
    "createdAt",
    "updatedAt",
    "tookMs",
    "results",
    "contextMarkdown",
    "markdown",
    "tokenEstimate",
    "message",
}


def filled(given: Mapping[str, Any]) -> dict[str, Any]:
    """`given` with every other field of the schema at its declared default, else empty."""
    return {
        name: given.get(name, field.get("default", EMPTY[field["type"]]))
        for name, field in SCHEMA["properties"].items()
        if name != "action"
    }


def plain(value: Any) -> Any:
    """`value` without what differs from run to run."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items() if name not in FIXED}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any JSON
    return [plain(inner) for inner in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any JSON


@pytest.mark.parametrize("action", [*NAMES, *ALIASES])
async def test_a_payload_with_every_default_filled_in_means_the_same(action: str) -> None:
    answers: list[str] = []
    for fill in (dict, filled):
        world = World(channel=Channel.CONSOLE)  # where everything may be done
        memory_id = await world.remember(
            "The staging database is reset nightly.", idempotencyKey="k", memoryDetails={"memoryType": "rule"}
        )
        proposed = await world.ask("propose", candidates=[{"content": "A review."}])
        review_id = proposed["results"][0]["reviewId"]
        text = json.dumps({**find(action).example, "memoryStoreId": STORE})
        text = text.replace("<memoryId>", memory_id).replace("<reviewId>", review_id)
        example: dict[str, Any] = json.loads(text)
        del example["action"]
        body = await world.ask(action, **fill(example))
        assert body["ok"], body
        told = json.dumps(plain(body), sort_keys=True)
        answers.append(told.replace(memory_id, "<memoryId>").replace(review_id, "<reviewId>"))

    assert answers[1] == answers[0]


async def test_filled_in_options_and_details_are_as_good_as_absent(world: World) -> None:
    details: dict[str, Any] = {
        "title": "",
        "tags": [],
        "category": "",
        "relatedUrls": [],
        "metadata": {},
        "createdAt": "",
        "source": "",
    }
    memory_id = await world.remember("Port 1 is open.", memoryDetails={**details, "memoryType": "", "confidence": None})
    options: dict[str, Any] = {
        "limit": 20,
        "includeArchived": False,
        "minScore": 0,
        "memoryTypes": [],
        "tags": [],
        "category": "",
        "projectId": "",
        "projectIds": [],
        "sessionId": "",
        "since": "",
        "until": "",
        "fullContent": False,
        "contentLength": 1000,
        "cursor": "",
        "ranking": "default",
    }
    decay = {"enabled": None, "halfLifeDays": 30, "minImportance": 0.1, "pruneThreshold": 0.05}

    for action in ("recall", "search"):
        body = await world.ask(action, query="port", searchOptions=options, decayConfig=decay)
        assert [memory["id"] for memory in body["memories"]] == [memory_id]
    memory = (await world.ask("get", memoryId=memory_id))["memories"][0]
    assert (memory["title"], memory["confidence"], memory["memoryType"]) == ("Port 1 is open.", 0.8, "general")


async def test_json_as_text_is_understood(world: World) -> None:
    body = await world.ask(
        "remember",
        content="Port 1 is open.",
        memoryDetails=json.dumps(
            {"tags": '["a", "b"]', "metadata": '{"k": 1}', "relatedUrls": '["https://a.example.com/x"]'}
        ),
    )

    memory = body["memory"]
    assert (memory["tags"], memory["metadata"], memory["relatedUrls"]) == (
        ["a", "b"],
        {"k": 1},
        ["https://a.example.com/x"],
    )
    got = await world.ask("get", memoryIds=json.dumps([memory["id"]]))
    assert got["memories"][0]["id"] == memory["id"]
    found = await world.ask("search", query="port", searchOptions='{"tags": "[\\"b\\"]", "limit": "5"}')
    assert found["count"] == 1
    plan = await world.ask("prune", decayConfig='{"enabled": "true", "halfLifeDays": "10"}', dryRun="true")
    assert (plan["decayEnabled"], plan["dryRun"]) == (True, True)


async def test_many_memories_as_text_are_understood(world: World) -> None:
    many = [{"content": "one fact", "memoryDetails": '{"tags": ["a"]}'}, {"content": "another fact"}]

    body = await world.ask("remember", memories=json.dumps(many))

    assert body["counts"]["created"] == 2


async def test_numbers_and_flags_as_text_are_understood(world: World) -> None:
    memory_id = await world.remember(
        "Port 1 is open.", memoryDetails={"confidence": "0.9", "importance": "1", "pinned": "true"}
    )

    memory = (await world.ask("get", memoryId=memory_id))["memories"][0]
    assert (memory["confidence"], memory["importance"], memory["pinned"]) == (0.9, 1, True)
    body = await world.ask("recall", maxResults="1", explain="true", searchOptions={"minScore": "0.0", "limit": "20"})
    assert "explain" in body["memories"][0]
    assert (await world.ask("context_pack", maxTokens="100"))["maxTokens"] == 100
    assert (await world.ask("chunk", content="Some text.", maxTokensPerChunk="50.0"))["ok"]


async def test_text_that_looks_like_json_stays_text(world: World) -> None:
    memory_id = await world.remember('{"port": 1}')

    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["content"] == '{"port": 1}'
    assert (await world.ask("search", query='["port"]'))["count"] == 1


async def test_fields_of_other_actions_are_ignored_whatever_they_hold(world: World) -> None:
    body = await world.ask("stats", query="x", maxResults=5000, memoryDetails="nothing", memories=7, maxTokens="x")

    assert body["ok"]

"""The gate against secrets: nothing that looks like one is stored, by any writing action, in any field."""

import json
from typing import Any

import pytest

from agent_memory.actions.base import WriteRequest
from agent_memory.actions.registry import all_actions
from support.lookalikes import FORMS, seeded
from support.world import World

TOKEN = FORMS["github"](seeded(7))
FIELDS: dict[str, dict[str, Any]] = {
    "content": {"content": f"Deploy with {TOKEN}."},
    "url": {"content": "x y", "url": f"https://example.org/cb?next={TOKEN}"},
    "projectId": {"content": "x y", "projectId": TOKEN},
    "sessionId": {"content": "x y", "sessionId": TOKEN},
    "idempotencyKey": {"content": "x y", "idempotencyKey": TOKEN},
    "toolCallId": {"content": "x y", "toolCallId": TOKEN},
    "memoryStoreId": {"content": "x y", "memoryStoreId": TOKEN},
    "memoryDetails.title": {"content": "x y", "memoryDetails": {"title": f"About {TOKEN}"}},
    "memoryDetails.category": {"content": "x y", "memoryDetails": {"category": TOKEN}},
    "memoryDetails.tags": {"content": "x y", "memoryDetails": {"tags": ["a", TOKEN]}},
    "memoryDetails.relatedUrls": {"content": "x y", "memoryDetails": {"relatedUrls": [f"https://a.org/{TOKEN}"]}},
    "memoryDetails.metadata": {"content": "x y", "memoryDetails": {"metadata": {"deep": [{"er": TOKEN}]}}},
}
KEY_IN_METADATA = {"content": "x y", "memoryDetails": {"metadata": {TOKEN: 1}}}
PASSWORD_IN_METADATA = {"content": "x y", "memoryDetails": {"metadata": {"db": {"password": "Tr0ub4dor&3"}}}}
UPDATABLE = [name for name in FIELDS if name in ("content", "url") or name.startswith("memoryDetails")]


def stored(world: World) -> bytes:
    return b"\n".join(value for store in world.stores for value in world.values(store).values())


@pytest.mark.parametrize("action", ["remember", "chunk"])
@pytest.mark.parametrize("field", FIELDS)
async def test_a_secret_in_any_field_is_refused_by_kind_and_field_and_never_repeated(
    world: World, action: str, field: str
) -> None:
    body = await world.ask(action, **FIELDS[field])

    assert body["error"]["code"] == "secret_refused", body
    assert body["error"]["details"] == {"field": field, "kind": "github_token"}
    assert "github_token" in body["error"]["message"]
    assert field in body["error"]["message"]
    assert TOKEN not in json.dumps(body)
    assert TOKEN[8:20] not in json.dumps(body)
    assert stored(world) == b""


async def test_a_key_is_redacted_also_where_it_holds_nothing(world: World) -> None:
    body = await world.ask("remember", content="x", onSecret="redact", memoryDetails={"metadata": {TOKEN: None}})
    assert body["memory"]["metadata"] == {"[redacted:github_token]": None}


@pytest.mark.parametrize("fields", [KEY_IN_METADATA, PASSWORD_IN_METADATA])
@pytest.mark.parametrize("action", ["remember", "chunk"])
async def test_a_secret_as_a_key_or_beside_a_telling_key_is_refused(
    world: World, action: str, fields: dict[str, Any]
) -> None:
    body = await world.ask(action, **fields)

    assert body["error"]["code"] == "secret_refused"
    assert body["error"]["details"]["field"] == "memoryDetails.metadata"


@pytest.mark.parametrize("field", UPDATABLE)
async def test_an_update_is_gated_like_a_new_memory(world: World, field: str) -> None:
    memory_id = await world.remember("Plain.")
    before = dict(world.values())

    body = await world.ask("update", memoryId=memory_id, **{**FIELDS[field], "content": FIELDS[field]["content"]})

    assert body["error"]["details"] == {"field": field, "kind": "github_token"}
    assert dict(world.values()) == before


async def test_a_secret_in_one_item_of_a_bulk_leaves_the_others_to_be_stored(world: World) -> None:
    body = await world.ask(
        "remember", memories=[{"content": "One."}, FIELDS["memoryDetails.tags"], {"content": "Three."}]
    )

    assert (body["counts"]["created"], body["counts"]["failed"]) == (2, 1)
    error = body["results"][1]["error"]
    assert (error["code"], error["details"]["field"]) == ("secret_refused", "memories[1].memoryDetails.tags")
    assert TOKEN.encode() not in stored(world)


@pytest.mark.parametrize("field", ["content", "url", *(name for name in FIELDS if name.startswith("memoryDetails"))])
@pytest.mark.parametrize("action", ["remember", "chunk"])
async def test_redact_stores_the_kind_in_the_place_of_the_secret(world: World, action: str, field: str) -> None:
    body = await world.ask(action, onSecret="redact", **FIELDS[field])

    assert body["ok"], body
    assert TOKEN.encode() not in stored(world)
    assert b"[redacted:github_token]" in stored(world)


async def test_redact_keeps_the_rest_of_the_text(world: World) -> None:
    body = await world.ask("remember", onSecret="redact", **FIELDS["content"])
    assert body["memory"]["content"] == "Deploy with [redacted:github_token]."
    assert body["memory"]["title"] == "Deploy with [redacted:github_token]."


async def test_redact_in_a_bulk_and_in_an_update(world: World) -> None:
    bulk = await world.ask("remember", onSecret="redact", memories=[FIELDS["content"], KEY_IN_METADATA])
    memory_id = bulk["results"][1]["memoryId"]
    body = await world.ask("update", memoryId=memory_id, onSecret="redact", **PASSWORD_IN_METADATA)

    assert bulk["counts"]["created"] == 2
    assert body["memory"]["metadata"]["db"]["password"] == "[redacted:assigned_secret]"
    assert next(iter(body["memory"]["metadata"])) == "[redacted:github_token]"
    assert TOKEN.encode() not in stored(world)


@pytest.mark.parametrize("field", ["projectId", "sessionId", "idempotencyKey", "toolCallId", "memoryStoreId"])
async def test_a_name_is_refused_even_where_texts_are_redacted(world: World, field: str) -> None:
    body = await world.ask("remember", onSecret="redact", **FIELDS[field])

    assert body["error"]["details"] == {"field": field, "kind": "github_token"}
    assert stored(world) == b""


async def test_a_retry_with_redaction_is_replayed(world: World) -> None:
    fields = {**FIELDS["content"], "idempotencyKey": "k-1", "onSecret": "redact"}
    first = await world.ask("remember", **fields)
    again = await world.ask("remember", **fields)

    assert (first["status"], again["status"]) == ("created", "replayed")


async def test_what_only_points_at_a_memory_is_not_gated_so_that_it_can_be_removed(world: World) -> None:
    for action in ("forget", "purge", "restore"):
        body = await world.ask(action, memoryId=TOKEN, confirm=f"DELETE {TOKEN}", projectId=TOKEN)
        assert body["error"]["code"] == "not_found"


async def test_reads_may_ask_for_anything(world: World) -> None:
    assert (await world.ask("search", query=FIELDS["content"]["content"]))["ok"]


def test_every_action_that_changes_a_store_passes_the_gate() -> None:
    changing = {action.name: action.request for action in all_actions() if not action.read_only}
    ungated = [name for name, request in changing.items() if not issubclass(request, WriteRequest)]
    assert ungated == []


PASSWORD = "Tr0ub4dor&3"
SHAPES: dict[str, Any] = {
    "a value below its name": {"password": {"value": PASSWORD}},
    "deeper": {"db": {"password": {"type": "string", "current": PASSWORD}}},
    "a list below its name": {"password": [PASSWORD]},
    "a list of objects": {"password": [{"value": PASSWORD}]},
    "name and value": {"env": [{"name": "DB_PASSWORD", "value": PASSWORD}]},
    "value and name": {"value": PASSWORD, "key": "smtp.password"},
    "a pair": {"headers": [["Host", "a.org"], ["X-Api-Key", "q6c51pcgnkpgf2vbd8gdiwzhdphbw6hb"]]},
    "a number": {"password": 93847561},
    "digits": {"user": {"pin": "93847561"}},
    "JSON in a text": {"raw": json.dumps({"password": {"value": PASSWORD}})},
}
HARMLESS: dict[str, Any] = {
    "rules": {"password": {"minLength": 12, "value": "required", "pattern": "[a-z0-9]{12,}"}},
    "a count": {"passwords": 12, "tokens": 1234567, "key": 7},
    "a form": {"name": "password", "type": "password", "value": ""},
    "a sort": {"key": "created_at2", "value": "desc"},
    "a usage": {"token": {"total": 123456789, "limit": 200000}},
    "a date": {"passwordChanged": 20261130, "tokenExpires": {"value": "2026-11-30T10:00:00Z"}},
}


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_secret_inside_a_structure_is_found_and_redacted(world: World, shape: str) -> None:
    given = {"content": "x y", "memoryDetails": {"metadata": SHAPES[shape]}}
    refused = await world.ask("remember", **given)
    redacted = await world.ask("remember", **given, onSecret="redact")

    assert refused["error"]["code"] == "secret_refused", refused
    assert refused["error"]["details"]["field"] == "memoryDetails.metadata"
    assert PASSWORD not in json.dumps(refused)
    assert redacted["ok"], redacted
    assert "[redacted:" in json.dumps(redacted["memory"]["metadata"])
    for secret in (PASSWORD.encode(), b"93847561", b"q6c51pcgnk"):
        assert secret not in stored(world)


@pytest.mark.parametrize("shape", HARMLESS)
async def test_a_structure_that_only_speaks_of_secrets_is_stored_as_it_is(world: World, shape: str) -> None:
    body = await world.ask("remember", content="x y", memoryDetails={"metadata": HARMLESS[shape]})

    assert body["ok"], body
    assert body["memory"]["metadata"] == HARMLESS[shape]

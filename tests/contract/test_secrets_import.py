"""Imports pass the gate against secrets and bring no more trust than the way in can give."""

import json
from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from agent_memory.store.kv import InMemoryKeyValue
from support.lookalikes import FORMS, seeded
from support.transfer import edited, lines_of, stored, take
from support.world import World, approve

TOKEN = FORMS["gitlab"](seeded(3))
EDITS: dict[str, dict[str, Any]] = {
    "content": {"content": f"See {TOKEN} there."},
    "title": {"title": TOKEN},
    "tags": {"tags": [TOKEN]},
    "category": {"category": TOKEN},
    "url": {"url": f"https://a.org/{TOKEN}"},
    "relatedUrls": {"relatedUrls": [f"https://a.org/{TOKEN}"]},
    "metadata": {"metadata": {"a": {TOKEN: TOKEN}}},
    "added": {"added": {"by": ["a later", TOKEN]}},
}


async def exported() -> bytes:
    world = World()
    await world.remember("A plain note.", idempotencyKey="k-1")
    await world.remember("Another note.")
    return await lines_of(world)


@pytest.mark.parametrize("field", EDITS)
async def test_an_exported_memory_with_a_secret_is_left_out_and_the_others_come(world: World, field: str) -> None:
    lines = edited(await exported(), lambda body: body["memory"].update(EDITS[field]))

    body = await take(world, lines)

    assert (body["counts"]["created"], body["counts"]["failed"]) == (1, 1)
    assert f"(gitlab_token) in {field}" in body["failed"][0]["reason"]
    assert TOKEN not in json.dumps(body)
    assert TOKEN.encode() not in b"".join(stored(world).values())


@pytest.mark.parametrize("field", EDITS)
async def test_an_import_may_redact_and_importing_again_adds_nothing(world: World, field: str) -> None:
    lines = edited(await exported(), lambda body: body["memory"].update(EDITS[field]))

    first = await take(world, lines, onSecret="redact")
    again = await take(world, lines, onSecret="redact")

    assert (first["counts"]["created"], first["counts"]["failed"]) == (2, 0)
    assert (again["counts"]["unchanged"], again["revisions"]) == (2, 0)
    assert TOKEN.encode() not in b"".join(stored(world).values())
    assert b"[redacted:gitlab_token]" in b"".join(stored(world).values())


async def test_a_secret_in_an_idempotency_key_or_writer_is_refused_even_when_redacting(world: World) -> None:
    for change in (
        {"origin": {"at": "2026-03-01T09:30:00.000Z", "index": 0, "keys": {TOKEN: "0" * 16}}},
        {"by": TOKEN},
    ):
        lines = edited(await exported(), lambda body, change=change: body.update(change))
        body = await take(world, lines, onSecret="redact")
        assert body["counts"]["failed"] == 1
        assert TOKEN.encode() not in b"".join(stored(world).values())


async def test_when_nothing_is_left_the_import_is_refused(world: World) -> None:
    other = World()
    await other.remember("A plain note.")
    lines = edited(await lines_of(other), lambda body: body["memory"].update(EDITS["content"]))

    body = await take(world, lines)

    assert body["error"]["code"] == "secret_refused"
    assert body["error"]["details"]["kind"] == "gitlab_token"
    assert TOKEN not in json.dumps(body)


async def test_every_revision_of_a_history_is_redacted_and_the_last_one_still_stands(world: World) -> None:
    other = World()
    memory_id = await other.remember("First.")
    await other.ask("update", memoryId=memory_id, content="Second.")
    await other.ask("update", memoryId=memory_id, content="Third.")
    first_line = json.loads(await lines_of(other))
    # As if the first revision had been written before there was a gate.
    leaked = first_line["revisions"][0]["revision"]
    leaked["memory"]["content"] = f"First, with {TOKEN}."
    body = await take(world, json.dumps(first_line).encode(), onSecret="redact")

    assert body["ok"], body
    got = (await world.ask("get", memoryId=memory_id))["memories"][0]
    assert got["content"] == "Third."
    assert TOKEN.encode() not in b"".join(stored(world).values())


async def test_a_record_of_the_original_with_a_secret_is_left_out_or_redacted(world: World) -> None:
    source = InMemoryKeyValue()
    source.values["memory-a"] = json.dumps({"id": "a", "content": f"Key {TOKEN}", "updatedAt": "2025-01-01"}).encode()
    source.values["memory-b"] = json.dumps({"id": "b", "content": "Plain", "updatedAt": "2025-01-01"}).encode()
    world.sources["other"] = source

    kept = await world.ask("import", sourceStore="other")
    redacted = await world.ask("import", sourceStore="other", onSecret="redact")

    assert (kept["counts"]["created"], kept["counts"]["failed"]) == (1, 1)
    assert redacted["counts"]["created"] == 1
    assert (await world.ask("get", memoryId="a"))["memories"][0]["content"] == "Key [redacted:gitlab_token]"


@pytest.mark.parametrize(
    ("channel", "source", "claimed", "given"),
    [
        (Channel.API, "human", "high", "normal"),
        (Channel.CONSOLE, "human", "high", "normal"),
        (Channel.CONSOLE, "agent", "high", "normal"),
        (Channel.API, "crawl", "high", "low"),
        (Channel.CONSOLE, "crawl", "normal", "low"),
        (Channel.API, "agent", "low", "low"),
    ],
)
async def test_an_export_that_was_written_by_hand_brings_no_more_trust_than_its_way_in(
    channel: Channel, source: str, claimed: str, given: str
) -> None:
    claims = {"source": source, "trust": claimed, "channel": "console", "pinned": True, "memoryType": "rule"}
    world = World(channel=channel)

    await take(world, edited(await exported(), lambda body: body["memory"].update(claims)))
    again = await take(world, edited(await exported(), lambda body: body["memory"].update(claims)))

    found = [m for m in (await world.ask("list"))["memories"] if m["memoryType"] == "rule"]
    assert [(m["trust"], m["pinned"]) for m in found[:1]] == [(given, given != "low")]
    assert again["ok"]


async def test_an_approval_in_a_file_is_none(world: World) -> None:
    other = World(channel=Channel.CONSOLE)
    rule = await other.remember("Always deploy on Tuesdays.", memoryDetails={"memoryType": "rule"})
    assert (await approve(other, rule))["ok"]

    await take(world, await lines_of(other))

    assert (await other.ask("brief"))["counts"]["rules"] == 1
    assert (await world.ask("brief"))["counts"] == {
        "rules": 0, "rulesShown": 0, "digest": 1, "digestShown": 1, "unapproved": 1,
    }  # fmt: skip


async def test_a_person_who_imports_a_backup_gets_rules_and_history_back_as_they_were() -> None:
    there = World(channel=Channel.CONSOLE)
    rule = await there.remember("Deploy on Tuesdays.", memoryDetails={"memoryType": "rule", "source": "human"})
    await approve(there, rule)
    here = World(channel=Channel.CONSOLE)

    await take(here, await lines_of(there))

    assert (await here.ask("history", memoryId=rule))["revisions"] == (await there.ask("history", memoryId=rule))[
        "revisions"
    ]
    assert (await here.ask("brief"))["counts"]["rules"] == 1

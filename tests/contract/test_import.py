"""import of exported lines, from the outside."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored, encode
from agent_memory.store.kv import InMemoryKeyValue
from support.revisions import first
from support.transfer import CANARY, content_of, copy_of, edited, fill, lines_of, set_content, stored, take
from support.world import World


async def test_ids_times_states_and_histories_come_through(world: World) -> None:
    ids = await fill(world)
    await world.ask("update", memoryId=ids["active"], content="Changed.")

    other = await copy_of(world)

    for action, given in (
        ("list", {"status": "all"}),
        ("history", {"memoryId": ids["active"]}),
        ("get", {"memoryId": ids["archived"]}),
    ):
        there, here = [await side.ask(action, **given) for side in (world, other)]
        assert {**here, "tookMs": 0} == {**there, "tookMs": 0}, action
    assert (await other.ask("restore", memoryId=ids["forgotten"]))["ok"]


async def test_an_idempotency_key_still_stands_for_the_memory_it_made(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.", idempotencyKey="k")

    other = await copy_of(world)
    again = await other.ask("remember", content="Port 1 is open.", idempotencyKey="k")

    assert (again["status"], again["memory"]["id"]) == ("replayed", memory_id)


async def test_what_is_newer_here_stays_and_what_is_newer_there_comes(world: World) -> None:
    mine, theirs = await world.remember("Port 1 is open."), await world.remember("Keys rotate weekly.")
    other = await copy_of(world)
    await other.ask("update", memoryId=mine, content="Port 9 is open.")
    await world.ask("update", memoryId=theirs, content="Keys rotate daily.")

    body = await take(other, await lines_of(world))

    assert await content_of(other, mine) == "Port 9 is open."
    assert await content_of(other, theirs) == "Keys rotate daily."
    assert (body["counts"]["updated"], body["counts"]["unchanged"]) == (1, 1)


async def test_changes_on_both_sides_are_both_kept(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    other = await copy_of(world)
    other.wait(days=1)
    await world.ask("update", memoryId=memory_id, content="Port 2 is open.")
    await other.ask("update", memoryId=memory_id, content="Port 3 is open.")

    await take(other, await lines_of(world))
    await take(world, await lines_of(other))

    assert await content_of(other, memory_id) == "Port 3 is open."
    assert len((await other.ask("get", memoryId=memory_id))["memories"][0]["conflicts"]) == 1
    assert await lines_of(world) == await lines_of(other)


async def test_a_forget_here_is_not_undone_by_a_change_there(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    other = await copy_of(world)
    await other.ask("forget", memoryId=memory_id)
    await world.ask("update", memoryId=memory_id, content="Port 2 is open.")

    await take(other, await lines_of(world))

    assert (await other.ask("get", memoryId=memory_id))["error"]["code"] == "not_found"


async def test_a_forget_there_arrives_with_status_all(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    other = await copy_of(world)
    await world.ask("forget", memoryId=memory_id)

    await take(other, await lines_of(world, status="all"))

    assert (await other.ask("get", memoryId=memory_id))["error"]["code"] == "not_found"


async def test_what_was_purged_here_leaves_no_byte_of_an_import(world: World) -> None:
    memory_id = await world.remember(CANARY)
    lines = await lines_of(world)
    await world.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}")

    body = await take(world, lines)

    assert body["counts"]["kept"] == 1
    assert not any(CANARY.encode() in value for value in stored(world).values())
    assert (await world.ask("get", memoryId=memory_id))["error"]["code"] == "not_found"


async def test_a_purge_there_removes_every_byte_here(world: World) -> None:
    memory_id = await world.remember(CANARY)
    await world.remember("Port 1 is open.")
    other = await copy_of(world)
    assert any(CANARY.encode() in value for value in stored(other).values())
    await world.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}")

    body = await take(other, await lines_of(world))

    assert body["counts"]["purged"] == 1
    assert not any(CANARY.encode() in value for value in stored(other).values())
    assert (await other.ask("stats"))["totalMemories"] == 1


async def test_an_id_with_another_history_here_stays_as_it_is(world: World) -> None:
    store = world.memory_store()
    await store.commit(await store.load(), [first("m-1", "Ours.", "2026-01-01T00:00:00.000Z")])
    other = World()
    theirs = other.memory_store()
    await theirs.commit(await theirs.load(), [first("m-1", "Theirs.", "2026-02-01T00:00:00.000Z")])

    body = await take(world, await lines_of(other))

    assert body["counts"]["kept"] == 1
    assert "another history" in body["warnings"][0]
    assert await content_of(world, "m-1") == "Ours."


async def test_a_dry_run_says_what_would_happen_and_stores_nothing(world: World) -> None:
    await world.remember("Port 1 is open.")
    other = World()

    body = await take(other, await lines_of(world), dryRun=True)

    assert (body["counts"]["created"], body["revisions"], body["dryRun"]) == (1, 1, True)
    assert body["message"].startswith("Would import")
    assert stored(other) == {}


async def test_a_bom_and_windows_line_ends_are_fine(world: World) -> None:
    await world.remember("Port 1 is open.")
    await world.remember("Zeile eins.\r\nZeile zwei.")
    lines = await lines_of(world)

    other = World()
    body = await take(other, b"\xef\xbb\xbf" + lines.replace(b"\n", b"\r\n") + b"\r\n\r\n")

    assert (body["counts"]["created"], body["counts"]["failed"]) == (2, 0)
    assert await lines_of(other) == lines


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"not json", "is no JSON"),
        (b'{"agentMemoryExport":1', "is no JSON"),
        (b"\xff\xfe{", "no text in UTF-8"),
        (b"[1]", "is no line of an export"),
        (b'{"id": "a", "content": "x"}', "is no line of an export"),
        (b'{"agentMemoryExport":2,"id":"a","revisions":[]}', "export format 2, this version reads 1"),
        (b'{"agentMemoryExport":1,"id":"a","revisions":[]}', "has no revisions"),
        (b'{"agentMemoryExport":1,"id":"a","revisions":[{"key":"memory-a","revision":{}}]}', "without a key"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
async def test_a_bad_line_is_named_by_its_number_and_stops_no_other(world: World, bad: bytes, reason: str) -> None:
    await world.remember("Port 1 is open.")
    await world.remember("Port 2 is open.")
    one, two = (await lines_of(world)).splitlines()

    other = World()
    body = await take(other, b"\n".join([one, bad, two]))

    assert (body["counts"]["created"], body["counts"]["failed"]) == (2, 1)
    (failed,) = body["failed"]
    assert (failed["source"], failed["line"]) == ("EXPORT", 2)
    assert reason in failed["reason"]
    assert "EXPORT line 2" in body["warnings"][0]


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("memory.content", 5, "wrong memory.content"),
        ("memory.title", None, "wrong memory.title"),
        ("memory.title", "\ud800", "surrogate"),
        ("memory.tags", "a", "wrong memory.tags"),
        ("memory.confidence", 1.5, "lie in 0-1"),
        ("memory.importance", float("nan"), "Out of range"),
        ("memory.metadata", {"k": float("inf")}, "Out of range"),
        ("memory.metadata", json.loads('{"a":' * 60 + "1" + "}" * 60), "nested deeper"),
        ("memory.document", {"documentId": "d"}, "wrong memory.document.index"),
        ("memory.updatedAt", "tomorrow", "is no date"),
        ("memory.createdAt", "2026-03-01", "UTC with milliseconds"),
        ("memory.memoryType", "poem", "poem"),
        ("memory.id", "another", "more than one id"),
        ("format", 2, "this version reads 1"),
        ("state", "purged", "says purged"),
        ("number", 10**12, "number"),
        ("number", -5, "number"),
        ("origin", [], "wrong origin"),
    ],
)
async def test_a_line_that_no_store_could_hold_is_refused_with_the_reason(
    world: World, place: str, value: object, reason: str
) -> None:
    def change(body: dict[str, Any]) -> None:
        *parents, name = place.split(".")
        (body[parents[0]] if parents else body)[name] = value

    await world.remember("Port 1 is open.")
    await world.remember("Port 2 is open.")

    other = World()
    body = await take(other, edited(await lines_of(world), change))

    assert (body["counts"]["created"], body["counts"]["failed"]) == (1, 1)
    assert reason in body["failed"][0]["reason"]
    assert (await other.ask("recall"))["count"] == 1


async def test_an_export_of_which_nothing_can_be_read_is_an_error(world: World) -> None:
    body = await take(world, b"a\nb\n")

    assert body["error"]["code"] == "invalid_request"
    assert [problem["line"] for problem in body["error"]["details"]["failed"]] == [1, 2]
    assert stored(world) == {}


async def test_an_edited_line_counts_as_a_change_and_is_said(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    lines = edited(await lines_of(world), set_content("Port 7 is open."))

    for side in (world, World()):
        body = await take(side, lines)
        assert "Revisions edited since their export: 1" in body["warnings"][0]
        assert await content_of(side, memory_id) == "Port 7 is open."
        assert (await take(side, lines))["revisions"] == 0


async def test_a_later_change_here_wins_over_an_edited_line(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    lines = edited(await lines_of(world), set_content("Port 7 is open."))
    await world.ask("update", memoryId=memory_id, content="Port 9 is open.")

    await take(world, lines)

    assert await content_of(world, memory_id) == "Port 9 is open."


@pytest.mark.parametrize("given", [{}, {"importPath": "a", "sourceStore": "b"}])
async def test_a_source_must_be_named_and_only_one(world: World, given: Mapping[str, str]) -> None:
    body = await world.ask("import", **given)

    assert (body["error"]["code"], body["error"]["details"]) == ("invalid_request", {"field": "importPath"})


@pytest.mark.parametrize("given", ["a b", "../x", "https://example.com", "a~b~c"])
async def test_what_can_be_no_store_is_refused(world: World, given: str) -> None:
    body = await world.ask("import", sourceStore=given)

    assert (body["error"]["code"], body["error"]["details"]) == ("invalid_request", {"field": "sourceStore"})


async def test_a_store_without_anything_to_import_says_what_was_looked_for(world: World) -> None:
    source = InMemoryKeyValue()
    source.values.update({"INPUT": b"{}", "OUTPUT": b"{}"})
    world.sources["other"] = source

    body = await world.ask("import", sourceStore="other")

    assert body["error"]["code"] == "invalid_request"
    assert "EXPORT" in body["error"]["message"]


async def test_a_memory_store_of_this_version_is_not_taken_for_an_export(world: World) -> None:
    await world.remember("Port 1 is open.")
    other = World(sources={"mine": world.memory_store().kv})

    body = await other.ask("import", sourceStore="mine")

    assert "memoryStoreId" in body["error"]["message"]


async def test_ten_thousand_lines_are_imported_with_progress() -> None:
    world = World()
    store = world.memory_store()
    everything: list[Stored] = [encode(first(f"m-{n}", f"Port {n} is open.", index=n)) for n in range(10_000)]
    await store.add(await store.load(), everything)
    other = World()

    body = await take(other, await lines_of(world))

    assert body["counts"]["created"] == 10_000
    assert sum("read" in what for _, _, what in other.told) >= 10
    assert sum(key.startswith("segment-") for key in stored(other)) <= 3
    assert all(head.state is State.ACTIVE for head in (await other.memory_store().load()).heads.values())

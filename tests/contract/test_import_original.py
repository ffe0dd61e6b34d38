"""import of the original Actor's stores: a local folder, or a key-value store on Apify."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from agent_memory.store.files import Files
from agent_memory.store.kv import InMemoryKeyValue
from support.world import World

ID = "0a1b2c3d-0000-4000-8000-000000000001"
OTHER = "0a1b2c3d-0000-4000-8000-000000000002"
CREATED, UPDATED = "2025-11-02T08:00:00.000Z", "2025-12-24T18:30:00.000Z"


def record(memory_id: str = ID, **fields: Any) -> dict[str, Any]:
    """A record as the original Actor wrote it."""
    return {
        "id": memory_id,
        "url": "https://www.shop.example.com/checkout/?utm_source=mail",
        "site": "shop.example.com",
        "title": "Pay button",
        "content": "The pay button is button[data-test=pay].",
        "memoryType": "selector",
        "tags": ["checkout", "selector"],
        "confidence": 0.85,
        "importance": 0.7,
        "decayedImportance": 0.61,
        "category": "shop",
        "source": "agent",
        "projectId": "shop",
        "relatedUrls": ["https://shop.example.com/cart"],
        "createdAt": CREATED,
        "updatedAt": UPDATED,
        "contentHash": "not-what-we-would-compute",
        "archived": False,
        "metadata": {"speaker": "Robot 7"},
        **fields,
    }


def as_store(**values: Any) -> InMemoryKeyValue:
    """The records as a key-value store on Apify holds them, with the manifest that nobody trusts."""
    source = InMemoryKeyValue()
    everything = {"__manifest": {"version": 1, "memoryIds": ["long-gone"]}, **values}
    source.values.update({key: dump(value) for key, value in everything.items()})
    return source


def dump(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


async def take(world: World, *records: Any, **values: Any) -> dict[str, Any]:
    """The answer to importing a store that holds `records` under their keys, and `values`."""
    keyed = {f"memory-{given['id']}": given for given in records}
    world.sources["theOriginal"] = as_store(**keyed, **values)
    return await world.ask("import", sourceStore="theOriginal")


async def only(world: World, memory_id: str = ID) -> dict[str, Any]:
    body = await world.ask("get", memoryId=memory_id)
    assert body["ok"], body
    return body["memories"][0]


async def test_every_field_comes_over_with_id_and_times(world: World) -> None:
    body = await take(world, record())

    assert (body["counts"]["created"], body["warnings"]) == (1, [])
    memory = await only(world)
    kept = ("id", "site", "title", "content", "memoryType", "tags", "confidence", "importance", "category", "source")
    kept = (*kept, "projectId", "relatedUrls", "createdAt", "updatedAt", "archived", "metadata")
    assert {name: memory[name] for name in kept} == {name: record()[name] for name in kept}
    assert memory["url"] == "https://www.shop.example.com/checkout"
    assert memory["decayedImportance"] == 0.61
    assert (memory["channel"], memory["trust"]) == ("api", "normal")
    assert memory["contentHash"] != record()["contentHash"]


async def test_a_local_folder_without_sidecars_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "original"
    folder.mkdir()
    values = {f"memory-{ID}.json": record(), "__manifest.json": {"version": 1}, "archived_memories.json": [
        record(OTHER, content="An old note.")]}  # fmt: skip
    for name, value in values.items():
        (folder / name).write_bytes(b"\xef\xbb\xbf" + dump(value))
    world = World(files=Files(tmp_path))

    body = await world.ask("import", importPath="original")

    assert body["counts"]["created"] == 2
    assert body["sources"] == ["2 entries of the original Actor"]
    assert (await world.ask("stats"))["archived"] == 1


async def test_a_single_record_file_is_read(tmp_path: Path) -> None:
    (tmp_path / f"memory-{ID}.json").write_bytes(dump(record()))
    world = World(files=Files(tmp_path))

    body = await world.ask("import", importPath=f"memory-{ID}.json")

    assert body["counts"]["created"] == 1


@pytest.mark.parametrize(
    "archive",
    [
        [record(OTHER)],
        {OTHER: record(OTHER)},
        {OTHER: {name: value for name, value in record().items() if name != "id"}},
        {"memories": [record(OTHER)]},
        {"memories": {OTHER: record(OTHER)}},
    ],
    ids=["list", "table", "table-without-ids", "list-below", "table-below"],
)
async def test_archived_memories_come_over_as_archived(world: World, archive: Any) -> None:
    await take(world, record(content="Another."), archived_memories=archive)

    assert (await only(world, OTHER))["archived"] is True
    assert (await only(world))["archived"] is False
    assert (await world.ask("recall"))["count"] == 1


@pytest.mark.parametrize(("live", "archived", "wins"), [
    (UPDATED, CREATED, "live"), (CREATED, UPDATED, "archived"), (UPDATED, UPDATED, "live"),
])  # fmt: skip
async def test_of_an_id_in_both_the_later_change_wins(world: World, live: str, archived: str, wins: str) -> None:
    await take(
        world,
        record(content="live", updatedAt=live),
        archived_memories=[record(content="archived", updatedAt=archived)],
    )

    memory = await only(world)
    assert (memory["content"], memory["archived"]) == (wins, wins == "archived")


async def test_an_emptied_record_is_deleted_unless_the_archive_has_it(world: World) -> None:
    empty = {f"memory-{ID}": None, f"memory-{OTHER}": None}

    body = await take(world, archived_memories=[record(OTHER)], **empty)

    assert (body["counts"]["created"], body["counts"]["deleted"]) == (1, 1)
    assert (await only(world, OTHER))["archived"] is True
    assert (await world.ask("get", memoryId=ID))["error"]["code"] == "not_found"


async def test_unknown_fields_stay_through_updates(world: World) -> None:
    await take(world, record(accessCount=7, lastTool={"name": "crawler"}))
    await world.ask("update", memoryId=ID, content="Changed.")

    memory = await only(world)

    assert (memory["content"], memory["accessCount"], memory["lastTool"]) == ("Changed.", 7, {"name": "crawler"})


@pytest.mark.parametrize(("source", "trust"), [
    ("agent", "normal"), ("human", "normal"), ("crawl", "low"), ("import", "low"),
])  # fmt: skip
async def test_trust_follows_the_source_and_low_trust_is_never_pinned(world: World, source: str, trust: str) -> None:
    await take(world, record(source=source, pinned=True))

    memory = await only(world)

    assert (memory["source"], memory["trust"], memory["pinned"]) == (source, trust, trust != "low")


async def test_the_way_in_is_the_runs_own(world: World) -> None:
    world.channel = Channel.CONSOLE

    await take(world, record(channel="api", trust="high"))

    memory = await only(world)
    assert (memory["channel"], memory["trust"]) == ("console", "normal")


async def test_dates_ahead_are_set_to_now_and_said(world: World) -> None:
    body = await take(world, record(updatedAt="2099-01-01T00:00:00Z"))

    memory = await only(world)
    assert memory["createdAt"] == CREATED
    assert memory["updatedAt"] <= world.now.isoformat()
    assert "lies ahead" in body["warnings"][0]


async def test_offsets_are_normalised_and_a_missing_date_is_taken_from_the_other(world: World) -> None:
    given = record(createdAt="2025-11-02T17:00:00+09:00")
    del given["updatedAt"]

    await take(world, given)

    memory = await only(world)
    assert (memory["createdAt"], memory["updatedAt"]) == (CREATED, CREATED)


@pytest.mark.parametrize(
    ("field", "value", "shown", "kept"),
    [
        ("memoryType", "poem", "general", "originalMemoryType"),
        ("source", "robot", "agent", "originalSource"),
        ("confidence", 1.5, 0.8, "originalConfidence"),
        ("confidence", "very", 0.8, "originalConfidence"),
        ("importance", True, 0.5, "originalImportance"),
        ("tags", "a, b", [], "originalTags"),
        ("metadata", ["x"], {}, "originalMetadata"),
        ("url", "ftp://old.example.com/x", None, "originalUrl"),
    ],
)
async def test_what_is_not_understood_is_said_and_kept_beside_the_memory(
    world: World, field: str, value: Any, shown: Any, kept: str
) -> None:
    body = await take(world, record(**{field: value}))

    memory = await only(world)
    assert memory[field] == shown
    assert memory[kept] == value
    assert body["counts"]["created"] == 1
    assert "Not taken over as it was" in body["warnings"][0]


async def test_numbers_as_text_are_numbers(world: World) -> None:
    await take(world, record(confidence="0.9"))

    assert (await only(world))["confidence"] == 0.9


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"{not json", "is no JSON"),
        (b"\xff\xfe", "no text in UTF-8"),
        ("a text", "is no record of a memory"),
        (record(content="  "), "has no content"),
        (record(content="x" * 200_001), "200001 characters"),
        (record(memory_id="a b"), "has no id"),
        (b'{"id":"a","content":"x","metadata":{"k":NaN}}', "NaN"),
        (b'{"id":"a","content":"half \\ud800"}', "surrogate"),
        (record(metadata={"big": "x" * 4_100_000}), "4.1 MB"),
    ],
    ids=["no-json", "no-utf8", "no-record", "blank", "long", "bad-id", "nan", "surrogate", "too-large"],
)
async def test_a_bad_record_is_named_and_stops_no_other(world: World, value: Any, reason: str) -> None:
    body = await take(world, record(OTHER), **{f"memory-{ID}": value})

    assert (body["counts"]["created"], body["counts"]["failed"]) == (1, 1)
    assert body["failed"][0]["source"] == f"memory-{ID}"
    assert reason in body["failed"][0]["reason"]
    assert (await world.ask("stats"))["totalMemories"] == 1


@pytest.mark.parametrize("fields", [{}, {"updatedAt": "2099-01-01T00:00:00Z"}, {"createdAt": None, "updatedAt": None}])
async def test_importing_again_by_another_way_in_changes_nothing(world: World, fields: dict[str, Any]) -> None:
    await take(world, record(**fields))
    before = await world.ask("history", memoryId=ID)
    world.wait(days=3)
    world.channel = Channel.CONSOLE

    body = await take(world, record(**fields))

    assert (body["counts"]["unchanged"], body["revisions"]) == (1, 0)
    assert (await world.ask("history", memoryId=ID))["revisions"] == before["revisions"]


async def test_what_was_changed_or_forgotten_here_stays_so(world: World) -> None:
    await take(world, record(), record(OTHER))
    await world.ask("update", memoryId=ID, content="Changed here.")
    await world.ask("forget", memoryId=OTHER)

    await take(world, record(content="Changed there.", updatedAt="2026-01-01T00:00:00Z"), record(OTHER))

    assert (await only(world))["content"] == "Changed here."
    assert (await world.ask("get", memoryId=OTHER))["error"]["code"] == "not_found"


async def test_what_the_original_changed_since_the_first_import_comes_over(world: World) -> None:
    await take(world, record())

    body = await take(world, record(content="Changed there.", updatedAt="2026-01-01T00:00:00Z"))

    assert body["counts"]["updated"] == 1
    assert (await only(world))["content"] == "Changed there."


async def test_an_imported_old_fact_is_old(world: World) -> None:
    await take(world, record(confidence=0.5))

    faded = await world.ask("prune", dryRun=True, decayConfig={"enabled": True, "halfLifeDays": 7})
    shown = await world.ask("recall", asOf="2025-12-25T00:00:00Z")
    before = await world.ask("recall", asOf="2025-12-24T00:00:00Z")

    assert (shown["count"], before["count"], faded["pruned"]) == (1, 0, 1)


async def test_an_imported_store_exports_and_imports_like_any_other(world: World) -> None:
    await take(world, record(), archived_memories=[record(OTHER, content="Another.")])
    await world.ask("export")

    other = World(sources={"copy": world.records})
    await other.ask("import", sourceStore="copy")
    await other.ask("export")

    assert other.records.values == world.records.values

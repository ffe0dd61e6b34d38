"""chunk: a long document as memories, kept in step with it."""

from itertools import pairwise
from typing import Any

import pytest

from support.world import World

URL = "https://wiki.example.com/runbook"
SECTIONS = [
    "# Runbook\n\nRead this before you are on call.\n\n",
    "## Restore a backup\n\nStop the workers first. Then run the restore job. Watch the queue.\n\n",
    "## Rotate a key\n\nMake the new key. Give it to the gateway. Remove the old key after a day.\n\n",
    "## Fail over\n\nTell the team. Point the alias at the other region. Check the error rate.\n",
]
DOCUMENT = "".join(SECTIONS)


async def split(world: World, content: str = DOCUMENT, **fields: Any) -> dict[str, Any]:
    body = await world.ask("chunk", content=content, **{"url": URL, "maxTokensPerChunk": 40, **fields})
    assert body["ok"], body
    return body


async def test_a_document_becomes_memories_that_are_found(world: World) -> None:
    body = await split(world)

    assert len(body["chunks"]) >= 4
    assert body["counts"] == {"created": len(body["chunks"]), "updated": 0, "unchanged": 0, "archived": 0}
    found = await world.ask("search", query="rotate a key gateway")
    top = found["memories"][0]
    assert top["id"] in {chunk["memoryId"] for chunk in body["chunks"]}
    assert top["url"] == URL
    assert "Rotate a key" in top["title"]


async def test_chunks_rejoin_by_their_offsets(world: World) -> None:
    text = "Grüße 👩‍👩‍👧 aus Kraków.\r\n\r\n" + DOCUMENT + "終わりです。" * 50
    body = await split(world, text)

    chunks = body["chunks"]
    assert [chunk["index"] for chunk in chunks] == list(range(len(chunks)))
    assert all(text[chunk["start"] : chunk["end"]] == chunk["content"] for chunk in chunks)
    kept = "".join(text[a["end"] : b["start"]] for a, b in pairwise(chunks))
    assert not kept.strip()
    assert all(a["end"] <= b["start"] for a, b in pairwise(chunks))
    assert not text[: chunks[0]["start"]].strip()
    assert not text[chunks[-1]["end"] :].strip()


async def test_each_chunk_says_its_place_and_stays_within_its_tokens(world: World) -> None:
    for chunk in (await split(world))["chunks"]:
        assert set(chunk) == {"index", "memoryId", "status", "content", "tokens", "start", "end", "heading"}
        assert 0 < chunk["tokens"] <= 40


async def test_a_fenced_block_that_fits_is_not_split(world: World) -> None:
    block = "```python\n" + "\n".join(f"step_{n}()" for n in range(12)) + "\n```\n"

    body = await split(world, "Intro. " * 12 + "\n\n" + block + "\nOutro. " * 12, maxTokensPerChunk=120)

    assert sum(block.strip() in chunk["content"] for chunk in body["chunks"]) == 1


async def test_the_same_document_again_changes_nothing(world: World) -> None:
    first = await split(world)
    world.wait(days=5)
    again = await split(world)

    assert again["documentId"] == first["documentId"]
    assert again["counts"] == {"created": 0, "updated": 0, "unchanged": len(first["chunks"]), "archived": 0}
    assert [c["memoryId"] for c in again["chunks"]] == [c["memoryId"] for c in first["chunks"]]
    assert (await world.ask("stats"))["totalMemories"] == len(first["chunks"])


async def test_a_changed_passage_updates_its_chunk_and_leaves_the_others(world: World) -> None:
    first = await split(world)
    again = await split(world, DOCUMENT.replace("after a day", "after a week"))

    assert [c["memoryId"] for c in again["chunks"]] == [c["memoryId"] for c in first["chunks"]]
    assert sorted(c["status"] for c in again["chunks"]) == sorted(
        ["updated"] + ["unchanged"] * (len(first["chunks"]) - 1)
    )
    assert (await world.ask("search", query="old key after a week"))["count"] >= 1


async def test_a_vanished_passage_is_archived(world: World) -> None:
    await split(world)
    again = await split(world, SECTIONS[0] + SECTIONS[1] + SECTIONS[3])

    assert again["counts"]["archived"] >= 1
    assert (await world.ask("search", query="rotate gateway"))["memories"] == []
    found = await world.ask("search", query="rotate gateway", searchOptions={"includeArchived": True})
    assert [m["archived"] for m in found["memories"]] == [True]


async def test_a_passage_that_comes_back_is_active_again(world: World) -> None:
    await split(world)
    await split(world, SECTIONS[0] + SECTIONS[1] + SECTIONS[3])
    await split(world)

    stats = await world.ask("stats")
    assert (await world.ask("search", query="rotate gateway"))["count"] >= 1
    assert stats["totalMemories"] == len((await split(world))["chunks"])


async def test_a_dry_run_stores_nothing(world: World) -> None:
    body = await split(world, dryRun=True)

    assert body["dryRun"] is True
    assert {c["memoryId"] for c in body["chunks"]} == {None}
    assert body["message"].startswith("Would split")
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_forget_with_the_document_id_forgets_all_its_chunks(world: World) -> None:
    body = await split(world)
    kept = await world.remember("Not of the runbook.")

    forgotten = await world.ask("forget", documentId=body["documentId"])

    assert sorted(forgotten["memoryIds"]) == sorted(c["memoryId"] for c in body["chunks"])
    assert forgotten["notFound"] == []
    assert [m["id"] for m in (await world.ask("recall"))["memories"]] == [kept]
    assert (await world.ask("forget", documentId=body["documentId"]))["error"]["code"] == "not_found"


async def test_a_document_is_known_by_its_url_else_its_key_else_its_text(world: World) -> None:
    by_url = [await split(world, content) for content in (DOCUMENT, "Other.")]
    by_key = [await split(world, content, url=None, idempotencyKey="k") for content in (DOCUMENT, "Other.")]
    by_text = [await split(world, content, url=None) for content in (DOCUMENT, "Other.", DOCUMENT)]

    assert by_url[0]["documentId"] == by_url[1]["documentId"]
    assert by_key[0]["documentId"] == by_key[1]["documentId"]
    assert by_text[0]["documentId"] == by_text[2]["documentId"] != by_text[1]["documentId"]
    assert len({bodies[0]["documentId"] for bodies in (by_url, by_key, by_text)}) == 3


async def test_a_repeated_passage_keeps_both_its_places(world: World) -> None:
    text = "## One\n\nStop the workers.\n\n## Two\n\nOther words here.\n\n## One\n\nStop the workers.\n"
    body = await split(world, text, maxTokensPerChunk=20)

    assert len({c["memoryId"] for c in body["chunks"]}) == len(body["chunks"])


async def test_details_apply_to_every_chunk(world: World) -> None:
    await split(world, projectId="ops", memoryDetails={"title": "Runbook", "tags": ["ops"], "source": "import"})

    for memory in (await world.ask("recall"))["memories"]:
        assert (memory["projectId"], memory["tags"], memory["trust"]) == ("ops", ["ops"], "low")
        assert memory["title"].startswith("Runbook")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "content"),
        ({"content": "  "}, "content"),
        ({"content": "x" * 200_001}, "content"),
        ({"content": "x", "maxTokensPerChunk": 19}, "maxTokensPerChunk"),
        ({"content": "x", "maxTokensPerChunk": 8001}, "maxTokensPerChunk"),
    ],
)
async def test_a_wrong_field_is_named(world: World, fields: dict[str, Any], named: str) -> None:
    body = await world.ask("chunk", **fields)

    assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", named)

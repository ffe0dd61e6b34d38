"""remember with many memories at once."""

from typing import Any

import pytest

from support.world import STORE, World


def notes(count: int) -> list[dict[str, Any]]:
    return [{"content": f"Service number {n} listens on port {7000 + n}."} for n in range(count)]


async def test_each_item_gets_a_result_and_the_counts_add_up(world: World) -> None:
    known = await world.remember("Service number 0 listens on port 7000.")
    await world.remember("Tokens rotate on Mondays.", idempotencyKey="k-1")

    body = await world.ask(
        "remember",
        memories=[
            *notes(2),
            {"content": "  "},
            {"content": "Tokens rotate on Mondays.", "idempotencyKey": "k-1"},
            "no object",
        ],
    )

    assert body["ok"]
    assert body["counts"] == {"created": 1, "duplicate": 1, "replayed": 1, "failed": 2}
    assert [(r["index"], r["ok"], r.get("status")) for r in body["results"]] == [
        (0, True, "duplicate"),
        (1, True, "created"),
        (2, False, None),
        (3, True, "replayed"),
        (4, False, None),
    ]
    assert body["results"][0]["memoryId"] == known
    assert body["results"][2]["error"]["code"] == "invalid_request"
    assert "memories[2].content" in body["results"][2]["error"]["message"]
    assert "memories[4]" in body["results"][4]["error"]["message"]
    assert body["message"] == f"Remembered 1 memory in {STORE} (1 already known, 1 replayed, 2 failed)."


async def test_a_thousand_memories_are_stored_and_counted(world: World) -> None:
    body = await world.ask("remember", memories=notes(1000))

    assert body["counts"]["created"] == 1000
    assert (await world.ask("stats"))["totalMemories"] == 1000


async def test_more_than_a_thousand_are_refused_whole(world: World) -> None:
    body = await world.ask("remember", memories=notes(1001))

    assert body["error"]["code"] in ("invalid_request", "too_large")
    assert "1000" in body["error"]["message"].replace(",", "")
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_more_than_eight_megabytes_are_too_large(world: World) -> None:
    body = await world.ask("remember", memories=[{"content": f"{n} " + "x" * 199_000} for n in range(41)])

    assert body["error"]["code"] == "too_large"
    assert "8" in body["error"]["message"]
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_when_every_item_fails_the_whole_fails_and_says_why(world: World) -> None:
    body = await world.ask("remember", memories=[{"content": " "}, {"contents": "x"}])

    assert (body["ok"], body["error"]["code"]) == (False, "invalid_request")
    assert [r["ok"] for r in body["error"]["details"]["results"]] == [False, False]
    assert "content" in body["error"]["message"]


async def test_an_unknown_field_of_an_item_is_named_with_the_nearest_known_one(world: World) -> None:
    body = await world.ask("remember", memories=[*notes(1), {"contnet": "x", "content": "y"}])

    message = body["results"][1]["error"]["message"]
    assert "memories[1].contnet" in message
    assert "content" in message.replace("contnet", "")


async def test_the_same_text_twice_in_one_batch_is_one_memory(world: World) -> None:
    body = await world.ask("remember", memories=[*notes(1), *notes(1)])

    first, second = body["results"]
    assert (second["status"], second["memoryId"]) == ("duplicate", first["memoryId"])
    assert (await world.ask("stats"))["totalMemories"] == 1


async def test_one_key_with_two_texts_in_one_batch_is_a_conflict(world: World) -> None:
    body = await world.ask(
        "remember",
        memories=[{"content": "first", "idempotencyKey": "k"}, {"content": "second", "idempotencyKey": "k"}],
    )

    assert body["counts"] == {"created": 1, "duplicate": 0, "replayed": 0, "failed": 1}
    assert body["results"][1]["error"]["code"] == "conflict"


async def test_fields_of_the_root_stand_in_where_an_item_has_none(world: World) -> None:
    body = await world.ask(
        "remember",
        projectId="shop",
        sessionId="s-1",
        memories=[{"content": "a b"}, {"content": "c d", "projectId": "api"}],
    )

    ids = [result["memoryId"] for result in body["results"]]
    memories = (await world.ask("get", memoryIds=ids))["memories"]
    assert [(m["projectId"], m["sessionId"]) for m in memories] == [("shop", "s-1"), ("api", "s-1")]


async def test_a_dry_run_of_many_stores_none(world: World) -> None:
    body = await world.ask("remember", memories=notes(3), dryRun=True)

    assert (body["dryRun"], body["counts"]["created"]) == (True, 3)
    assert body["message"].startswith("Would remember 3")
    assert (await world.ask("stats"))["totalMemories"] == 0


@pytest.mark.parametrize("memories", ["no list", 7, {"content": "x"}, "[1"])
async def test_memories_must_be_a_list(world: World, memories: object) -> None:
    body = await world.ask("remember", memories=memories)

    assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", "memories")


async def test_recall_lists_a_batch_in_the_same_order_every_time(
    world: World,
) -> None:
    await world.ask("remember", memories=notes(5))

    first = await world.ask("recall")
    second = await world.ask("recall")

    assert [m["id"] for m in first["memories"]] == [m["id"] for m in second["memories"]]
    assert len(first["memories"]) == 5


async def test_no_memories_sent_as_text_are_none(world: World) -> None:
    for memories in ("[]", "null"):
        body = await world.ask("remember", memories=memories)
        assert body["error"]["details"]["field"] == "content"
        assert (await world.ask("remember", content="A text.", memories=memories))["ok"]
    refused = await world.ask("propose", candidates="[]")
    assert "candidates is required" in refused["error"]["message"]

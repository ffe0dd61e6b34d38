"""propose, reviews, resolve: what becomes a memory is decided by a person, and only then."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from support.faulty_kv import YieldingKeyValue
from support.world import STORE, World

RULE: dict[str, Any] = {"memoryType": "rule"}
TEXT = "Never run migrations on a Friday."


async def propose(world: World, content: str = TEXT, **item: Any) -> str:
    """Queue one candidate and answer the id of its review."""
    body = await world.ask("propose", candidates=[{"content": content, "memoryDetails": RULE, **item}])
    assert body["ok"], body
    assert body["counts"]["queued"] == 1, body
    return body["results"][0]["reviewId"]


async def resolve(world: World, review_id: str, resolution: str, **fields: Any) -> dict[str, Any]:
    """Decide as a person does."""
    before, world.channel = world.channel, Channel.CONSOLE
    body = await world.ask("resolve", reviewId=review_id, resolution=resolution, **fields)
    world.channel = before
    return body


async def reviews(world: World, **fields: Any) -> list[dict[str, Any]]:
    body = await world.ask("reviews", **fields)
    assert body["ok"], body
    return body["reviews"]


async def got(world: World, memory_id: str, **fields: Any) -> dict[str, Any]:
    body = await world.ask("get", memoryId=memory_id, **fields)
    assert body["ok"], body
    return body["memories"][0]


@pytest.fixture
async def shown(world: World) -> AsyncIterator[list[dict[str, Any]]]:
    """What reads answered before the test; after it they must answer the same, whatever waits in the queue."""
    await world.remember("The office closes at six.")

    async def look() -> list[dict[str, Any]]:
        asked: list[tuple[str, dict[str, Any]]] = [
            ("search", {"query": "migrations Friday"}),
            ("recall", {}),
            ("context_pack", {"query": "migrations Friday"}),
            ("brief", {}),
            ("list", {"status": "all"}),
            ("events", {}),
            ("lifecycle", {}),
            ("export", {}),
            ("prune", {"dryRun": True, "decayConfig": {"enabled": True, "pruneThreshold": 1}}),
            ("revert", {"changes": {"since": "2020-01-01"}}),
        ]
        bodies = [await world.ask(name, **fields) for name, fields in asked]
        drop = ("tookMs", "contextMarkdown", "markdown", "warnings")
        return [{name: value for name, value in body.items() if name not in drop} for body in bodies]

    before = await look()
    yield before
    assert await look() == before


async def test_a_proposal_is_no_memory_on_any_read(world: World, shown: list[dict[str, Any]]) -> None:
    assert shown
    review_id = await propose(world)

    for action in ("get", "history", "update", "forget", "restore", "approve"):
        fields = {"content": "x"} if action == "update" else {}
        world.channel = Channel.CONSOLE
        body = await world.ask(action, memoryId=review_id, **fields)
        assert body.get("notFound") or body["error"]["code"] == "not_found", body
    assert (await world.ask("events", memoryId=review_id))["error"]["code"] == "not_found"
    stats = await world.ask("stats", format="line")
    assert (stats["totalMemories"], stats["forgotten"], stats["pendingReviews"]) == (1, 0, 1)
    assert "pendingReviews=1" in stats["line"]


async def test_a_person_adds_what_was_proposed_and_it_stands(world: World) -> None:
    correction = {"agentDid": "Ran one on Friday.", "verdict": "Wait for Monday."}
    review_id = await propose(world, memoryDetails={**RULE, "metadata": correction})
    [entry] = await reviews(world)
    assert (entry["id"], entry["status"], entry["candidate"]["content"]) == (review_id, "pending", TEXT)

    refused = await world.ask("resolve", reviewId=review_id, resolution="add")
    assert refused["error"]["code"] == "forbidden"
    body = await resolve(world, review_id, "add", reason="It happened twice.")

    assert body["ok"], body
    assert (body["memoryId"], body["changed"]) == (review_id, True)
    assert (await got(world, review_id))["metadata"] == correction
    assert [rule["content"] for rule in (await world.ask("brief"))["rules"]] == [TEXT]
    assert await reviews(world) == []
    [settled] = await reviews(world, status="settled")
    assert (settled["status"], settled["resolution"], settled["reason"]) == ("settled", "add", "It happened twice.")
    history = (await world.ask("history", memoryId=review_id))["revisions"]
    assert [line["state"] for line in history] == ["active", "proposed"]
    changes = [event["change"] for event in (await world.ask("events"))["events"]]
    assert changes == ["created", "proposed"]


async def test_a_correction_is_kept_up_to_120_characters(world: World) -> None:
    said = {"agentDid": "a" * 121, "verdict": "v" * 120, "other": "o" * 200}
    body = await world.ask("propose", candidates=[{"content": TEXT, "memoryDetails": {"metadata": said}}])
    review_id = body["results"][0]["reviewId"]

    await resolve(world, review_id, "add")

    metadata = (await got(world, review_id))["metadata"]
    assert {name: len(text) for name, text in metadata.items()} == {"agentDid": 120, "verdict": 120, "other": 200}
    assert any("120 characters" in warning for warning in body["warnings"])


async def test_merge_update_and_delete_change_the_memory_that_they_name(world: World) -> None:
    kept = {name: await world.remember(f"Port {name} is open.") for name in ("1", "2", "3")}
    verdict = {"metadata": {"verdict": "Wrong port."}}
    ids = [await propose(world, f"Nothing listens on {n}.", memoryDetails=verdict) for n in ("9001", "9002", "9003")]

    merged = await resolve(world, ids[0], "merge", memoryId=kept["1"])
    updated = await resolve(world, ids[1], "update", memoryId=kept["2"])
    deleted = await resolve(world, ids[2], "delete", memoryId=kept["3"])

    assert merged["memory"]["content"] == "Port 1 is open.\n\nNothing listens on 9001."
    assert updated["memory"]["content"] == "Nothing listens on 9002."
    assert merged["memory"]["metadata"] == updated["memory"]["metadata"] == {"verdict": "Wrong port."}
    assert deleted["ok"]
    assert "memory" not in deleted
    assert (await world.ask("get", memoryId=kept["3"]))["error"]["code"] == "not_found"
    assert (await world.ask("stats"))["totalMemories"] == 2
    settled = await reviews(world, status="settled")
    assert [entry["memoryId"] for entry in settled] == [*kept.values()]
    assert (await world.ask("restore", memoryId=kept["3"]))["ok"]


async def test_what_is_ignored_is_no_memory_and_is_not_asked_again(world: World, shown: list[dict[str, Any]]) -> None:
    assert shown
    review_id = await propose(world)
    assert (await resolve(world, review_id, "ignore"))["changed"] is True
    assert await reviews(world) == []
    again = await world.ask("propose", candidates=[{"content": TEXT.upper(), "memoryDetails": RULE}])
    assert again["results"][0] == {
        "index": 0,
        "ok": True,
        "status": "duplicate",
        "guard": "exact",
        "reviewId": review_id,
    }


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"resolution": "merge"}, "memoryId"),
        ({"resolution": "add", "memoryId": "m"}, "memoryId"),
        ({"resolution": "ignore", "promoteToGlobal": True}, "promoteToGlobal"),
        ({"resolution": "accept"}, "resolution"),
    ],
)
async def test_a_decision_that_cannot_be_is_refused(world: World, fields: dict[str, Any], field: str) -> None:
    review_id = await propose(world)
    values = dict(world.values())
    body = await resolve(world, review_id, **fields)

    assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", field)
    assert world.values() == values


async def test_a_second_decision_is_a_conflict_and_the_same_one_changes_nothing(world: World) -> None:
    review_id = await propose(world)
    await resolve(world, review_id, "add")
    values = dict(world.values())

    assert (await resolve(world, review_id, "ignore"))["error"]["code"] == "conflict"
    assert (await resolve(world, review_id, "add"))["changed"] is False
    assert world.values() == values


async def test_a_dry_run_settles_nothing(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    review_id = await propose(world)
    values = dict(world.values())

    body = await resolve(world, review_id, "merge", memoryId=memory_id, dryRun=True)
    assert body["memory"]["content"].startswith("Port 1 is open.\n\nNever")
    dry = await world.ask("propose", candidates=[{"content": "Another text."}], dryRun=True)
    assert dry["counts"]["queued"] == 1
    assert world.values() == values


async def test_of_two_people_who_decide_at_once_one_succeeds(world: World) -> None:
    world.channel = Channel.CONSOLE
    world.stores[STORE] = YieldingKeyValue()
    for decisions in (("add", "ignore"), ("ignore", "add"), ("add", "delete"), ("merge", "update")):
        memory_id = await world.remember(f"Port {len(world.values())} is open.")
        review_id = await propose(world, f"Port {len(world.values())} is shut.")
        asked = [
            world.ask(
                "resolve",
                reviewId=review_id,
                resolution=decision,
                **({} if decision in ("add", "ignore") else {"memoryId": memory_id}),
            )
            for decision in decisions
        ]
        bodies = await asyncio.gather(*asked)

        told = [body["ok"] for body in bodies]
        assert sorted(told) == [False, True], bodies
        assert next(b for b in bodies if not b["ok"])["error"]["code"] == "conflict"
        [entry] = [e for e in await reviews(world, status="settled") if e["id"] == review_id]
        assert entry["resolution"] == decisions[told.index(True)]


async def test_a_candidate_is_no_reason_for_a_second_one(world: World) -> None:
    memory_id = await world.remember("Deploys to staging need two reviews. Ask Mara.", memoryDetails=RULE)
    texts = [
        "Deploys need two reviews.",
        "Run `pnpm_test` before you push.",
        "Before pushing, run `pnpm_test`.",
        "Before pushing, never run `pnpm_test`.",
        "Deploys need three reviews.",
    ]
    body = await world.ask("propose", candidates=[{"content": text, "memoryDetails": RULE} for text in texts])

    said = [(r["status"], r.get("guard"), r.get("memoryId")) for r in body["results"]]
    assert said == [
        ("duplicate", "subset", memory_id),
        ("queued", None, None),
        ("duplicate", "paraphrase", None),
        ("queued", None, None),
        ("queued", None, None),
    ]
    assert body["results"][2]["reviewId"] == body["results"][1]["reviewId"]


async def test_a_bad_candidate_does_not_stop_the_others(world: World) -> None:
    secret = "password: hunter2-Tr0ub4dor&3"
    body = await world.ask("propose", candidates=[{"content": " "}, {"content": secret}, {"content": TEXT}, 7])

    codes = [result.get("error", {}).get("code") for result in body["results"]]
    assert codes == ["invalid_request", "secret_refused", None, "invalid_request"]
    assert body["counts"] == {"queued": 1, "duplicate": 0, "replayed": 0, "failed": 3}
    assert not any(b"hunter2" in value for value in world.values().values())
    none = await world.ask("propose", candidates=[{"content": " "}])
    assert none["error"]["code"] == "invalid_request"
    assert (await world.ask("propose"))["error"]["code"] == "invalid_request"
    many = await world.ask("propose", candidates=[{"content": f"Text {n}."} for n in range(101)])
    assert many["error"]["code"] == "invalid_request"


async def test_a_repeated_proposal_with_its_key_is_one_review(world: World) -> None:
    item = {"content": TEXT, "idempotencyKey": "night-1"}
    first = await world.ask("propose", candidates=[item])
    again = await world.ask("propose", candidates=[item])
    other = await world.ask("propose", candidates=[{**item, "content": "Something else."}, {"content": "New text."}])

    assert again["results"][0]["status"] == "replayed"
    assert again["results"][0]["reviewId"] == first["results"][0]["reviewId"]
    assert other["results"][0]["error"]["code"] == "conflict"
    assert len(await reviews(world)) == 2


async def test_a_review_exists_only_where_its_candidate_would(world: World) -> None:
    scoped = {**RULE, "scope": "project"}
    review_id = await propose(world, projectId="web", memoryDetails=scoped)

    assert await reviews(world) == await reviews(world, projectId="app") == []
    assert (await world.ask("stats"))["pendingReviews"] == 0
    hidden = await resolve(world, review_id, "add")
    assert hidden["error"]["code"] == "not_found"
    [entry] = await reviews(world, projectId="web")
    assert entry["id"] == review_id
    other = await propose(world, projectId="app", memoryDetails=scoped)
    assert other != review_id
    await resolve(world, review_id, "add", projectId="web", promoteToGlobal=True)
    memory = await got(world, review_id)
    assert (memory["scope"], memory["projectId"]) == ("global", None)


async def test_reviews_say_what_to_hold_a_candidate_against(world: World) -> None:
    world.channel = Channel.CONSOLE
    old = await world.remember("The nightly backup of orders-db starts at 02:00.")
    human = {"memoryDetails": {**RULE, "source": "human"}}
    elsewhere = await world.remember(TEXT, projectId="app", **human)
    await propose(world, projectId="web")
    await propose(world, "The nightly backup of orders-db starts at 03:00.", memoryDetails={})
    first, second = await reviews(world)

    assert [(m["memoryId"], m["why"]) for m in first["promotionCandidates"]] == [(elsewhere, "stands in project app")]
    assert [m["memoryId"] for m in second["supersedesCandidates"]] == [old]
    same = await world.remember(TEXT, projectId="web", **human)
    assert [(m["memoryId"], m["why"]) for m in (await reviews(world))[0]["duplicates"]] == [(same, "exact")]
    page = await world.ask("reviews", searchOptions={"limit": 1})
    assert (page["count"], page["total"], page["truncated"]) == (1, 2, True)
    rest = await world.ask("reviews", searchOptions={"limit": 1, "cursor": page["nextCursor"]})
    assert [entry["id"] for entry in rest["reviews"]] == [second["id"]]
    assert (await world.ask("list", status="pending"))["error"]["code"] == "invalid_request"
    assert (await world.ask("reviews", status="active"))["error"]["code"] == "invalid_request"


async def test_text_of_low_trust_never_stands_though_it_is_added(world: World) -> None:
    review_id = await propose(world, memoryDetails={**RULE, "source": "crawl"})
    body = await resolve(world, review_id, "add")

    assert body["memory"]["trust"] == "low"
    assert "approved" not in body["memory"]
    assert (await world.ask("brief"))["rules"] == []


async def test_a_merge_approves_nothing_that_did_not_stand(world: World) -> None:
    weak = await world.remember("Always use tabs.", memoryDetails=RULE)
    await resolve(world, await propose(world, "In Go, too."), "merge", memoryId=weak)
    assert (await world.ask("brief"))["rules"] == []

    world.channel = Channel.CONSOLE
    await world.ask("approve", memoryId=weak)
    world.channel = Channel.API
    await resolve(world, await propose(world, "In Make, too."), "merge", memoryId=weak)
    assert len((await world.ask("brief"))["rules"]) == 1


async def test_reviews_travel_with_status_all_and_only_then(world: World) -> None:
    target = await world.remember("Port 1 is open.")
    waiting, settled = await propose(world), await propose(world, "Port 1 is shut.")
    await resolve(world, settled, "update", memoryId=target, reason="Seen today.")
    plain = await world.ask("export")
    assert plain["counts"] == {"active": 1}
    assert any("Reviews left out: 2" in warning for warning in plain["warnings"])
    await world.ask("export", status="all")
    first = dict(world.records.values)
    world.sources["source"] = world.records
    world.channel = Channel.CONSOLE  # another import would leave out that a person approved the rule

    moved = await world.ask("import", memoryStoreId="acme~moved", sourceStore="source")
    assert moved["counts"]["failed"] == 0, moved
    await world.ask("export", memoryStoreId="acme~moved", status="all")

    assert world.records.values == first
    theirs = (await world.ask("reviews", memoryStoreId="acme~moved", status="all"))["reviews"]
    assert theirs == await reviews(world, status="all")
    assert [(e["id"], e["status"]) for e in theirs] == [(waiting, "pending"), (settled, "settled")]


async def test_a_purge_takes_along_the_reviews_that_were_settled_into_a_memory(world: World) -> None:
    target = await world.remember("Port 1 is open.")
    settled = await propose(world, "Port 1 is shut, says canary-4711.")
    await resolve(world, settled, "update", memoryId=target)
    world.channel = Channel.CONSOLE
    body = await world.ask("purge", memoryId=target, confirm=f"DELETE {target}")

    assert body["ok"], body
    assert not any(b"canary-4711" in value for value in world.values().values())
    assert await reviews(world, status="all") == []
    waiting = await propose(world, "Port 2 is shut, says canary-4712.")
    await world.ask("purge", memoryId=waiting, confirm=f"DELETE {waiting}")
    assert not any(b"canary-4712" in value for value in world.values().values())
    assert await reviews(world, status="all") == []


async def test_a_claim_that_somebody_left_behind_holds_for_ten_minutes(world: World) -> None:
    world.channel = Channel.CONSOLE
    review_id = await propose(world)
    before = dict(world.values())
    await world.ask("resolve", reviewId=review_id, resolution="ignore")
    late = {key: value for key, value in world.values().items() if key not in before and f"{review_id}.1." in key}
    world.values().clear()
    world.values().update({**before, **late})

    blocked = await world.ask("resolve", reviewId=review_id, resolution="add")
    assert blocked["error"]["code"] == "conflict"
    assert "10 minutes" in blocked["error"]["message"]
    assert (await reviews(world))[0]["status"] == "pending"
    world.wait(minutes=11)
    assert (await world.ask("resolve", reviewId=review_id, resolution="add"))["ok"]


async def test_taking_back_an_addition_puts_the_candidate_back_into_the_queue(world: World) -> None:
    review_id = await propose(world)
    added = await resolve(world, review_id, "add")
    world.channel = Channel.CONSOLE
    body = await world.ask("revert", memoryId=added["memoryId"], changes={"channel": "console"}, apply=True)
    assert body["counts"] == {"forgotten": 0, "reverted": 1, "skipped": 0}
    assert [review["id"] for review in await reviews(world)] == [review_id]
    assert (await world.ask("get", memoryId=added["memoryId"]))["error"]["code"] == "not_found"
    assert (await resolve(world, review_id, "add"))["ok"]
    assert (await got(world, added["memoryId"]))["content"] == TEXT

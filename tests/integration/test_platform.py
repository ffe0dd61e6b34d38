"""The Actor as the platform starts it, against an emulator of the platform's API."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from support.emulator import Fault, Platform, emulated_platform

ROOT = Path(__file__).parents[2]
STORE = "acme~notes"
NOT_PASSED_ON = ("ACTOR_", "APIFY_", "CRAWLEE_", "DECAY_")
BARE = f"""
import asyncio
from apify import Actor

async def main():
    async with Actor:
        await Actor.get_input()
        await Actor.open_key_value_store(name={STORE.replace("~", "-")!r})
        await Actor.set_value("OUTPUT", {{"ok": True}})
        await Actor.push_data({{"ok": True}})

asyncio.run(main())
"""
EVENT = {"eventTitle": "Action", "eventDescription": "An action that succeeded", "eventPriceUsd": 0.01}
PRICE = {
    "pricingModel": "PAY_PER_EVENT",
    "pricingPerEvent": {"actorChargeEvents": {"action": EVENT}},
    "apifyMarginPercentage": 0.2,
    "createdAt": "2026-01-01T00:00:00Z",
    "startedAt": "2026-01-01T00:00:00Z",
}


@pytest.fixture
def platform() -> Iterator[Platform]:
    with emulated_platform() as emulated:
        yield emulated


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> Platform:
    """A platform, its server stopped, just after 1,000 memories were remembered in one run."""
    items = [{"content": f"Note {i}: the {i % 17}th importer retries {i} times and gives up."} for i in range(1000)]
    with emulated_platform() as emulated:
        assert run(emulated, tmp_path_factory.mktemp("bulk"), "remember", memories=items) == 0, emulated.output()
        return emulated


@pytest.fixture
def stocked(platform: Platform, thousand: Platform) -> Platform:
    """A platform of this test's own that holds the 1,000 memories."""
    platform.stores = deepcopy(thousand.stores)
    platform.names = dict(thousand.names)
    return platform


def run(platform: Platform, folder: Path, action: str, /, **given: Any) -> int:
    """One run of the Actor on the platform: its exit code."""
    environment: dict[str, str] = given.pop("environment", {})
    return start(
        platform, folder, {"action": action, "memoryStoreId": STORE, **given}, "-m", "agent_memory", **environment
    )


def start(platform: Platform, folder: Path, payload: object, *arguments: str, **environment: str) -> int:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_PASSED_ON)}
    env = {**kept, "PYTHONPATH": str(ROOT / "src"), **platform.begin(payload), **environment}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def remembered(platform: Platform, folder: Path, content: str, **given: Any) -> str:
    assert run(platform, folder, "remember", content=content, **given) == 0
    return platform.output()["memory"]["id"]


def memory_store(platform: Platform) -> str:
    """The id of the named store that the memories are in."""
    (store,) = platform.names.values()
    return store


def test_a_memory_is_kept_on_the_platform_and_nothing_on_the_machine(platform: Platform, tmp_path: Path) -> None:
    memory_id = remembered(platform, tmp_path, "Deploys are frozen on Fridays.")

    body = platform.output()
    assert platform.rows == [body]
    assert list(platform.names) == [body["storeName"]]
    assert any(key.startswith(f"memory-{memory_id}") for key in platform.stores[memory_store(platform)])
    assert platform.run["statusMessage"] == body["message"]
    assert not list(tmp_path.iterdir())


def test_a_later_run_finds_what_an_earlier_one_remembered(platform: Platform, tmp_path: Path) -> None:
    memory_id = remembered(platform, tmp_path, "The payment gateway answers 409 when an order is charged twice.")
    remembered(platform, tmp_path, "Screenshots belong into the design folder.")

    for action, given in (
        ("search", {"query": "payment gateway 409"}),
        ("recall", {"query": "payment gateway"}),
        ("get", {"memoryId": memory_id}),
    ):
        assert run(platform, tmp_path, action, **given) == 0
        assert platform.output()["memories"][0]["id"] == memory_id, action
        assert platform.run["statusMessage"] == platform.output()["message"]


def test_a_pack_holds_what_an_earlier_run_remembered(platform: Platform, tmp_path: Path) -> None:
    remembered(platform, tmp_path, "The payment gateway answers 409 when an order is charged twice.")

    assert run(platform, tmp_path, "context_pack", query="payment gateway") == 0

    assert "answers 409" in platform.output()["contextMarkdown"]


def test_changes_are_kept_on_the_platform(platform: Platform, tmp_path: Path) -> None:
    memory_id = remembered(platform, tmp_path, "The importer runs at 02:00.")

    assert run(platform, tmp_path, "update", memoryId=memory_id, content="The importer runs at 03:00.") == 0
    assert run(platform, tmp_path, "get", memoryId=memory_id) == 0
    assert platform.output()["memories"][0]["content"] == "The importer runs at 03:00."

    assert run(platform, tmp_path, "forget", memoryId=memory_id) == 0
    assert run(platform, tmp_path, "get", memoryId=memory_id) == 1
    assert platform.output()["error"]["code"] == "not_found"

    assert run(platform, tmp_path, "stats") == 0
    assert (platform.output()["totalMemories"], platform.output()["forgotten"]) == (0, 1)


def test_a_failure_is_said_in_the_body_the_row_and_the_status_message(platform: Platform, tmp_path: Path) -> None:
    assert run(platform, tmp_path, "remember", content="  ") == 1

    body = platform.output()
    assert body["error"]["code"] == "invalid_request"
    assert platform.rows == [body]
    assert platform.run["statusMessage"] == body["error"]["message"]


def test_memories_fade_on_the_platform_unless_the_setting_says_no(platform: Platform, tmp_path: Path) -> None:
    remembered(platform, tmp_path, "An old habit.", memoryDetails={"createdAt": "2020-01-01T00:00:00Z"})
    remembered(platform, tmp_path, "A new habit.")

    assert run(platform, tmp_path, "recall") == 0
    assert (platform.output()["total"], platform.output()["hiddenByDecay"]) == (1, 1)
    assert run(platform, tmp_path, "recall", environment={"DECAY_ENABLED": "false"}) == 0
    assert (platform.output()["total"], platform.output()["hiddenByDecay"]) == (2, 0)


def test_prune_archives_on_the_platform_what_has_faded(platform: Platform, tmp_path: Path) -> None:
    memory_id = remembered(platform, tmp_path, "An old habit.", memoryDetails={"createdAt": "2020-01-01T00:00:00Z"})

    assert run(platform, tmp_path, "prune") == 0
    assert [archived["id"] for archived in platform.output()["archived"]] == [memory_id]
    assert run(platform, tmp_path, "prune") == 0
    assert (platform.output()["pruned"], platform.output()["remaining"]) == (0, 0)


def test_a_store_of_many_keys_is_listed_page_by_page(platform: Platform, tmp_path: Path) -> None:
    memory_id = remembered(platform, tmp_path, "Found behind 2,500 keys that are no business of ours.")
    platform.stores[memory_store(platform)] |= {f"a-{i:04}": ("text/plain", b"x") for i in range(2500)}

    assert run(platform, tmp_path, "get", memoryId=memory_id) == 0

    assert platform.counts()["GET keys"] == 3


@pytest.mark.parametrize(
    ("action", "given", "most"),
    [
        ("remember", {"content": "One more."}, 8),
        ("update", {"memoryId": "?", "memoryDetails": {"tags": ["seen"]}}, 8),
        ("forget", {"memoryId": "?"}, 8),
        ("recall", {"query": "importer retries"}, 10),
        ("search", {"query": "importer retries"}, 10),
        ("context_pack", {"query": "importer retries"}, 10),
    ],
)
def test_an_action_on_a_thousand_memories_makes_few_requests(
    stocked: Platform, tmp_path: Path, action: str, given: dict[str, Any], most: int
) -> None:
    memory_id = stocked.output()["results"][500]["memoryId"]
    assert start(stocked, tmp_path, {}, "-c", BARE) == 0
    bare = len(stocked.calls)

    given = {name: memory_id if value == "?" else value for name, value in given.items()}
    assert run(stocked, tmp_path, action, **given) == 0

    assert len(stocked.calls) - bare <= most, stocked.counts()


@pytest.mark.parametrize("kind", ["keys", "record"])
def test_being_told_to_wait_twice_is_survived(platform: Platform, tmp_path: Path, kind: str) -> None:
    remembered(platform, tmp_path, "The first.")
    platform.faults = [Fault(429, 2, kind=kind, store=memory_store(platform))]

    remembered(platform, tmp_path, "The second.")

    assert platform.faults[0].times == 0
    assert run(platform, tmp_path, "stats") == 0
    assert platform.output()["totalMemories"] == 2


def test_records_that_cannot_be_read_are_an_error_and_no_shorter_answer(stocked: Platform, tmp_path: Path) -> None:
    """Takes the client's four pauses, about ten seconds."""
    stocked.faults = [Fault(500, 1_000, kind="record", store=memory_store(stocked))]

    assert run(stocked, tmp_path, "recall") == 1

    body = stocked.output()
    assert body["error"]["code"] == "storage_unavailable"
    assert "memories" not in body
    assert stocked.run["statusMessage"] == body["error"]["message"]


@pytest.mark.parametrize(("method", "kind"), [("POST", "key-value-stores"), ("GET", "keys"), ("PUT", "record")])
def test_a_store_that_the_run_may_not_use_is_an_error_and_stays_as_it_is(
    platform: Platform, tmp_path: Path, method: str, kind: str
) -> None:
    remembered(platform, tmp_path, "The first.")
    store = memory_store(platform)
    before = dict(platform.stores[store])
    platform.faults = [Fault(403, 1_000, method, kind, "" if method == "POST" else store)]

    assert run(platform, tmp_path, "remember", content="The second.") == 1

    body = platform.output()
    assert body["error"]["code"] == "storage_unavailable"
    assert "permissions" in body["error"]["message"]
    assert platform.stores[store] == before


def test_a_successful_action_is_charged_once_where_it_has_a_price(platform: Platform, tmp_path: Path) -> None:
    platform.priced = {"pricingInfo": PRICE}

    assert run(platform, tmp_path, "remember", content="Worth it.") == 0

    assert [(charge["eventName"], charge["count"]) for charge in platform.charges] == [("action", 1)]
    assert platform.output()["warnings"] == []


def test_a_failed_action_is_not_charged(platform: Platform, tmp_path: Path) -> None:
    platform.priced = {"pricingInfo": PRICE}

    assert run(platform, tmp_path, "get", memoryId="nobody") == 1

    assert platform.charges == []


def test_an_action_without_a_price_is_not_charged(platform: Platform, tmp_path: Path) -> None:
    assert run(platform, tmp_path, "remember", content="Free of charge.") == 0

    assert platform.charges == []


@pytest.mark.parametrize(("limit", "charged"), [("0.015", 0), ("0.02", 1)])
def test_the_charge_limit_is_respected_and_said(platform: Platform, tmp_path: Path, limit: str, charged: int) -> None:
    environment = {
        "APIFY_ACTOR_PRICING_INFO": json.dumps(PRICE),
        "APIFY_CHARGED_ACTOR_EVENT_COUNTS": json.dumps({"action": 1}),
        "ACTOR_MAX_TOTAL_CHARGE_USD": limit,
    }
    assert run(platform, tmp_path, "remember", content="At the limit.", environment=environment) == 0

    said = any("charge limit is reached" in warning for warning in platform.output()["warnings"])
    assert (len(platform.charges), said) == (charged, charged == 0)

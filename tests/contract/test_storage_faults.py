"""A storage that fails at any moment: an error that says so, never a shorter answer, never a bug, nothing lost."""

import re
from typing import Any

import pytest

from agent_memory.store.kv import InMemoryKeyValue
from support.faulty_kv import FaultyKeyValue
from support.world import STORE, World

ACTIONS: dict[str, dict[str, Any]] = {
    "remember": {"content": "A new fact about ports."},
    "remember with a key": {"content": "A new fact about ports.", "idempotencyKey": "k"},
    "remember many": {"memories": [{"content": f"New fact {n} about ports."} for n in range(5)]},
    "recall": {"query": "port"},
    "search": {"query": "port"},
    "context_pack": {"query": "port"},
    "get": {"memoryId": "<id>"},
    "update": {"memoryId": "<id>", "content": "Port 0 is shut."},
    "forget": {"memoryId": "<id>"},
    "stats": {},
    "prune": {"decayConfig": {"enabled": True, "pruneThreshold": 0.85}},
    "chunk": {"content": "# One\n\nPorts.\n\n# Two\n\nMore ports.", "maxTokensPerChunk": 20},
}
READS = ("recall", "search", "context_pack", "get", "stats")


async def prepared() -> tuple[InMemoryKeyValue, list[str]]:
    """A store of a segment, of singles and of access times, and the ids in it."""
    world = World()
    bulk = await world.ask("remember", memories=[{"content": f"Port {n} is open."} for n in range(6)])
    ids = [result["memoryId"] for result in bulk["results"]]
    ids += [await world.remember(f"Port {n} is open.") for n in range(6, 9)]
    await world.ask("get", memoryId=ids[3])
    kv = world.stores[STORE]
    assert isinstance(kv, InMemoryKeyValue)
    return kv, ids


def copy(kv: InMemoryKeyValue) -> InMemoryKeyValue:
    twin = InMemoryKeyValue()
    twin.values = dict(kv.values)
    return twin


def fields_of(name: str, ids: list[str]) -> tuple[str, dict[str, Any]]:
    fields = {key: ids[0] if value == "<id>" else value for key, value in ACTIONS[name].items()}
    return name.split(" ", maxsplit=1)[0], fields


@pytest.mark.parametrize("lands", [False, True], ids=["lost", "landed"])
@pytest.mark.parametrize("failures", [1, 1_000_000], ids=["once", "for good"])
@pytest.mark.parametrize("name", ACTIONS)
async def test_a_failure_at_any_operation_is_an_error_and_loses_nothing(name: str, failures: int, lands: bool) -> None:
    kv, ids = await prepared()
    action, fields = fields_of(name, ids)
    calm = FaultyKeyValue(copy(kv))
    whole = await World(stores={STORE: calm}).ask(action, **fields)
    assert whole["ok"], whole

    for place in range(len(calm.operations)):
        faulty = FaultyKeyValue(copy(kv), fails_at=place, failures=failures, lands=lands)
        body = await World(stores={STORE: faulty}).ask(action, **fields)
        where = calm.operations[place]
        if body["ok"]:
            same = ("count", "total", "memoryIds", "counts", "pruned", "totalMemories", "memoriesUsed")
            assert {n: size(body.get(n)) for n in same} == {n: size(whole.get(n)) for n in same}, where
        else:
            assert body["error"]["code"] in ("storage_unavailable", "incomplete"), where
        after = World(stores={STORE: faulty.inner})
        kept = await after.ask("recall", maxResults=100, searchOptions={"includeArchived": True})
        assert kept["ok"], where
        assert kept["warnings"] == [], where
        missing = set(ids) - {memory["id"] for memory in kept["memories"]}
        assert missing <= ({ids[0]} if action == "forget" else set()), where
        if body["ok"] and action == "forget":
            assert missing == {ids[0]}, where


def size(value: Any) -> Any:
    """What must be equal of two answers whose ids differ."""
    return len(value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownArgumentType]  # any JSON


@pytest.mark.parametrize("name", ["remember with a key", "update", "chunk", "prune", "forget"])
async def test_the_same_request_after_a_failure_ends_where_one_success_would(name: str) -> None:
    kv, ids = await prepared()
    action, fields = fields_of(name, ids)
    if name == "chunk":
        fields["idempotencyKey"] = "k"
    calm = FaultyKeyValue(copy(kv))
    await World(stores={STORE: calm}).ask(action, **fields)
    expected = await contents(calm.inner)

    for place in range(len(calm.operations)):
        for lands in (False, True):
            faulty = FaultyKeyValue(copy(kv), fails_at=place, lands=lands)
            await World(stores={STORE: faulty}).ask(action, **fields)
            again = await World(stores={STORE: faulty.inner}).ask(action, **fields)
            assert again["ok"] or again["error"]["code"] == "not_found", calm.operations[place]
            assert await contents(faulty.inner) == expected, calm.operations[place]


async def contents(kv: InMemoryKeyValue) -> list[tuple[str, bool]]:
    body = await World(stores={STORE: kv}).ask("recall", maxResults=100, searchOptions={"includeArchived": True})
    return sorted((memory["content"], memory["archived"]) for memory in body["memories"])


@pytest.mark.parametrize("name", [*sorted(set(ACTIONS) - set(READS)), "purge"])
async def test_a_write_that_could_not_be_tidied_up_after_says_so(name: str) -> None:
    kv, ids = await prepared()
    purge = ("purge", {"memoryId": ids[0], "confirm": f"DELETE {ids[0]}"})
    action, fields = purge if name == "purge" else fields_of(name, ids)
    calm = FaultyKeyValue(copy(kv))
    await World(stores={STORE: calm}).ask(action, **fields)
    place = calm.operations.index("set __manifest")
    faulty = FaultyKeyValue(copy(kv), fails_at=place, failures=1)
    body = await World(stores={STORE: faulty}).ask(action, **fields)

    assert body["ok"], body
    assert any("not yet tidied up" in warning for warning in body["warnings"]), body["warnings"]


@pytest.mark.parametrize("name", READS)
async def test_a_listed_key_without_a_value_is_incomplete_or_named_as_damaged(name: str) -> None:
    kv, ids = await prepared()
    action, fields = fields_of(name, ids)
    lost = next(key for key in kv.values if re.match(rf"memory-{ids[-1]}\.", key))
    faulty = FaultyKeyValue(copy(kv), ghosts=frozenset([lost]))
    del faulty.inner.values[lost]

    body = await World(stores={STORE: faulty}).ask(action, **fields)

    if body["ok"]:
        assert any("1 stored part" in warning for warning in body["warnings"])
    else:
        assert body["error"]["code"] == "incomplete"


async def test_a_key_that_a_listing_does_not_show_yet_is_found_once_it_does() -> None:
    kv, ids = await prepared()
    hidden = frozenset(key for key in kv.values if key.startswith(f"memory-{ids[-1]}."))
    world = World(stores={STORE: FaultyKeyValue(kv, unlisted=hidden)})

    await world.remember("Written with a stale listing in hand.")

    world.stores[STORE] = kv
    assert (await world.ask("get", memoryId=ids[-1]))["ok"]
    assert (await world.ask("stats"))["totalMemories"] == 10


async def test_an_error_names_no_stored_text() -> None:
    kv, _ = await prepared()

    body = await World(stores={STORE: FaultyKeyValue(kv, fails_at=1)}).ask("search", query="port")

    assert body["error"]["code"] == "storage_unavailable"
    assert "Port" not in body["error"]["message"]

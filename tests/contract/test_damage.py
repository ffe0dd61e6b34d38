"""Damaged bytes: all else is served, and a warning says what is not."""

import json

import pytest

from agent_memory.store.kv import InMemoryKeyValue
from support.world import STORE, World

DAMAGES = [b"", b"{", b"null", b"[]", b'{"format":1}', b"\xff\xfe\x00", b"memory", b"\n\n\n"]


def values(world: World) -> dict[str, bytes]:
    kv = world.stores[STORE]
    assert isinstance(kv, InMemoryKeyValue)
    return kv.values


def key_of(world: World, prefix: str) -> str:
    return next(key for key in values(world) if key.startswith(prefix))


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_memory_takes_only_itself_down(world: World, damage: bytes) -> None:
    broken, kept = await world.remember("Port 1 is open."), await world.remember("Port 2 is open.")
    values(world)[key_of(world, f"memory-{broken}.")] = damage

    for action in ("recall", "search"):
        body = await world.ask(action, query="port")
        assert [memory["id"] for memory in body["memories"]] == [kept]
        assert any("damaged" in warning for warning in body["warnings"])
    assert (await world.ask("get", memoryId=broken))["error"]["code"] == "not_found"
    stats = await world.ask("stats")
    assert (stats["totalMemories"], len(stats["warnings"])) == (1, 1)


async def test_a_flipped_bit_is_noticed(world: World) -> None:
    broken = await world.remember("Port 1 is open.")
    key = key_of(world, f"memory-{broken}.")
    values(world)[key] = values(world)[key].replace(b"open", b"shut")

    body = await world.ask("recall")

    assert body["memories"] == []
    assert any("damaged" in warning for warning in body["warnings"])


async def test_a_damaged_update_leaves_the_version_before(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    await world.ask("update", memoryId=memory_id, content="Port 1 is shut.")
    values(world)[key_of(world, f"memory-{memory_id}.2.")] = b"{"

    body = await world.ask("recall")

    assert [memory["content"] for memory in body["memories"]] == ["Port 1 is open."]
    assert body["warnings"]


async def test_a_damaged_line_of_a_segment_takes_only_itself_down(world: World) -> None:
    await world.ask("remember", memories=[{"content": f"Port {n} is open."} for n in range(10)])
    key = key_of(world, "segment-")
    values(world)[key] = values(world)[key].replace(b"Port 4 is open.", b"Port X is open.")

    body = await world.ask("recall")

    assert body["total"] == 9
    assert any("damaged" in warning for warning in body["warnings"])


async def test_a_segment_cut_short_serves_what_is_left(world: World) -> None:
    await world.ask("remember", memories=[{"content": f"Port {n} is open."} for n in range(10)])
    key = key_of(world, "segment-")
    whole = values(world)[key]
    for part in (0.0, 0.3, 0.6, 0.95):
        values(world)[key] = whole[: int(len(whole) * part)]
        body = await world.ask("recall")
        assert body["total"] < 10, part
        assert any("damaged" in warning for warning in body["warnings"]), part


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("prefix", ["access-", "__manifest"])
async def test_a_damaged_derived_key_changes_no_answer(world: World, prefix: str, damage: bytes) -> None:
    memory_id = await world.remember("Port 1 is open.")
    await world.ask("get", memoryId=memory_id)
    values(world)[key_of(world, prefix)] = damage

    body = await world.ask("recall", decayConfig={"enabled": True})
    assert ([memory["id"] for memory in body["memories"]], body["warnings"]) == ([memory_id], [])
    other = await world.remember("Port 2 is open.")
    assert (await world.ask("stats"))["totalMemories"] == 2
    assert set(json.loads(values(world)["__manifest"])["memoryIds"]) == {memory_id, other}


async def test_a_memory_can_be_written_again_where_one_was_damaged(world: World) -> None:
    broken = await world.remember("Port 1 is open.", idempotencyKey="k")
    values(world)[key_of(world, f"memory-{broken}.")] = b"{"

    body = await world.ask("remember", content="Port 1 is open.", idempotencyKey="k")

    assert body["ok"]
    assert (await world.ask("get", memoryId=body["memory"]["id"]))["ok"]


async def test_foreign_keys_in_the_storage_are_left_alone(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    foreign = {
        "INPUT": b"{}",
        "notes.txt": b"x",
        "memory-": b"x",
        "segment-x": b"x",
        "access-": b"x",
        "memory-1.json": b"{}",
    }
    values(world).update(foreign)

    body = await world.ask("recall")
    await world.ask("prune", decayConfig={"enabled": True})

    assert [memory["id"] for memory in body["memories"]] == [memory_id]
    assert {name: values(world)[name] for name in foreign} == foreign


@pytest.mark.parametrize("damage", [b"", b"garbage", b"<half>"])
async def test_upkeep_never_deletes_what_it_could_not_read(world: World, damage: bytes) -> None:
    for batch in range(3):
        await world.ask("remember", memories=[{"content": f"Port {batch}{n} is open."} for n in range(5)])
        world.wait(days=2)
    key = min(key for key in values(world) if key.startswith("segment-"))
    whole = values(world)[key]
    values(world)[key] = whole[: len(whole) // 2] if damage == b"<half>" else damage

    for _ in range(3):
        assert (await world.ask("prune"))["ok"]
        world.wait(days=2)

    assert key in values(world), "a person who has the bytes back must find their place"
    values(world)[key] = whole
    assert (await world.ask("stats"))["totalMemories"] == 15


@pytest.mark.parametrize("damage", [b"", b"garbage"])
async def test_upkeep_never_deletes_a_damaged_memory_that_stands_nowhere_else(world: World, damage: bytes) -> None:
    broken = await world.remember("Port 1 is open.")
    key = key_of(world, f"memory-{broken}.")
    whole, values(world)[key] = values(world)[key], damage
    for n in range(70):
        await world.remember(f"Port {n} is shut.")
    world.wait(days=2)
    await world.ask("prune")

    values(world)[key] = whole
    assert (await world.ask("get", memoryId=broken))["ok"]


@pytest.mark.parametrize(
    ("action", "said"), [("update", "revision 2 is damaged"), ("forget", "revision 2, which made it forgotten, is")]
)
async def test_an_older_revision_in_place_of_a_damaged_one_is_named_by_every_read(
    world: World, action: str, said: str
) -> None:
    memory_id = await world.remember("Port 1 is open.")
    await world.ask(action, memoryId=memory_id, **({"content": "Port 1 is shut."} if action == "update" else {}))
    values(world)[key_of(world, f"memory-{memory_id}.2.")] = b"{"

    for read, given in (
        ("recall", {}),
        ("search", {"query": "port"}),
        ("get", {"memoryId": memory_id}),
        ("context_pack", {"query": "port"}),
        ("list", {}),
        ("history", {"memoryId": memory_id}),
    ):
        warnings = (await world.ask(read, **given))["warnings"]
        assert any(memory_id in warning and said in warning for warning in warnings), (read, warnings)


async def test_an_older_damaged_revision_is_not_said_to_be_shown(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    await world.ask("update", memoryId=memory_id, content="Port 1 is shut.")
    values(world)[key_of(world, f"memory-{memory_id}.1.")] = b"{"

    warnings = (await world.ask("get", memoryId=memory_id))["warnings"]

    assert len(warnings) == 1
    assert "damaged" in warnings[0]

"""export, from the outside."""

import pytest

from agent_memory.store.codec import encode
from support.revisions import after, first
from support.transfer import CANARY, LONG, fill, lines_of, parsed, take
from support.world import World


async def test_a_memory_is_one_line_with_its_history_oldest_first(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    other = await world.remember("今天下午部署了支付服务 👩‍💻")
    await world.ask("update", memoryId=memory_id, content="Port 2 is open.")

    body = await world.ask("export")

    lines = parsed(world.records.values["EXPORT"])
    assert [line["id"] for line in lines] == [memory_id, other]
    assert [row["revision"]["memory"]["content"] for row in lines[0]["revisions"]] == [
        "Port 1 is open.",
        "Port 2 is open.",
    ]
    assert (body["records"], body["counts"], body["revisions"]) == (["EXPORT"], {"active": 2}, 3)
    assert body["bytes"] == len(world.records.values["EXPORT"])


async def test_forgotten_memories_are_left_out_and_that_is_said(world: World) -> None:
    gone = await world.remember(CANARY)
    await world.remember("Port 1 is open.")
    await world.ask("forget", memoryId=gone)

    body = await world.ask("export")

    assert CANARY.encode() not in world.records.values["EXPORT"]
    assert any("Forgotten and left out: 1 memory" in warning for warning in body["warnings"])


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        (None, {"active", "archived", "purged"}),
        ("all", {"active", "archived", "forgotten", "purged"}),
        ("active", {"active"}),
        ("archived", {"archived"}),
        ("forgotten", {"forgotten"}),
    ],
)
async def test_status_picks_what_is_exported(world: World, status: str | None, wanted: set[str]) -> None:
    await fill(world)

    states = {line["state"] for line in parsed(await lines_of(world, status=status))}

    assert states == wanted


async def test_of_a_purged_memory_there_is_only_that_it_was_purged(world: World) -> None:
    await fill(world)

    lines = await lines_of(world, status="all")

    assert CANARY.encode() not in lines
    purged = next(line for line in parsed(lines) if line["state"] == "purged")
    assert [row["revision"]["memory"]["content"] for row in purged["revisions"]] == [""]


async def test_an_empty_store_makes_no_record(world: World) -> None:
    body = await world.ask("export")

    assert (body["ok"], body["records"], body["bytes"], body["warnings"]) == (True, [], 0, [])


async def test_more_than_a_record_takes_is_several_and_what_an_earlier_export_left_is_removed(world: World) -> None:
    for start in range(0, 50, 10):
        await world.ask("remember", memories=[{"content": f"{n} {LONG}"} for n in range(start, start + 10)])

    body = await world.ask("export")

    assert body["records"] == ["EXPORT", "EXPORT-2"]
    assert all(len(world.records.values[name]) <= 8_000_000 for name in body["records"])
    assert "EXPORT and EXPORT-2" in body["message"]
    other = World(sources={"whole": world.records})
    assert (await other.ask("import", sourceStore="whole"))["counts"]["created"] == 50
    assert (await world.ask("export", memoryStoreId="another"))["records"] == []
    assert world.records.values == {}


async def test_a_history_larger_than_a_record_is_told_in_several_lines(world: World) -> None:
    history = [encode(first(content=LONG))]
    for n in range(45):
        history.append(encode(after(history[-1], content=f"{n} {LONG}")))
    store = world.memory_store()
    await store.add(await store.load(), history)

    lines = await lines_of(world)

    assert len(parsed(lines)) == 2
    other = World()
    assert (await take(other, lines))["counts"]["created"] == 1
    assert await lines_of(other) == lines

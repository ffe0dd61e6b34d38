"""Instants: any offset in, UTC with milliseconds out."""

import pytest

from support.world import World


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("2026-02-01T23:30:00Z", "2026-02-01T23:30:00.000Z"),
        ("2026-02-02T08:30:00+09:00", "2026-02-01T23:30:00.000Z"),
        ("2026-02-01T23:30:00", "2026-02-01T23:30:00.000Z"),
        ("2026-02-01 23:30", "2026-02-01T23:30:00.000Z"),
        ("2026-02-01", "2026-02-01T00:00:00.000Z"),
        ("2026-02-01T23:30:00.123456Z", "2026-02-01T23:30:00.123Z"),
        (" 2026-02-01T18:30:00-05:00 ", "2026-02-01T23:30:00.000Z"),
        ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000Z"),
        ("0001-01-01", "0001-01-01T00:00:00.000Z"),
    ],
)
async def test_an_instant_is_stored_in_utc(world: World, given: str, stored: str) -> None:
    body = await world.ask("remember", content="A fact.", memoryDetails={"createdAt": given})

    assert (body["memory"]["createdAt"], body["memory"]["updatedAt"]) == (stored, stored)
    assert (await world.ask("recall", decayConfig={"enabled": True, "halfLifeDays": 1}))["count"] == 1


@pytest.mark.parametrize(
    "given",
    ["not-a-date", "yesterday", "31.12.2026", "2026-13-01", "2026-02-30", "1767225600", "0001-01-01T00:00+14:00"],
)
async def test_what_is_no_instant_is_refused(world: World, given: str) -> None:
    body = await world.ask("remember", content="A fact.", memoryDetails={"createdAt": given})

    assert body["error"]["details"]["field"] == "memoryDetails.createdAt"
    assert given in body["error"]["message"]
    assert "ISO 8601" in body["error"]["message"]


async def test_a_future_instant_is_set_to_now_and_never_ranks_above_today(world: World) -> None:
    future = await world.ask("remember", content="Port 1.", memoryDetails={"createdAt": "2099-01-01"})
    world.wait(hours=1)
    today = await world.remember("Port 2.")

    assert future["memory"]["createdAt"].startswith("2026-03-01T09:30")
    assert any("2099" in warning for warning in future["warnings"])
    assert (await world.ask("recall"))["memories"][0]["id"] == today


async def test_an_update_cannot_move_a_creation_into_the_future(world: World) -> None:
    memory_id = await world.remember("Port 1.")

    body = await world.ask("update", memoryId=memory_id, memoryDetails={"createdAt": "2099-01-01"})

    assert body["memory"]["createdAt"] < "2026-03-02"
    assert body["warnings"]


async def test_since_and_until_take_any_offset_and_are_inclusive(world: World) -> None:
    memory_id = await world.remember("Port 1.", memoryDetails={"createdAt": "2026-02-01T23:30:00Z"})

    for options in (
        {"since": "2026-02-02T08:30:00+09:00"},
        {"until": "2026-02-02T08:30:00+09:00"},
        {"since": "2026-02-01T23:30", "until": "2026-02-01T23:30:00Z"},
    ):
        body = await world.ask("recall", searchOptions=options)
        assert [m["id"] for m in body["memories"]] == [memory_id], options
    for options in ({"since": "2026-02-01T23:30:00.001Z"}, {"until": "2026-02-01T23:29:59.999Z"}):
        assert (await world.ask("recall", searchOptions=options))["count"] == 0, options


async def test_reading_leaves_the_age_of_a_note(world: World) -> None:
    await world.remember("Port 1.")
    world.wait(days=60)
    for _ in range(5):
        await world.ask("recall", query="port")
        world.wait(hours=2)

    body = await world.ask("recall", query="port")
    assert body["memories"][0]["updatedAt"].startswith("2026-03-01")
    assert any("60 days" in reason for reason in body["memories"][0]["reasons"])

"""doctor, from the outside."""

import json

import pytest

from support.world import World


async def make_twins(world: World) -> tuple[str, str]:
    """Two memories of the same text, as two writers at once leave them."""
    first = await world.remember("The port is 8080.")
    kept = dict(world.values())
    await world.ask("purge", memoryId=first, confirm=f"DELETE {first}")
    world.values().clear()
    second = await world.remember("The port is 8080.")
    world.values().update(kept)
    return first, second


async def test_a_healthy_store_has_nothing_to_report(world: World) -> None:
    await world.remember("The port is 8080.")

    body = await world.ask("doctor")

    assert body["findings"] == []
    assert "nothing to report" in body["message"]


async def test_an_empty_store_has_nothing_to_report(world: World) -> None:
    assert (await world.ask("doctor"))["findings"] == []


async def test_duplicates_are_named_and_a_repair_forgets_all_but_the_first(world: World) -> None:
    first, second = await make_twins(world)

    plan = await world.ask("doctor")
    before = (await world.ask("stats"))["totalMemories"]
    mended = await world.ask("doctor", repair=True)

    assert plan["findings"][0]["about"] == [first, second]
    assert before == 2
    assert mended["counts"] == {"duplicate": 1, "unindexed": 1}
    assert (mended["repaired"], (await world.ask("stats"))["totalMemories"]) == (2, 1)
    assert (await world.ask("get", memoryId=first))["ok"]
    assert (await world.ask("restore", memoryId=second))["ok"]


async def test_damage_is_reported_and_never_touched(world: World) -> None:
    await world.remember("The port is 8080.")
    key = next(key for key in world.values() if key.startswith("memory-"))
    world.values()[key] = b"{torn"

    body = await world.ask("doctor", repair=True)

    assert body["counts"] == {"damaged": 1}
    assert world.values()[key] == b"{torn"


async def test_content_of_a_purged_memory_that_came_back_is_removed(world: World) -> None:
    memory_id = await world.remember("The port is 8080.")
    late = {key: value for key, value in world.values().items() if key.startswith("memory-")}
    await world.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}")
    world.values().update(late)

    plan = await world.ask("doctor")
    await world.ask("doctor", repair=True)

    assert plan["counts"] == {"purged_content": 1}
    assert [key for key, value in world.values().items() if b"8080" in value] == []
    assert (await world.ask("doctor"))["counts"] == {}


async def test_a_foreign_key_is_reported_and_left_alone(world: World) -> None:
    await world.remember("The port is 8080.")
    world.values()["holiday.jpg"] = b"sunset"

    body = await world.ask("doctor", repair=True)

    assert body["findings"][0] == {
        "kind": "misnamed",
        "about": ["holiday.jpg"],
        "detail": "is no key of this product; it is ignored and kept",
        "mendable": False,
    }
    assert world.values()["holiday.jpg"] == b"sunset"


async def test_a_writer_whose_clock_runs_ahead_is_told(world: World) -> None:
    world.wait(days=400)
    memory_id = await world.remember("Written in the future.")
    world.wait(days=-400)

    body = await world.ask("doctor")

    assert body["counts"] == {"clock_skew": 1}
    assert body["findings"][0]["about"] == [memory_id]


async def test_concurrent_changes_are_named_until_one_is_restored(world: World) -> None:
    memory_id = await world.remember("The port is 8080.")
    before = dict(world.values())
    await world.ask("update", memoryId=memory_id, content="The port is 9090.")
    mine = {key: value for key, value in world.values().items() if key not in before}
    for key in mine:
        del world.values()[key]
    await world.ask("update", memoryId=memory_id, content="The port is 7070.")
    world.values().update(mine)

    body = await world.ask("doctor")
    await world.ask("update", memoryId=memory_id, content="The port is 7071.")

    assert body["counts"] == {"conflict": 1}
    assert (await world.ask("doctor"))["counts"] == {}


async def test_revisions_that_follow_what_is_not_stored_are_named(world: World) -> None:
    memory_id = await world.remember("The port is 8080.")
    (first,) = (key for key in world.values() if key.startswith("memory-"))
    await world.ask("update", memoryId=memory_id, content="The port is 9090.")
    del world.values()[first]

    body = await world.ask("doctor", repair=True)

    assert body["counts"] == {"orphan": 1}
    assert body["findings"][0]["about"] == [memory_id]
    assert first.rpartition(".")[2] in body["findings"][0]["detail"]
    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["content"] == "The port is 9090."


@pytest.mark.parametrize("manifest", [None, b"{torn", b"[]", b'{"memoryIds": []}'])
async def test_a_list_for_people_that_lacks_memories_is_written_anew(world: World, manifest: bytes | None) -> None:
    memory_id = await world.remember("The port is 8080.")
    if manifest is None:
        del world.values()["__manifest"]
    else:
        world.values()["__manifest"] = manifest

    plan = await world.ask("doctor")
    untouched = world.values().get("__manifest")
    mended = await world.ask("doctor", repair=True)

    assert plan["counts"] == {"unindexed": 1}
    assert plan["findings"][0]["about"] == [memory_id]
    assert untouched == manifest
    assert mended["repaired"] == 1
    assert json.loads(world.values()["__manifest"])["memoryIds"] == [memory_id]


async def test_what_cannot_be_mended_yet_is_not_counted_as_mended(world: World) -> None:
    for number in range(64):
        await world.remember(f"Port {number} is open.")

    early = await world.ask("doctor", repair=True)
    world.wait(days=1, minutes=1)
    late = await world.ask("doctor", repair=True)

    assert (early["counts"], early["repaired"]) == ({"covered": 1}, 0)
    assert (late["counts"], late["repaired"]) == ({"covered": 1}, 1)
    assert (await world.ask("doctor"))["counts"] == {}


async def test_an_entry_of_the_original_actor_is_pointed_to_import(world: World) -> None:
    await world.remember("The port is 8080.")
    world.values()["memory-7f3a"] = b"{}"

    body = await world.ask("doctor")

    assert body["counts"] == {"misnamed": 1}
    assert "import" in body["findings"][0]["detail"]


async def test_a_revision_under_the_name_of_another_memory_is_damage(world: World) -> None:
    memory_id = await world.remember("The port is 8080.")
    (key,) = (key for key in world.values() if key.startswith("memory-"))
    world.values()[key.replace(memory_id, "another")] = world.values()[key]

    body = await world.ask("doctor")

    assert body["counts"] == {"damaged": 1}
    assert memory_id in body["findings"][0]["detail"]
    assert (await world.ask("get", memoryId="another"))["error"]["code"] == "not_found"

"""purge: gone for good, from every stored byte."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.memory_store import MemoryStore
from support.actor import run_actor
from support.world import STORE, World

CANARY = "xyzzy-canary-4711"
TEXT = f"The vault door opens with {CANARY}."


def holds_canary(world: World) -> list[str]:
    return [key for key, value in world.values().items() if CANARY.encode() in value or CANARY in key]


async def purge(world: World, memory_id: str) -> dict[str, object]:
    return await world.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}")


@pytest.mark.parametrize("confirm", ["", "yes", "DELETE", "delete it", "DELETE another"])
async def test_a_purge_without_its_words_changes_nothing(world: World, confirm: str) -> None:
    memory_id = await world.remember(TEXT)
    before = dict(world.values())

    body = await world.ask("purge", memoryId=memory_id, confirm=confirm)

    assert body["error"]["code"] == "invalid_request"
    assert f"DELETE {memory_id}" in body["error"]["message"]
    assert world.values() == before


async def test_a_single_memory_and_its_history_leave_no_byte(world: World) -> None:
    memory_id = await world.remember(TEXT, url=f"https://{CANARY}.example.com", memoryDetails={"tags": [CANARY]})
    await world.ask("update", memoryId=memory_id, memoryDetails={"category": CANARY})
    await world.ask("forget", memoryId=memory_id)

    body = await purge(world, memory_id)

    assert body["ok"]
    assert body["revisions"] == 3
    assert holds_canary(world) == []


async def test_a_memory_of_a_bulk_write_is_cut_out_of_its_segment_and_the_others_stay(world: World) -> None:
    contents = [f"Note number {n} of the rest." for n in range(50)]
    bulk = await world.ask("remember", memories=[{"content": text} for text in [*contents, TEXT]])
    memory_id = bulk["results"][-1]["memoryId"]

    await purge(world, memory_id)

    left = await world.ask("recall", maxResults=100)
    assert holds_canary(world) == []
    assert {memory["content"] for memory in left["memories"]} == set(contents)


@pytest.mark.parametrize("action", ["get", "update", "forget", "history", "restore", "purge"])
async def test_a_purged_memory_is_not_there_for_any_action(world: World, action: str) -> None:
    memory_id = await world.remember(TEXT)
    await purge(world, memory_id)

    body = await world.ask(action, memoryId=memory_id, content="new", confirm=f"DELETE {memory_id}")

    assert body["error"]["code"] == "not_found"
    assert (await world.ask("stats"))["totalMemories"] == 0
    assert (await world.ask("search", query="vault door"))["count"] == 0


async def test_the_same_text_can_be_remembered_anew_but_not_under_the_purged_key(world: World) -> None:
    memory_id = await world.remember(TEXT, idempotencyKey="k")
    await purge(world, memory_id)

    again = await world.ask("remember", content=TEXT, idempotencyKey="k")
    anew = await world.ask("remember", content=TEXT)

    assert again["error"]["code"] == "conflict"
    assert "purged" in again["error"]["message"]
    assert anew["status"] == "created"


async def test_no_key_that_stood_for_a_purged_memory_is_used_again(world: World) -> None:
    memory_id = await world.remember(TEXT, idempotencyKey="made")
    for key in (f"{CANARY}-found", "reinforced"):
        found = await world.ask("remember", content=TEXT, idempotencyKey=key, reinforce=key == "reinforced")
        assert found["memory"]["id"] == memory_id
    await purge(world, memory_id)

    for key in ("made", f"{CANARY}-found", "reinforced"):
        again = await world.ask("remember", content=TEXT, idempotencyKey=key)
        assert again["error"]["code"] == "conflict"
        assert "purged" in again["error"]["message"]
        assert again["error"]["details"]["memoryId"] == memory_id
    assert holds_canary(world) == []
    assert (await world.ask("remember", content="Another text.", idempotencyKey="fresh"))["status"] == "created"


async def test_content_that_lands_late_is_never_shown_and_prune_removes_it(world: World) -> None:
    memory_id = await world.remember(TEXT)
    late = {key: value for key, value in world.values().items() if key.startswith("memory-")}
    await purge(world, memory_id)
    world.values().update(late)

    assert (await world.ask("get", memoryId=memory_id))["error"]["code"] == "not_found"
    await world.ask("prune")

    assert holds_canary(world) == []


async def test_a_writer_that_packs_what_it_read_before_the_purge_is_cleaned_up_after(world: World) -> None:
    memory_id = await world.remember(TEXT)
    for n in range(62):
        await world.remember(f"Filler number {n}.")
    store: MemoryStore = world.memory_store(STORE)
    before = await store.load()
    await purge(world, memory_id)
    filler = next(head for head in before.heads.values() if head.memory.id != memory_id)
    again = before.revisions[filler.memory.id][0].revision
    again = replace(again, memory=replace(again.memory, id="of-a-late-writer", content="Written late."))
    await store.commit(before, [again])

    assert holds_canary(world) != []
    await world.ask("prune")

    assert holds_canary(world) == []
    assert (await world.ask("stats"))["totalMemories"] == 63


async def test_a_reader_that_listed_the_old_segment_finds_its_rows_where_they_moved(world: World) -> None:
    bulk = await world.ask("remember", memories=[{"content": TEXT}, {"content": "Kept."}])
    store = world.memory_store()
    listed = [key async for key in store.kv.list_keys()]
    await purge(world, bulk["results"][0]["memoryId"])

    class Stale(InMemoryKeyValue):
        async def list_keys(self, prefix: str = ""):  # noqa: ANN202  # as its base
            for key in listed:
                if key.startswith(prefix):
                    yield key

    stale = Stale()
    stale.values = world.values()
    seen = await MemoryStore(store_id=STORE, kv=stale, now=world.clock, new_id=store.new_id).load()

    assert [head.memory.content for head in seen.active()] == ["Kept."]


def notes_of_moves(world: World) -> list[str]:
    return [key for key, value in world.values().items() if b"moved" in value]


async def test_the_note_of_a_moved_segment_is_swept_after_a_day(world: World) -> None:
    bulk = await world.ask("remember", memories=[{"content": TEXT}, {"content": "Kept."}])
    await purge(world, bulk["results"][0]["memoryId"])
    assert len(notes_of_moves(world)) == 1

    world.wait(days=2)
    await world.ask("prune")

    assert notes_of_moves(world) == []
    assert (await world.ask("recall"))["memories"][0]["content"] == "Kept."


def test_no_byte_is_left_in_the_storage_folder(tmp_path: Path) -> None:
    made = run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": TEXT}).output
    memory_id = made["memory"]["id"]

    purged = run_actor(
        tmp_path,
        {"action": "purge", "memoryStoreId": STORE, "memoryId": memory_id, "confirm": f"DELETE {memory_id}"},
    )

    folder = tmp_path / "storage" / "key_value_stores" / purged.output["storeName"]
    assert purged.exit_code == 0
    assert [path.name for path in folder.iterdir() if CANARY.encode() in path.read_bytes()] == []

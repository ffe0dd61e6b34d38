"""doctor finds secrets that were stored before there was a gate, and says how to remove them."""

import json

from agent_memory.store.codec import encode
from support.lookalikes import FORMS, seeded
from support.revisions import first
from support.world import World

TOKEN = FORMS["slack"](seeded(5))


async def test_a_stored_secret_is_found_also_in_the_history_and_the_purge_is_named(world: World) -> None:
    await world.remember("Plain.")
    store = world.memory_store()
    await store.add(await store.load(), [encode(first("leak", f"Use {TOKEN}"))])
    await world.ask("update", memoryId="leak", content="Without it.")

    body = await world.ask("doctor")

    found = [f for f in body["findings"] if f["kind"] == "stored_secret"]
    assert [f["about"] for f in found] == [["leak"]]
    assert "slack_token" in found[0]["detail"]
    assert "DELETE leak" in found[0]["detail"]
    assert TOKEN not in json.dumps(body)

    await world.ask("purge", memoryId="leak", confirm="DELETE leak")
    assert (await world.ask("doctor"))["findings"] == []

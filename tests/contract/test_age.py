"""Packs and briefs say how old a memory's content is: since when it says what it says."""

import json

from support.world import World

TEXT = "The build host runs Debian."


async def days_old(world: World) -> tuple[str, str, int]:
    """The age in a brief, a pack and a pack of JSON."""
    brief, packed = await world.ask("brief"), await world.ask("context_pack", query=TEXT)
    told = json.loads((await world.ask("context_pack", query=TEXT, format="json"))["contextJson"])["memories"][0]
    frame = next(line for line in packed["contextMarkdown"].splitlines() if " old (" in line)
    age, day = frame.split(", ")[-1].split(" old (")
    assert (day, told["ageDays"]) == (told["updatedAt"][:10] + ")", int(age.split()[0]))
    return brief["markdown"].split(" old\n")[0].split(", ")[-1], age, told["ageDays"]


async def test_a_tag_makes_a_memory_no_younger_and_other_content_does() -> None:
    world = World()
    memory_id = await world.remember(TEXT, memoryDetails={"createdAt": "2025-01-01"})
    old = ("424 days", "424 days", 424)
    assert await days_old(world) == old
    await world.ask("update", memoryId=memory_id, memoryDetails={"tags": ["host"]})
    assert await days_old(world) == old
    await world.ask("update", memoryId=memory_id, content=TEXT + " Version 13.")
    world.wait(days=3)
    await world.ask("update", memoryId=memory_id, memoryDetails={"importance": 0.7})
    assert await days_old(world) == ("3 days", "3 days", 3)


async def test_a_date_that_is_put_right_counts() -> None:
    world = World()
    memory_id = await world.remember(TEXT)
    await world.ask("update", memoryId=memory_id, memoryDetails={"createdAt": "2025-01-01"})

    assert (await days_old(world))[0] == "424 days"


async def test_a_pack_of_the_past_tells_the_age_then() -> None:
    world = World()
    memory_id = await world.remember(TEXT, memoryDetails={"createdAt": "2025-01-01"})
    then = world.now.isoformat()
    world.wait(days=1)
    await world.ask("update", memoryId=memory_id, content=TEXT + " Version 13.")

    assert "424 days old" in (await world.ask("context_pack", query=TEXT, asOf=then))["contextMarkdown"]


async def test_a_tag_on_an_older_memory_makes_it_no_update_of_a_newer_one() -> None:
    world = World()
    old = await world.remember("We use port 22 for ssh on the build host.")
    world.wait(days=1)
    await world.remember("sshd on the build host listens on port 49222.")
    world.wait(days=1)
    await world.ask("update", memoryId=old, memoryDetails={"tags": ["ssh"]})
    found = await world.ask("search", query="ssh port of the build host")

    assert {memory["id"] for memory in found["memories"] if "possiblyUpdatedBy" in memory} == {old}

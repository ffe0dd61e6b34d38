"""How much of a content a read shows."""

from typing import Any

import pytest

from support.world import World

NEEDLE = "The secret ingredient of the release train is patience."
LONG = "Filler words about nothing much. " * 300 + NEEDLE + " More filler at the end." * 300


async def only(world: World, action: str = "search", **fields: Any) -> dict[str, Any]:
    body = await world.ask(action, **{"query": "secret ingredient patience", **fields})
    assert body["count"] == 1, body
    return body["memories"][0]


async def test_a_short_content_is_whole(world: World) -> None:
    await world.remember(NEEDLE)

    memory = await only(world)
    assert (memory["content"], memory["contentTruncated"]) == (NEEDLE, False)


async def test_a_content_of_exactly_a_thousand_characters_is_whole(world: World) -> None:
    content = (NEEDLE + " " + "x" * 1000)[:1000]
    await world.remember(content)

    memory = await only(world)
    assert (memory["content"], memory["contentTruncated"]) == (content, False)


@pytest.mark.parametrize("action", ["search", "recall"])
async def test_a_long_content_is_cut_around_the_match(world: World, action: str) -> None:
    await world.remember(LONG)

    memory = await only(world, action)
    assert memory["contentTruncated"] is True
    assert "secret ingredient" in memory["content"]
    assert len(memory["content"]) <= 1010


async def test_full_content_brings_all_of_it(world: World) -> None:
    await world.remember(LONG)

    memory = await only(world, searchOptions={"fullContent": True})
    assert (memory["content"], memory["contentTruncated"]) == (LONG, False)


async def test_content_length_sets_the_cut(world: World) -> None:
    await world.remember(LONG)

    memory = await only(world, searchOptions={"contentLength": 80})
    assert memory["contentTruncated"] is True
    assert 20 <= len(memory["content"]) <= 90


async def test_metadata_is_always_there(world: World) -> None:
    await world.remember(LONG, memoryDetails={"metadata": {"ticket": 7}})

    assert (await only(world))["metadata"] == {"ticket": 7}


async def test_get_brings_all_of_a_content_that_search_cut(world: World) -> None:
    memory_id = await world.remember(LONG)

    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["content"] == LONG


async def test_fifty_long_notes_give_a_small_answer(world: World) -> None:
    await world.ask("remember", memories=[{"content": f"Deploy note {n}. " + f"word{n} " * 1400} for n in range(50)])

    body = await world.ask("search", query="deploy note")

    assert body["count"] == 20
    assert len(str(body)) < 60_000


async def test_an_answer_stops_at_four_megabytes_and_goes_on_by_cursor(world: World) -> None:
    for half in range(2):
        notes = [{"content": f"Deploy note {half} {n}. " + f"w{half}{n} " * 32_000} for n in range(15)]
        await world.ask("remember", memories=notes)

    first = await world.ask("recall", maxResults=30, searchOptions={"fullContent": True})
    cursor = first["nextCursor"]
    rest = await world.ask("recall", maxResults=30, searchOptions={"fullContent": True, "cursor": cursor})

    assert first["truncated"] is True
    assert 0 < first["count"] < 30
    assert first["count"] + rest["count"] == 30

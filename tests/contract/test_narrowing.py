"""Filters narrow a read and say so; values of the wrong kind are refused."""

from typing import Any

import pytest

from support.world import World


@pytest.fixture
async def world() -> World:
    world = World()
    await world.remember("Deploys of project A run at noon.", projectId="A")
    await world.remember("Deploys of project B run at night.", projectId="B")
    await world.remember("Deploys need two reviews.")
    return world


@pytest.mark.parametrize("options", [{"projectId": "A"}, {"projectIds": ["A"]}, {"projectIds": ["A", "C"]}])
async def test_a_project_in_the_options_never_widens_the_project_of_the_request(
    world: World, options: dict[str, Any]
) -> None:
    body = await world.ask("search", query="deploys", projectId="B", searchOptions=options)

    assert [memory["content"] for memory in body["memories"]] == ["Deploys need two reviews."]


async def test_projects_of_the_options_alone_are_looked_at_together(world: World) -> None:
    body = await world.ask("search", query="deploys", searchOptions={"projectId": "A", "projectIds": ["B"]})

    assert body["total"] == 3


async def test_a_search_that_the_filters_leave_nothing_to_says_so(world: World) -> None:
    body = await world.ask("search", query="deploys", searchOptions={"tags": ["none"]})

    assert body["verdict"] == "none"
    assert body["why"] == "No memory passes the filters of the request; the store holds 3 memories."


async def test_a_search_that_finds_nothing_says_how_much_it_looked_at(world: World) -> None:
    body = await world.ask("search", query="kubernetes", projectId="A")

    assert body["why"].endswith("Looked at: the 2 memories of 3 that pass the filters of the request.")


async def test_a_search_of_an_empty_store_says_that_it_is_empty() -> None:
    body = await World().ask("search", query="deploys")

    assert (body["verdict"], body["why"]) == ("none", "The store holds no memory yet.")


async def test_a_span_that_ends_before_it_begins_is_refused(world: World) -> None:
    body = await world.ask("recall", searchOptions={"since": "2026-03-02", "until": "2026-03-01"})

    assert body["error"]["code"] == "invalid_request"
    assert "until" in body["error"]["message"]


@pytest.mark.parametrize(
    "fields",
    [
        {"maxResults": True},
        {"searchOptions": {"limit": True}},
        {"searchOptions": {"minScore": False}},
        {"decayConfig": {"halfLifeDays": True}},
    ],
)
async def test_true_and_false_are_no_numbers(world: World, fields: dict[str, Any]) -> None:
    body = await world.ask("recall", **fields)

    assert body["error"]["code"] == "invalid_request"
    assert "number" in body["error"]["message"]


@pytest.mark.parametrize("content", ["\u200b", "\u200b\u200d\ufeff", "\x00\x07", "\u2028 \t"])
async def test_a_text_of_invisible_characters_alone_is_blank(world: World, content: str) -> None:
    body = await world.ask("remember", content=content)

    assert body["error"]["code"] == "invalid_request"
    assert "blank" in body["error"]["message"]


async def test_a_text_where_an_object_belongs_is_answered_in_plain_words(world: World) -> None:
    body = await world.ask("recall", searchOptions="tags")

    assert "SearchOptions" not in body["error"]["message"]
    assert "object" in body["error"]["message"]

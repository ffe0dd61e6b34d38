"""recall: orders, never filters by url or query."""

from typing import Any

import pytest

from support.world import World

CART = "https://shop.example.com/cart"
NARROWED: list[tuple[dict[str, Any], set[str]]] = [
    ({"memoryTypes": ["rule"]}, {"rule"}),
    ({"memoryTypes": ["rule", "fact"]}, {"rule", "fact"}),
    ({"tags": ["Red"]}, {"rule"}),
    ({"tags": ["red", "blue"]}, {"rule", "fact"}),
    ({"category": "OPS"}, {"fact"}),
    ({"sessionId": "s-2"}, {"plain"}),
    ({"projectId": "p"}, {"rule", "fact", "plain"}),
    ({"projectIds": ["p", "q"]}, {"rule", "fact", "plain"}),
    ({"minScore": 0.99}, set()),
    ({"since": "2026-03-03"}, {"plain"}),
    ({"until": "2026-03-01T23:59:59Z"}, {"rule"}),
    ({"since": "2026-03-01", "until": "2026-03-02T23:00:00+00:00"}, {"rule", "fact"}),
    ({"tags": ["red"], "memoryTypes": ["fact"]}, set()),
    ({"memoryTypes": '["rule"]', "tags": ""}, {"rule"}),
]


async def order(world: World, **fields: Any) -> list[str]:
    return [memory["id"] for memory in (await world.ask("recall", **fields))["memories"]]


async def test_without_url_and_query_the_newest_come_first(world: World) -> None:
    ids: list[str] = []
    for n in range(4):
        ids.append(await world.remember(f"Fact {n}."))
        world.wait(days=1)

    assert await order(world) == ids[::-1]


async def test_the_same_url_comes_before_the_same_site_before_the_rest(world: World) -> None:
    page = await world.remember("About the cart.", url=CART)
    site = await world.remember("About the shop.", url="https://shop.example.com/about")
    query = await world.remember("About payment and checkout.")
    world.wait(days=20)
    rest = await world.remember("Anything else.", url="https://other.example.org/")

    assert await order(world, url="Shop.example.com/cart/#top", query="payment checkout") == [page, site, query, rest]


@pytest.mark.parametrize("superseding", [False, True])
async def test_a_short_answer_is_the_beginning_of_the_whole_one(world: World, superseding: bool) -> None:
    older = await world.remember("The payment page asks for checkout twice.")
    between = [await world.remember(f"Payment {n}.") for n in range(3)]
    newer = await world.remember("It asks once.", memoryDetails={"supersedes": older if superseding else None})
    world.wait(days=1)
    noon = "2026-03-01T12:00:00Z"
    for gone in (None, between[0]):
        if gone:
            await world.ask("forget", memoryId=gone)
        for query in ("payment checkout", "lunch"):
            whole = await world.ask("recall", query=query, asOf=noon)
            ids = [memory["id"] for memory in whole["memories"]]
            assert set(ids) == {older, newer, *between} - {gone}
            for most in range(1, 6):
                first = await world.ask("recall", query=query, asOf=noon, maxResults=most)
                assert [memory["id"] for memory in first["memories"]] == ids[:most]
                assert (first["total"], first["truncated"]) == (len(ids), most < len(ids))


def score_of(points: float) -> float:
    """Points on the scale of scores, as the documentation says."""
    return points / (points + 50)


async def test_each_reason_is_said_and_the_score_lies_between_0_and_1(world: World) -> None:
    await world.remember("The checkout button moved.", url=CART)

    body = await world.ask("recall", url=CART, query="checkout button colour", explain=True)

    memory = body["memories"][0]
    assert memory["reasons"][0] == "same url"
    assert any("checkout" in reason and "button" in reason for reason in memory["reasons"])
    assert set(memory["matchedTerms"]) == {"checkout", "button"}
    assert 0 < memory["score"] < 1
    assert sum(memory["explain"].values()) == pytest.approx(memory["score"], abs=1e-4)
    assert memory["score"] == pytest.approx(score_of(50 + 16 + 10), abs=1e-3)


async def test_points_add_up_as_documented(world: World) -> None:
    await world.remember("checkout", url="https://shop.example.com/other")
    world.wait(days=4)
    body = await world.ask("recall", url=CART, query="checkout", explain=True)
    assert body["memories"][0]["score"] == pytest.approx(score_of(25 + 8 + 6), abs=1e-3)
    assert body["memories"][0]["explain"]["place"] == pytest.approx(25 / (25 + 8 + 6 + 50), abs=1e-3)

    world.wait(days=40)
    body = await world.ask("recall", query="nothing", explain=True)
    assert (body["memories"][0]["score"], body["memories"][0]["explain"]) == (0, {})


async def test_explain_is_absent_unless_asked_for(world: World) -> None:
    await world.remember("A fact.")

    assert "explain" not in (await world.ask("recall"))["memories"][0]


async def test_nothing_is_filtered_by_url_or_query(world: World) -> None:
    for n in range(6):
        await world.remember(f"Fact {n}.", url=f"https://site{n}.example.com/")

    body = await world.ask("recall", url="https://elsewhere.example.org", query="unrelated words")

    assert (body["count"], body["total"], body["truncated"]) == (6, 6, False)


@pytest.mark.parametrize("query", ["", "   ", "*", "\\", None])
async def test_a_blank_query_is_no_query(world: World, query: str | None) -> None:
    ids = [await world.remember("First."), await world.remember("Second.")]

    assert await order(world, query=query) == ids[::-1]


async def test_an_empty_store_recalls_nothing(world: World) -> None:
    body = await world.ask("recall", query="anything")

    assert (body["ok"], body["count"], body["total"], body["memories"]) == (True, 0, 0, [])


@pytest.mark.parametrize(("options", "expected"), NARROWED)
async def test_options_narrow_every_read(world: World, options: dict[str, Any], expected: set[str]) -> None:
    names = {await world.remember("A b rule.", memoryDetails={"memoryType": "rule", "tags": ["red"]}): "rule"}
    world.wait(days=1)
    fact = {"memoryType": "fact", "tags": ["blue"], "category": "ops"}
    names[await world.remember("A b fact.", memoryDetails=fact)] = "fact"
    world.wait(days=1, hours=1)
    names[await world.remember("A b plain.", sessionId="s-2")] = "plain"

    for action in ("recall", "search"):
        body = await world.ask(action, query="rule fact plain", searchOptions=options)
        assert {names[m["id"]] for m in body["memories"]} == expected, action


async def test_a_session_on_a_read_filters_nothing_by_itself(world: World) -> None:
    await world.remember("A fact.", sessionId="s-1")

    assert (await world.ask("recall", sessionId="s-2"))["count"] == 1

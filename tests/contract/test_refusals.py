"""What is refused: one clear error, nothing stored, nothing escaping as a bug."""

import json
from typing import Any

import pytest

from support.world import World

DEEP: Any = json.loads('{"a":' + "[" * 700 + "]" * 700 + "}")
HALF = "\ud800"


@pytest.mark.parametrize(
    ("unknown", "nearest"),
    [
        ("contents", "content"),
        ("memoryid", "memoryId"),
        ("memory_store_id", "memoryStoreId"),
        ("searchOption", "searchOptions"),
        ("max_results", "maxResults"),
        ("queery", "query"),
    ],
)
@pytest.mark.parametrize("action", ["remember", "search", "stats", "prune"])
async def test_an_unknown_field_is_refused_by_name_with_the_nearest_known_one(
    world: World, action: str, unknown: str, nearest: str
) -> None:
    body = await world.ask(action, content="x", query="x", **{unknown: "y"})

    assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", unknown)
    assert f"Did you mean {nearest}?" in body["error"]["message"]
    assert world.stores == {}


async def test_an_unknown_field_that_resembles_none_lists_what_is_known(world: World) -> None:
    body = await world.ask("stats", zzzzzzzz=1)

    assert "Did you mean" not in body["error"]["message"]
    assert "memoryStoreId" in body["error"]["message"]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"memoryDetails": {"tag": ["a"]}}, "memoryDetails.tag"),
        ({"memoryDetails": {"memory_type": "fact"}}, "memoryDetails.memory_type"),
        ({"memoryDetails": '{"confidense": 1}'}, "memoryDetails.confidense"),
    ],
)
async def test_an_unknown_detail_is_refused_by_its_path(world: World, fields: dict[str, Any], named: str) -> None:
    body = await world.ask("remember", content="x", **fields)

    assert body["error"]["details"]["field"] == named
    assert "Did you mean" in body["error"]["message"]


@pytest.mark.parametrize("name", ["memorize", "", " ", "Remember", "__class__", "base", "registry", "a" * 500, "común"])
async def test_an_unknown_action_is_not_found_and_the_known_ones_are_listed(world: World, name: str) -> None:
    body = await world.ask(name, content="x")

    assert (body["ok"], body["error"]["code"]) == (False, "not_found")
    assert "remember" in body["error"]["message"]
    assert "delete" in body["error"]["message"]


@pytest.mark.parametrize(
    "fields",
    [
        {"memoryDetails": {"confidence": float("nan")}},
        {"memoryDetails": {"importance": float("inf")}},
        {"memoryDetails": {"confidence": "NaN"}},
        {"memoryDetails": {"metadata": {"k": float("nan")}}},
        {"memoryDetails": {"metadata": {"k": [float("-inf")]}}},
        {"memoryDetails": {"metadata": '{"k": NaN}'}},
        {"memoryDetails": '{"metadata": {"k": Infinity}}'},
        {"memoryDetails": {"metadata": '{"k": 1e999}'}},
        {"memoryDetails": {"metadata": DEEP}},
        {"memoryDetails": {"metadata": '{"a":' + "[" * 100_000}},
        {"memoryDetails": {"metadata": '{"a":' + "[" * 700 + "]" * 700 + "}"}},
        {"memoryDetails": {"metadata": {"n": 10**5000}}},
        {"memoryDetails": {"metadata": '{"n": ' + "9" * 5000 + "}"}},
        {"memoryDetails": {"confidence": 10**400}},
        {"memoryDetails": {"metadata": {"k": HALF}}},
        {"memoryDetails": {"metadata": {HALF: 1}}},
        {"memoryDetails": {"metadata": '{"k": "\\ud800"}'}},
        {"memoryDetails": {"metadata": '{"\\ud800": 1}'}},
        {"memoryDetails": {"title": HALF}},
        {"memoryDetails": {"tags": [HALF]}},
        {"memoryDetails": {"tags": '["\\udfff"]'}},
        {"content": f"x{HALF}y"},
        {"projectId": HALF},
        {"url": f"https://a.example.com/{HALF}"},
        {"idempotencyKey": HALF},
        {HALF: 1},
    ],
)
async def test_what_json_or_unicode_cannot_carry_is_refused(world: World, fields: dict[str, Any]) -> None:
    for action, rest in (("remember", {}), ("chunk", {})):
        body = await world.ask(action, **{"content": "x", **rest, **fields})
        assert (body["ok"], body["error"]["code"]) == (False, "invalid_request"), body
        json.dumps(body, ensure_ascii=False).encode()
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_one_bad_item_of_many_is_refused_alone(world: World) -> None:
    bad: list[dict[str, Any]] = [
        {"content": "a", "memoryDetails": {"metadata": '{"k": NaN}'}},
        {"content": "b", "memoryDetails": {"metadata": '{"k": "\\ud800"}'}},
        {"content": "c", "memoryDetails": {"confidence": 7}},
        {"content": "d", "memoryDetails": {"metadata": '{"a":' + "[" * 700 + "]" * 700 + "}"}},
        {"content": "e" * 200_001},
        {"content": "f", "memoryDetails": {"createdAt": "soon"}},
    ]

    body = await world.ask("remember", memories=[*bad, {"content": "good"}])

    assert body["ok"], body
    assert body["counts"] == {"created": 1, "duplicate": 0, "replayed": 0, "failed": len(bad)}
    assert [r["error"]["code"] for r in body["results"][:-1]] == ["invalid_request"] * len(bad)


@pytest.mark.parametrize("half", [{"query": f"x{HALF}"}, {"searchOptions": {"category": HALF}}, {"url": HALF}])
async def test_a_read_refuses_half_a_surrogate_pair(world: World, half: dict[str, Any]) -> None:
    for action in ("recall", "search", "context_pack"):
        body = await world.ask(action, **{"query": "x", **half})
        assert body["error"]["code"] == "invalid_request"


async def test_a_request_over_four_megabytes_is_too_large(world: World) -> None:
    body = await world.ask("remember", content="x", memoryDetails={"metadata": {"k": "x" * 4_300_000}})

    assert body["error"]["code"] == "too_large"
    assert "4" in body["error"]["message"]


async def test_one_megabyte_of_content_is_refused_with_the_limit_named(world: World) -> None:
    body = await world.ask("remember", content="x" * 1_000_000)

    assert body["ok"] is False
    assert "200000" in body["error"]["message"].replace(",", "")


async def test_a_memory_too_large_to_be_stored_is_refused(world: World) -> None:
    body = await world.ask("remember", content="x", memoryDetails={"metadata": {"k": "x" * 3_900_000}})

    assert body["error"]["code"] == "too_large"
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_a_refusal_never_repeats_a_long_value(world: World) -> None:
    secret = "a very private sentence that is longer than the part which may be shown to a person"

    for fields in (
        {"content": {"text": secret}},
        {"content": secret, "memoryDetails": secret},
        {"content": secret, "memoryDetails": {"confidence": secret}},
        {"content": secret, "maxTokensPerChunk": secret},
    ):
        body = await world.ask("chunk", **fields)
        assert secret not in json.dumps(body)


@pytest.mark.parametrize(
    ("name", "value", "holder"),
    [
        ("tags", ["a"], "memoryDetails"),
        ("tags", ["a"], "searchOptions"),
        ("category", "x", "searchOptions"),
        ("supersedes", "x", "memoryDetails"),
        ("minScore", 0.5, "searchOptions"),
    ],
)
async def test_a_field_beside_the_object_it_belongs_into_is_sent_to_the_one_that_the_action_has(
    world: World, name: str, value: Any, holder: str
) -> None:
    action = "remember" if holder == "memoryDetails" else "search"
    body = await world.ask(action, **{"content": "A fact.", "query": "fact", name: value})

    assert body["error"]["code"] == "invalid_request"
    assert f"{name} belongs into {holder}" in body["error"]["message"]


async def test_an_item_is_told_as_well_where_its_field_belongs(world: World) -> None:
    body = await world.ask("remember", memories=[{"content": "A fact.", "memoryType": "fact"}, {"content": "x"}])
    assert "memories[0].memoryType belongs into memoryDetails" in body["results"][0]["error"]["message"]


@pytest.mark.parametrize(
    ("action", "name", "meant"),
    [("search", "q", "query"), ("remember", "text", "content"), ("update", "id", "memoryId")],
)
async def test_what_other_tools_call_a_field_is_understood_and_only_fields_of_the_action_are_listed(
    world: World, action: str, name: str, meant: str
) -> None:
    said = (await world.ask(action, **{name: "x"}))["error"]["message"]
    assert f"Did you mean {meant}?" in said
    assert "importPath" not in said


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"memories": {}, "content": "x", "url": ["a"]}, "url: should be a text, not a list"),
        ({"content": ["x"]}, "content: should be a text, not a list"),
        ({"memories": {"content": "x"}}, "memories: should be a list such as […], not an object"),
        ({"content": "x", "reinforce": "maybe"}, "reinforce: should be true or false, not 'maybe'"),
        ({"content": "x" * 200_001}, "content: should have at most 200,000 characters, not a text of length 200001."),
        ({"memories": [{"content": "x"}] * 1_001}, "memories: should have at most 1,000 items."),
    ],
)
async def test_what_came_and_what_should_come_are_said_in_words_of_json(
    world: World, fields: dict[str, Any], words: str
) -> None:
    assert words in (await world.ask("remember", **fields))["error"]["message"]


async def test_an_item_that_is_no_object_is_called_what_it_is(world: World) -> None:
    body = await world.ask("remember", memories=["A fact.", {"content": "x"}])
    assert "must be an object" in body["results"][0]["error"]["message"]
    assert "not a text" in body["results"][0]["error"]["message"]

"""Texts of every kind are stored whole."""

import json
from typing import Any

import pytest

from support.world import World

TEXTS = [
    "emoji 👩‍👩‍👧‍👦 family 🏳️‍🌈 flag 👍🏽",
    "line one\r\nline two\rline three\n",
    "\ufeffstarts with a byte order mark",
    "a NUL \x00 in the middle",
    "controls \x01\x02\x1b[31m and \x7f",
    "separators \u2028 and \u2029 and \u0085",
    "zero\u200bwidth and \u202ebidi",
    "astral 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠜎",
    "combining e\u0301 a\u0308 ก็",
    "noncharacters \uffff \ufdd0 \U0010ffff",
    "<script>alert(1)</script> & \"quotes\" 'single' \\ / \\n",
    '{"json": [1, 2, {"a": null}]}',
    "   leading and trailing   \n\n",
    "tab\tseparated\tvalues",
]


@pytest.mark.parametrize("text", TEXTS)
async def test_a_text_comes_back_as_it_was_given(world: World, text: str) -> None:
    memory_id = await world.remember(text)

    got = (await world.ask("get", memoryId=memory_id))["memories"][0]
    recalled = (await world.ask("recall", searchOptions={"fullContent": True}))["memories"][0]

    assert got["content"] == recalled["content"] == text
    assert (await world.ask("remember", content=text))["status"] == "duplicate"


@pytest.mark.parametrize("text", TEXTS)
async def test_a_text_comes_back_from_a_batch_as_it_was_given(world: World, text: str) -> None:
    body = await world.ask("remember", memories=[{"content": text}, {"content": "another"}])

    memory_id = body["results"][0]["memoryId"]
    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["content"] == text


@pytest.mark.parametrize("text", TEXTS)
async def test_every_action_takes_a_text_of_any_kind_in_any_field(world: World, text: str) -> None:
    details: dict[str, Any] = {"title": text, "tags": [text[:50]], "category": text, "metadata": {text: text}}
    memory_id = await world.remember("Port 1.", memoryDetails=details, projectId=text, sessionId=text)

    for action in ("search", "recall", "context_pack"):
        body = await world.ask(action, query=text, projectId=text, searchOptions={"tags": [text[:50]]})
        assert body["ok"], body
    assert (await world.ask("update", memoryId=memory_id, content=text))["ok"]
    assert (await world.ask("chunk", content=text, memoryStoreId="other"))["ok"]
    assert (await world.ask("stats"))["ok"]
    assert (await world.ask("stats", memoryStoreId=text))["ok"]


@pytest.mark.parametrize("text", TEXTS)
async def test_an_excerpt_never_cuts_a_character_in_two(world: World, text: str) -> None:
    await world.remember(f"needle {text * 20}")

    for length in range(1, 40, 3):
        body = await world.ask("search", query="needle", searchOptions={"contentLength": length})
        content = body["memories"][0]["content"]
        json.dumps(content, ensure_ascii=False).encode()
        assert "�" not in content
        assert body["memories"][0]["contentTruncated"] is True


async def test_metadata_of_any_json_comes_back_as_it_was_given(world: World) -> None:
    metadata: dict[str, Any] = {
        "int": 2**53,
        "float": 0.1,
        "tiny": 5e-324,
        "nothing": None,
        "yes": True,
        "": "empty key",
        "деталь": ["список", {"вложено": []}],
        "id": "not the memory's",
        "archived": True,
    }
    memory_id = await world.remember("Port 1.", memoryDetails={"metadata": metadata})

    assert (await world.ask("get", memoryId=memory_id))["memories"][0]["metadata"] == metadata

"""Answers as an agent reads them: smaller, never other than they were."""

import json
import random
from typing import Any

import pytest

from agent_memory.actions.registry import find
from agent_memory.transports.mcp.short import BUDGET, fit, short
from agent_memory.transports.mcp.tools import names_of
from support.tokens import count_tokens
from support.world import World

KINDS = {
    "English": "the staging database is reset every night so long imports are started after that by whoever is on call",
    "German": "die Datenbank der Vorstufe wird jede Nacht zurückgesetzt weshalb Übertragungen größerer Mengen warten",
    "Russian": "база данных сбрасывается каждую ночь поэтому длинные загрузки запускаются после этого времени",
    "Chinese": " ".join("今天下午部署了支付服务重启后恢复数据库每晚两点重置请在此之后运行导入任务"),
    "code": "def run(self, x: int) -> dict[str, Any]: return {'a_b': x.get_all()[0], **kw} if x >= 0x1F else None",
    "hashes": "9f86d081884c7d65 9a2feaa0c55ad015 a3bf4f1b2b0b822c d15d6c15b0f00a08 60303ae22b998861 5e8ff9bf55ba3508",
}


def small(body: Any) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


async def searched(text_of: str) -> dict[str, Any]:
    """A default search over twenty memories of 10 kB."""
    world, words, chance = World(), text_of.split(), random.Random(5)  # words in any order
    for number in range(20):
        text = f"Deploy note {number}: the payment gateway is in Riga."
        while len(text.encode()) < 10_000:
            text += f" {chance.choice(words)}"
        await world.remember(text, memoryDetails={"tags": ["deploy"], "memoryType": "fact"}, projectId="shop")
    return await world.ask(
        "search", query="where is the payment gateway?", maxResults=8, searchOptions={"contentLength": 400}
    )


@pytest.mark.parametrize("kind", KINDS)
async def test_a_default_search_takes_few_tokens_whatever_the_text(kind: str) -> None:
    body = await searched(KINDS[kind])
    shown = fit(short(body), body)

    assert count_tokens(small(shown)) <= BUDGET
    assert len(shown["memories"]) == 8
    for memory, whole in zip(shown["memories"], body["memories"], strict=True):
        assert memory["id"] == whole["id"]
        assert memory["content"].strip("…") in whole["content"]
        assert "gateway" in memory["content"]


async def test_what_fits_is_not_cut(world: World) -> None:
    await world.remember("The gateway is in Riga. " * 10)
    body = await world.ask("search", query="gateway", searchOptions={"contentLength": 400})

    assert fit(short(body), body) == short(body)


@pytest.mark.parametrize("name", names_of("all"))
async def test_a_short_answer_holds_nothing_that_the_whole_one_does_not(world: World, name: str) -> None:
    memory_id = await world.remember("# The staging database\n\nIt is reset nightly.", memoryDetails={"tags": ["a"]})
    text = json.dumps(find(name).example).replace("<memoryId>", memory_id)
    given: dict[str, Any] = json.loads(text)
    del given["action"], given["memoryStoreId"]
    body = await world.ask(name, **given)

    assert body["ok"]
    assert_part(short(body), body)


def assert_part(shown: Any, whole: Any) -> None:
    """`shown` has no field and no item that `whole` lacks; days stand for instants."""
    if isinstance(shown, dict):
        for key, value in shown.items():  # pyright: ignore[reportUnknownVariableType]  # any JSON
            assert_part(value, whole[key])
    elif isinstance(shown, list):
        for value, item in zip(shown, whole, strict=True):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # any JSON
            assert_part(value, item)
    else:
        assert shown == whole or (isinstance(shown, str) and len(shown) == 10 and whole.startswith(shown))


async def test_what_is_unusual_about_a_memory_is_shown(world: World) -> None:
    details = {
        "title": "A title of its own",
        "memoryType": "rule",
        "tags": ["x"],
        "confidence": 0.4,
        "importance": 0.95,
        "source": "crawl",
        "category": "c",
        "metadata": {"k": 0},
    }
    await world.remember(
        "Never deploy on Fridays.", memoryDetails=details, projectId="shop", url="https://a.example.com"
    )
    [memory] = short(await world.ask("search", query="deploy on Fridays"))["memories"]

    assert details.items() <= memory.items()
    assert memory["trust"] == "low"
    assert memory["projectId"] == "shop"
    assert memory["url"] == "https://a.example.com"
    assert "tokens" not in memory


async def test_a_write_does_not_send_its_text_back(world: World) -> None:
    stored = short(await world.ask("remember", content="Never deploy on Fridays. " * 50))
    changed = short(await world.ask("update", memoryId=stored["memory"]["id"], content="Deploy on Mondays. " * 50))

    assert count_tokens(small(stored)) <= 120
    assert count_tokens(small(changed)) <= 150
    assert changed["revision"].startswith("2.")


async def test_a_number_that_is_nothing_is_still_a_number(world: World) -> None:
    shown = short(await world.ask("stats"))

    assert (shown["totalMemories"], shown["archived"]) == (0, 0)

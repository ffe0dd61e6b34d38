"""What stands in a text of a request stands in no error and no log line; a secret is never repeated at all."""

import json
import logging
from typing import Any

import pytest

from support.lookalikes import FORMS, seeded
from support.world import World

CANARY = "zanzibarquokka"
TEXTS: dict[str, Any] = {
    "content": f"{CANARY} content",
    "url": f"https://{CANARY}.example.org/{CANARY}",
    "toolCallId": f"{CANARY}-call",
    "memoryDetails": {
        "title": f"{CANARY} title",
        "tags": [f"{CANARY} tag"],
        "category": CANARY,
        "relatedUrls": [f"https://{CANARY}.example.org/2"],
        "metadata": {CANARY: {"deep": [CANARY]}},
    },
}
FAULTS: dict[str, dict[str, Any]] = {
    "a number out of bounds": {"memoryDetails": {**TEXTS["memoryDetails"], "confidence": 7}},
    "a content too long": {"content": CANARY * 20_000},
    "a content of another kind": {"content": [CANARY]},
    "a title too long": {"memoryDetails": {"title": CANARY * 30}},
    "a tag too long": {"memoryDetails": {"tags": [CANARY * 9]}},
    "too many tags": {"memoryDetails": {"tags": [f"{CANARY}{n}" for n in range(60)]}},
    "tags of another kind": {"memoryDetails": {"tags": {CANARY: CANARY}}},
    "metadata of another kind": {"memoryDetails": {"metadata": [CANARY]}},
    "metadata nested too deep": {"memoryDetails": {"metadata": json.loads(f'{{"{CANARY}":' * 60 + "1" + "}" * 60)}},
    "half a character": {"content": f"{CANARY} \ud800"},
    "a secret beside it": {"content": f"{CANARY} {FORMS['stripe'](seeded(2))}"},
    "a scope without its id": {"memoryDetails": {**TEXTS["memoryDetails"], "scope": "project"}},
    "a project too long": {"projectId": "p" * 300},
    "an unknown memory": {"memoryId": "nobody"},
}


@pytest.mark.parametrize("action", ["remember", "update", "chunk"])
@pytest.mark.parametrize("fault", FAULTS)
async def test_an_error_repeats_no_text_of_the_request(
    world: World, caplog: pytest.LogCaptureFixture, action: str, fault: str
) -> None:
    caplog.set_level(logging.DEBUG)
    memory_id = await world.remember("A note.")
    body = await world.ask(action, **{"memoryId": memory_id, **TEXTS, **FAULTS[fault]})

    expected = not (fault == "an unknown memory" and action != "update")
    assert body["ok"] is not expected or (action, fault) == ("update", "a scope without its id"), body
    if not body["ok"]:
        assert CANARY not in json.dumps(body)
    assert CANARY not in caplog.text


async def test_an_error_of_one_item_repeats_no_text_of_any(world: World) -> None:
    items = [{**TEXTS, **given} for name, given in FAULTS.items() if name != "an unknown memory"]
    body = await world.ask("remember", memories=[{k: v for k, v in i.items() if k != "toolCallId"} for i in items])

    assert CANARY not in json.dumps(body)


@pytest.mark.parametrize("kind", ["github", "stripe", "apify api", "jwt", "private key"])
@pytest.mark.parametrize(
    "place",
    ["confidence", "memoryType", "createdAt", "source", "scope", "pinned", "supersedes"],
)
async def test_a_secret_in_a_field_that_cannot_hold_it_is_not_repeated(world: World, kind: str, place: str) -> None:
    secret = FORMS[kind](seeded(4))[:190]
    body = await world.ask("remember", content="x", memoryDetails={place: secret})

    assert body["ok"] is False
    assert secret[4:] not in json.dumps(body)

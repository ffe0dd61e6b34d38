"""Over each way in: whatever stands in a field for text stands in no error and no log line. Actions and fields come
from the registry, so a new one is tried too; a new field must be sorted below.

The processes behind these ways in are tried in `test_actor_log.py` (batch) and `integration/test_mcp_stdio.py`.
"""

import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from mcp_types import TextContent

from agent_memory.actions.base import Action
from agent_memory.actions.fields import INPUT_FIELDS
from agent_memory.actions.registry import all_actions
from support.http import client
from support.lookalikes import FORMS
from support.making import seeded
from support.mcp import over_http
from support.world import STORE, World

CANARY: Final = "zanzibarquokka"
TEXTS: Final = frozenset(
    ("content", "query", "memories", "candidates", "memoryDetails", "url", "reason", "searchOptions", "changes")
)
"""Fields that hold texts of people and agents, or objects with such."""
NAMES: Final = frozenset(
    ("action", "memoryStoreId", "memoryId", "memoryIds", "projectId", "sessionId", "idempotencyKey", "toolCallId",
     "documentId", "revision", "ifRevision", "reviewId", "confirm", "importPath", "sourceStore", "exportPath")
)  # fmt: skip
"""Fields that name something: an error may repeat a name, so that one can see what was not found."""
WRONG: Final[tuple[Any, ...]] = (
    f"{CANARY} text", [CANARY], {"metadata": [CANARY]}, {"title": {CANARY: CANARY}}, CANARY * 20_000,
    [{"content": [CANARY]}], [{"content": CANARY, "memoryDetails": {"tags": {CANARY: 1}}}],
    f"{CANARY} {FORMS['stripe'](seeded(2))}", {"title": [CANARY], "tags": {CANARY: 1}, "toolCallId": [CANARY]},
)  # fmt: skip
"""The names of unknown fields are told, so none of these is the canary."""
Ask = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]


@asynccontextmanager
async def batch() -> AsyncGenerator[Ask]:
    world = World()

    async def ask(action: str, given: Mapping[str, Any]) -> dict[str, Any]:
        return await world.ask(action, **given)

    yield ask


@asynccontextmanager
async def rest() -> AsyncGenerator[Ask]:
    async with client() as http:

        async def ask(action: str, given: Mapping[str, Any]) -> dict[str, Any]:
            return (await http.post(f"/v1/{action}", json=given)).json()

        yield ask


@asynccontextmanager
async def mcp() -> AsyncGenerator[Ask]:
    async with over_http(World(), "?tools=all") as opened:

        async def ask(action: str, given: Mapping[str, Any]) -> dict[str, Any]:
            result = await opened.call_tool(action, dict(given))
            content = result.content[0]
            assert isinstance(content, TextContent)
            return {"ok": not result.is_error, "answer": content.text}

        yield ask


WAYS: Final = {"batch": batch, "rest": rest, "mcp": mcp}


def used(action: Action[Any]) -> list[str]:
    """The fields for text of an action."""
    return [name for f, field in action.request.model_fields.items() if (name := field.alias or f) in TEXTS]


def test_every_field_that_may_hold_text_is_sorted() -> None:
    def holds_text(name: str) -> bool:
        schema = json.dumps(_schema(name))
        return '"string"' in schema and '"enum"' not in schema.partition("$defs")[0]

    unsorted = [name for name in INPUT_FIELDS if name not in TEXTS | NAMES | CLOSED and holds_text(name)]
    assert unsorted == []
    assert (TEXTS | NAMES | CLOSED) - {"action"} <= set(INPUT_FIELDS)


CLOSED: Final = frozenset(("asOf", "resolution"))
"""A date and a word of a list: an error may say what came, up to 60 characters."""


def _schema(name: str) -> dict[str, Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(INPUT_FIELDS[name]).json_schema()


@pytest.mark.parametrize("way", WAYS)
async def test_an_error_and_the_log_repeat_no_text(way: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    refused = 0
    async with WAYS[way]() as ask:
        for action in all_actions():
            if way == "mcp" and not action.tool:
                continue
            for field in used(action):
                for value in WRONG:
                    given = {n: v for n, v in action.example.items() if n != "action"}
                    body = await ask(action.name, {**given, "memoryStoreId": STORE, field: value})
                    if not body["ok"]:
                        refused += 1
                        assert CANARY not in json.dumps(body), (action.name, field)
    ours = [r for r in caplog.records if not r.name.startswith(("mcp", "httpx", "httpcore"))]  # the test's own client
    assert not [r for r in ours if CANARY in f"{r.getMessage()} {r.__dict__}"]
    assert refused > 100

"""One table of requests through every way in gives the same bodies, successes and failures alike."""

import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent
from starlette.types import ASGIApp

from agent_memory.contracts.openapi import openapi
from agent_memory.settings import Settings
from agent_memory.transports.batch import answer
from agent_memory.transports.http.app import build_app
from agent_memory.transports.mcp.http import open_endpoint
from support.http import BASE, Stores
from support.mcp_process import stdio_server

Send = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]

STORE = "acme~parity"
SIZES: dict[str, Any] = {"maxResults": 3, "searchOptions": {"contentLength": 60}}
"""Over MCP an answer is smaller unless the request says how large it may be."""
LONG = "The gateway of the payment service stands in Riga and answers on port 8443. " * 5

# In order, on one store; $0, $1 … are the ids of the memories in the order in which they were made.
CASES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("a memory", "remember", {"content": LONG, "url": "https://pay.example.com/a?utm_source=x#y", "projectId": "shop"}),
    ("the same again", "remember", {"content": LONG, "url": "https://pay.example.com/a", "projectId": "shop"}),
    ("details as text", "remember", {"content": "Deploy on Mondays.", "memoryDetails": '{"tags": "[\\"a\\"]"}'}),
    ("a key", "remember", {"content": "The till opens at 9.", "idempotencyKey": "k"}),
    ("the key again", "remember", {"content": "The till opens at 9.", "idempotencyKey": "k"}),
    ("the key for another text", "remember", {"content": "The till opens at 10.", "idempotencyKey": "k"}),
    ("many, one bad", "remember", {"memories": [{"content": "One more."}, {"content": " "}, {"contents": "x"}, 5]}),
    ("many, all bad", "remember", {"memories": [{"content": ""}]}),
    ("an alias", "store", {"content": "Known under an old name."}),
    ("no content", "remember", {}),
    ("an unknown field", "remember", {"content": "x", "contens": "y"}),
    ("an unknown detail", "remember", {"content": "x", "memoryDetails": {"tag": ["a"]}}),
    ("a wrong type", "remember", {"content": {"a": 1}}),
    ("out of bounds", "remember", {"content": "x", "memoryDetails": {"confidence": 1.5}}),
    ("a secret", "remember", {"content": "The root password is Tr0ub4dor&3."}),
    ("a secret left out", "remember", {"content": "The root password is Tr0ub4dor&3.", "onSecret": "redact"}),
    ("too long", "remember", {"content": "x" * 200_001}),
    ("a blank store", "recall", {"memoryStoreId": "  "}),
    ("no store", "recall", {"memoryStoreId": None}),
    ("a store that is a number", "recall", {"memoryStoreId": 5}),
    ("a hit", "search", {"query": "where does the payment gateway stand", **SIZES}),
    ("with reasons", "search", {"query": "payment gateway", "explain": True, **SIZES}),
    ("no hit", "search", {"query": "zebra crossing", **SIZES}),
    ("no query", "search", SIZES),
    ("a blank query", "search", {"query": "?!", **SIZES}),
    ("a bad cursor", "search", {"query": "x", "searchOptions": {"cursor": "zzz", "contentLength": 60}}),
    ("a bad date", "search", {"query": "x", "searchOptions": {"since": "some day", "contentLength": 60}}),
    ("a page", "recall", {"url": "https://pay.example.com/a", **SIZES}),
    ("a project", "recall", {"projectId": "shop", **SIZES}),
    ("a pack", "context_pack", {"query": "payment gateway", "maxTokens": 300}),
    ("a small pack", "context_pack", {"query": "payment gateway", "maxTokens": 50}),
    ("a brief", "brief", {}),
    ("whole", "get", {"memoryId": "$0"}),
    ("some of them", "get", {"memoryIds": ["$1", "nowhere"]}),
    ("nowhere", "get", {"memoryId": "nowhere"}),
    ("a list", "list", {"status": "all", **SIZES}),
    ("a change", "update", {"memoryId": "$1", "memoryDetails": {"importance": 0.9, "tags": ["b"]}}),
    ("no change", "update", {"memoryId": "$1"}),
    ("a stale change", "update", {"memoryId": "$1", "content": "x", "ifRevision": "1.00000000"}),
    ("its history", "history", {"memoryId": "$1"}),
    ("the latest", "events", SIZES),
    ("hidden", "forget", {"memoryId": "$1"}),
    ("hidden twice", "forget", {"memoryId": "$1"}),
    ("hidden and asked for", "get", {"memoryId": "$1"}),
    ("back again", "restore", {"memoryId": "$1"}),
    ("counted", "stats", {}),
    ("what has faded", "prune", {"dryRun": True, "decayConfig": {"enabled": True}}),
    ("cut up", "chunk", {"content": "# A\n\nOne.\n\n## B\n\nTwo.\n", "url": "https://doc.example.com", "dryRun": True}),
    ("a plan", "revert", {"memoryId": "$1"}),
    ("checked", "doctor", {}),
    ("with a receipt", "remember", {"content": "The gateway listens on port 8443.", "receipt": True}),
    ("without the words", "purge", {"memoryId": "$1", "confirm": "yes"}),
    ("for good", "purge", {"memoryId": "$1", "confirm": "DELETE $1"}),
    ("gone", "history", {"memoryId": "$1"}),
    ("as of then", "stats", {"asOf": "2020-01-01"}),
    ("from nowhere", "import", {}),
)

PLAIN = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "<time>"),
    (re.compile(r'"tookMs": \d+'), '"tookMs": 0'),
    (re.compile(r"\b(\d+)\.[0-9a-f]{8}\b"), r"\1.<hash>"),
    (re.compile(r"\[[a-p]{8} "), "[<word> "),
    (
        re.compile(r'("tokenEstimate": |"nextBudget": |about |maxTokens |Ask for |needs |"live": |"history": )\d+'),
        r"\g<1>0",
    ),
    (re.compile(r'"(nextCursor|documentId)": "[^"]+"'), r'"\1": "<opaque>"'),
    (re.compile(r'"channel": "\w+"'), '"channel": "<way>"'),
    (re.compile(r'"writer": "[^"]*"|"by": "[^"]*"'), '"by": "<who>"'),
)


def plain(body: dict[str, Any], ids: list[str]) -> dict[str, Any]:
    """`body` without what differs from run to run; `ids` grows by the memories that it made."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    made = [body["memory"]["id"]] if "memory" in body else [r.get("memoryId") for r in body.get("results", ())]
    ids += [made_id for made_id in made if made_id and made_id not in ids]
    for number, made_id in enumerate(ids):
        text = text.replace(made_id, f"${number}")
    for pattern, instead in PLAIN:
        text = pattern.sub(instead, text)
    return json.loads(text)


async def all_of_them(send: Send) -> dict[str, dict[str, Any]]:
    """The plain body of every case, by its name."""
    bodies: dict[str, dict[str, Any]] = {}
    ids: list[str] = []
    for name, action, fields in CASES:
        unasked = {"receipt": False} if action in ("remember", "store") else {}  # warm ways give one where it is cheap
        text = json.dumps({"memoryStoreId": STORE, **unasked, **fields})
        for number in reversed(range(len(ids))):
            text = text.replace(f"${number}", ids[number])
        bodies[name] = plain(await send(action, json.loads(text)), ids)
    return bodies


@asynccontextmanager
async def batch(folder: Path) -> AsyncGenerator[Send]:
    """Runs of the Actor, without their processes."""
    settings = Settings(AGENT_MEMORY_STORAGE=f"sqlite:///{folder}/memory.db")  # pyright: ignore[reportCallIssue]

    async def send(action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        body, _ = await answer({"action": action, **fields}, settings)
        return json.loads(json.dumps(body))

    yield send


@asynccontextmanager
async def server() -> AsyncGenerator[ASGIApp]:
    """The whole HTTP application over a store of its own."""
    settings = Settings(AGENT_MEMORY_TOOLS="all", AGENT_MEMORY_ANSWERS="full")  # pyright: ignore[reportCallIssue]
    stores = Stores()
    async with open_endpoint(settings, stores.service) as endpoint:

        async def mounted() -> ASGIApp:
            return endpoint

        yield build_app(settings, stores.service, openapi, {"/mcp": mounted})


@asynccontextmanager
async def rest(_: Path) -> AsyncGenerator[Send]:
    async with (
        server() as app,
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as http,
    ):

        async def send(action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
            return (await http.post(f"/v1/{action}", json=fields)).json()

        yield send


@asynccontextmanager
async def mcp_http(_: Path) -> AsyncGenerator[Send]:
    async with (
        server() as app,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as http,
        Client(streamable_http_client(f"{BASE}/mcp", http_client=http)) as client,
    ):
        yield calling(client)


@asynccontextmanager
async def mcp_stdio(folder: Path) -> AsyncGenerator[Send]:
    more = {"AGENT_MEMORY_TOOLS": "all", "AGENT_MEMORY_ANSWERS": "full"}
    async with Client(stdio_server(folder, **more), mode="legacy") as client:
        yield calling(client)


def calling(client: Client) -> Send:
    """Calls tools, and reads failures from the text of a result."""

    async def send(action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        result = await client.call_tool(action, dict(fields))
        if not result.is_error:
            assert result.structured_content is not None
            return result.structured_content
        [content] = result.content
        assert isinstance(content, TextContent)
        return json.loads(content.text)

    return send


async def test_every_way_in_gives_the_same_bodies(tmp_path: Path, subtests: pytest.Subtests) -> None:
    ways: dict[str, dict[str, dict[str, Any]]] = {}
    for way in (batch, rest, mcp_http, mcp_stdio):
        folder = tmp_path / way.__name__
        folder.mkdir()
        async with AsyncExitStack() as stack:
            ways[way.__name__] = await all_of_them(await stack.enter_async_context(way(folder)))

    expected = ways.pop("batch")
    assert {body["ok"] for body in expected.values()} == {True, False}
    assert all(body.get("error", {}).get("code") != "internal" for body in expected.values())
    for way, bodies in ways.items():
        for case, body in bodies.items():
            with subtests.test(f"{case} over {way}"):
                assert body == expected[case]

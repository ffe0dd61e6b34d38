"""MCP over standard input and output, as a process that a client starts."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from mcp.client import session as client_session
from mcp.client.client import Client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from support.actor import run_actor, stored_values
from support.mcp_process import HELLO, started, stdio_server

STORE = "acme~notes"
NAME = "mem-acme-notes-kg5b4n4d5mz3xjr6cgfc3pphyt"
MANY = [{"content": f"Service {n} listens on port {n} in rack {n % 17}."} for n in range(1_000)]


def tool(name: str, **arguments: Any) -> dict[str, Any]:
    """The parameters of a call."""
    return {"name": name, "arguments": {"memoryStoreId": STORE, **arguments}}


@pytest.mark.parametrize("mode", ["legacy", "auto", *MODERN_PROTOCOL_VERSIONS])
async def test_the_official_client_remembers_and_finds(tmp_path: Path, mode: str) -> None:
    async with Client(stdio_server(tmp_path, AGENT_MEMORY_STORE=STORE), mode=mode) as client:
        stored = await client.call_tool("remember", {"content": "The gateway is in Riga."})
        found = await client.call_tool("search", {"query": "where is the gateway"})
        version = client.protocol_version

    assert version in (MODERN_PROTOCOL_VERSIONS if mode != "legacy" else HANDSHAKE_PROTOCOL_VERSIONS)
    assert stored.structured_content is not None
    assert found.structured_content is not None
    assert [m["id"] for m in found.structured_content["memories"]] == [stored.structured_content["memory"]["id"]]


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
async def test_every_version_with_a_handshake_is_spoken(
    tmp_path: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_session, "LATEST_HANDSHAKE_VERSION", version)
    async with Client(stdio_server(tmp_path), mode="legacy") as client:
        assert client.protocol_version == version
        assert len((await client.list_tools()).tools) == 7


def test_nothing_but_messages_comes_out_at_the_loudest_log_level(tmp_path: Path) -> None:
    loud = {"APIFY_LOG_LEVEL": "DEBUG", "CRAWLEE_LOG_LEVEL": "DEBUG", "PYTHONASYNCIODEBUG": "1", "PYTHONDEVMODE": "1"}
    with started(tmp_path, **loud) as wire:
        wire.greet()
        wire.ask(1, "tools/list")
        wire.ask(2, "tools/call", **tool("remember", content="canary-7719 is a word."))
        wire.ask(3, "tools/call", **tool("search", query="canary-7719"))
        wire.ask(4, "tools/call", **tool("get", memoryId="nowhere"))
        wire.ask(5, "nonsense")
        code, log = wire.ended()

    assert code == 0
    assert all(message["jsonrpc"] == "2.0" for message in wire.seen)
    assert "canary" not in log
    assert "Traceback" not in log


def test_a_client_that_closes_its_end_still_gets_its_answers(tmp_path: Path) -> None:
    with started(tmp_path) as wire:
        wire.send(id=0, **HELLO)
        wire.send(method="notifications/initialized")
        wire.send(id=1, method="tools/call", params=tool("remember", memories=MANY))
        code, log = wire.ended()

    answer = next(message for message in wire.seen if message.get("id") == 1)
    assert answer["result"]["structuredContent"]["counts"]["created"] == 1_000
    assert (code, log) == (0, "")


def test_a_client_that_vanishes_in_a_call_leaves_whole_memories_and_no_noise(tmp_path: Path) -> None:
    with started(tmp_path) as wire:
        wire.greet()
        wire.ask(1, "tools/call", **tool("remember", content="The first."))
        wire.send(id=2, method="tools/call", params=tool("remember", memories=MANY))
        assert wire.process.stdin is not None
        assert wire.process.stdout is not None
        wire.process.stdout.close()
        wire.process.stdin.close()
        assert wire.process.wait(timeout=60) == 0
        assert wire.process.stderr is not None
        log = wire.process.stderr.read()

    assert log == b""
    ended = run_actor(tmp_path, {"action": "stats", "memoryStoreId": STORE})
    assert ended.output["totalMemories"] in (1, 1_001)


def test_a_cancelled_call_does_not_stop_the_next(tmp_path: Path) -> None:
    with started(tmp_path) as wire:
        wire.greet()
        wire.send(id=1, method="tools/call", params=tool("search", query="x"))
        wire.send(method="notifications/cancelled", params={"requestId": 1})
        answer = wire.ask(2, "tools/call", **tool("stats"))

    assert answer["result"]["isError"]


def test_a_line_that_is_no_message_is_answered_and_the_next_is_served(tmp_path: Path) -> None:
    lines: dict[bytes, object] = {
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "\\ud800"}}': 7,
        b'{"jsonrpc": "2.0", "id": "a", "method": 5}': "a",
        b"[" * 100_000: None,
        b"not json": None,
        b'{"jsonrpc": "2.0", "id": 8, "met\xff': None,
        b'["a"]': None,
        b"": None,
    }
    with started(tmp_path) as wire:
        wire.greet()
        for line, request_id in lines.items():
            wire.send_line(line)
            assert wire.receive(request_id)["error"]["code"] == -32700
            assert len(wire.ask("next", "tools/list")["result"]["tools"]) == 7


def test_initialize_is_answered_before_anything_of_the_storage_is_imported(tmp_path: Path) -> None:
    import_log = {"PYTHONPROFILEIMPORTTIME": "1"}
    with started(tmp_path, **import_log) as wire:
        wire.send(id=0, **HELLO)
        answer = wire.receive(0)
        wire.process.send_signal(signal.SIGKILL)
        assert wire.process.stderr is not None
        modules = {line.rsplit("|", 1)[-1].strip() for line in wire.process.stderr.read().decode().splitlines()}

    assert answer["result"]["serverInfo"]["name"] == "agent-memory"
    assert "mcp.server.lowlevel.server" in modules
    heavy = ("apify", "apify_client", "crawlee", "sqlalchemy", "numpy", "sklearn")
    assert not [module for module in modules if module.split(".")[0] in heavy]
    assert "agent_memory.actions.registry" not in modules


def test_what_a_run_wrote_is_seen_and_its_answer_is_left_alone(tmp_path: Path) -> None:
    run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "The gateway is in Riga."})
    output = tmp_path / "storage" / "key_value_stores" / "default" / "OUTPUT"
    before = output.read_bytes()
    with started(tmp_path) as wire:
        wire.greet()
        found = wire.ask(1, "tools/call", **tool("search", query="where is the gateway"))
        wire.ask(2, "tools/call", **tool("remember", content="The till opens at 9."))
        wire.ended()

    assert found["result"]["structuredContent"]["memories"][0]["content"] == "The gateway is in Riga."
    assert output.read_bytes() == before
    assert sum(key.startswith("memory-") for key in stored_values(tmp_path, NAME)) == 2


def test_a_read_makes_no_store_and_what_a_run_then_writes_is_seen(tmp_path: Path) -> None:
    store = tmp_path / "storage" / "key_value_stores" / NAME
    with started(tmp_path) as wire:
        wire.greet()
        wire.ask(1, "tools/call", **tool("recall"))
        assert not store.exists()
        run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "The gateway is in Riga."})
        found = wire.ask(2, "tools/call", **tool("recall"))

    assert [memory["content"] for memory in found["result"]["structuredContent"]["memories"]] == [
        "The gateway is in Riga."
    ]


def test_without_a_folder_named_memories_are_kept_in_the_home_of_the_user(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    (elsewhere / "storage" / "logs").mkdir(parents=True)
    with started(elsewhere, CRAWLEE_STORAGE_DIR="", HOME=str(home)) as wire:
        wire.greet()
        wire.ask(1, "tools/call", **tool("remember", content="x"))
        wire.ended()

    assert (home / ".agent-memory" / "storage" / "key_value_stores" / NAME).is_dir()
    assert sorted(path.name for path in elsewhere.rglob("*")) == ["logs", "storage"]


def test_a_database_that_cannot_be_reached_is_a_failure_of_the_call(tmp_path: Path) -> None:
    with started(tmp_path, AGENT_MEMORY_STORAGE="postgresql://u:p@127.0.0.1:1/db") as wire:
        wire.greet()
        refused = wire.ask(1, "tools/call", **tool("recall"))
        again = wire.ask(2, "tools/call", **tool("recall"))
        code, _ = wire.ended()

    for answer in (refused, again):
        assert answer["result"]["isError"]
        assert json.loads(answer["result"]["content"][0]["text"])["error"]["code"] == "storage_unavailable"
    assert code == 0

"""Clients that others wrote: the JavaScript SDK, the Inspector's command line, and Apify's hosted MCP server."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from agent_memory.transports.mcp.tools import CORE
from support.actor import ROOT, inherited
from support.server import Running, server

PACKAGES = (
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/inspector@2.12.0",
    "@apify/actors-mcp-server@0.16.0",
)
SCRIPT = Path(__file__).with_name("mcp_clients.mjs")
SCHEMA = ROOT / ".actor" / "input_schema.json"
MINUTES = 60

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the clients."""
    npm = shutil.which("npm")
    if npm is None and "CI" not in os.environ:
        pytest.skip("npm is not installed: these clients need Node.js 20 or newer")
    assert npm, "npm is not installed: CI needs Node.js 20 or newer"
    folder = tmp_path_factory.mktemp("clients")
    (folder / "package.json").write_text('{"private": true}', "utf-8")
    command = [npm, "install", "--silent", "--no-fund", "--no-audit", "--ignore-scripts", *PACKAGES]
    subprocess.run(command, cwd=folder, check=True, timeout=5 * MINUTES)
    return folder


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    """A server with a store that holds one memory or more."""
    with server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def seen(packages: Path, running: Running, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the clients saw."""
    memories = tmp_path_factory.mktemp("memories") / "storage"
    done = subprocess.run(
        [shutil.which("node") or "node", str(SCRIPT), f"{running.url}/mcp", str(SCHEMA), sys.executable, str(memories)],
        cwd=packages,
        env={**inherited(), "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=3 * MINUTES,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-4_000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_javascript_sdk_remembers_finds_and_reads_a_failure(seen: dict[str, Any], way: str) -> None:
    there = seen[way]

    assert there["server"] == "agent-memory"
    assert tuple(there["tools"]) == CORE
    assert [memory["id"] for memory in there["found"]["memories"]] == [there["stored"]["memory"]["id"]]
    assert there["refused"]["isError"] is True
    assert there["refused"]["body"]["error"]["code"] == "not_found"
    assert there["prompts"] == ["warm_up"]
    assert there["templates"] == ["memory://{store}/{id}"]


def test_apifys_hosted_server_proxies_our_tools(seen: dict[str, Any]) -> None:
    hosted = seen["hosted"]

    assert [tool["originToolName"] for tool in hosted["proxied"]] == list(CORE)
    assert [tool["name"] for tool in hosted["proxied"]] == [f"acme--agent-memory--{name}" for name in CORE]
    assert all(" Use it " in tool["description"] for tool in hosted["proxied"])
    assert hosted["proxied"][1]["annotations"]["readOnlyHint"] is True
    assert hosted["validated"]
    assert hosted["outcome"] == "success"
    assert hosted["found"]["memories"][0]["content"] == "The gateway is in Riga."


def test_apifys_hosted_server_makes_one_tool_of_our_input_schema(seen: dict[str, Any]) -> None:
    schema, ours = seen["hosted"]["inputSchema"], json.loads(SCHEMA.read_text("utf-8"))["properties"]

    assert seen["hosted"]["accepted"]
    assert seen["hosted"]["refused"]
    assert schema["required"] == ["action", "memoryStoreId"]
    assert schema["properties"].keys() == ours.keys()
    for name, field in ours.items():
        assert field["description"] in schema["properties"][name]["description"], name


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_inspectors_command_line_lists_and_calls(
    packages: Path, running: Running, tmp_path: Path, way: str
) -> None:
    stdio = [
        "-e",
        "AGENT_MEMORY_MODE=mcp",
        "-e",
        f"CRAWLEE_STORAGE_DIR={tmp_path}/storage",
        "-e",
        f"PYTHONPATH={ROOT / 'src'}",
    ]
    ways = {
        "http": [f"{running.url}/mcp", "--transport", "http"],
        "stdio": [*stdio, sys.executable, "-m", "agent_memory"],
    }
    env = {**inherited(), "MCP_CATALOG_PATH": str(tmp_path / "catalog.json")}

    def inspect(*arguments: str) -> dict[str, Any]:
        command = [str(packages / "node_modules" / ".bin" / "mcp-inspector"), "--cli", *ways[way], *arguments]
        done = subprocess.run(
            command, cwd=packages, env=env, capture_output=True, text=True, timeout=MINUTES, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    listed = inspect("--method", "tools/list")
    called = inspect(
        *("--method", "tools/call", "--tool-name", "remember"),
        *("--tool-arg", "memoryStoreId=acme~inspected", "--tool-arg", "content=The till opens at 9."),
    )

    assert [tool["name"] for tool in listed["tools"]] == list(CORE)
    assert called["structuredContent"]["status"] == "created"

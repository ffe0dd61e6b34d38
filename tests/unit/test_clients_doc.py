"""docs/clients.md: what people copy is well formed and names what is there."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from agent_memory.settings import Settings
from agent_memory.transports.mcp.tools import CORE

TEXT = (Path(__file__).parents[2] / "docs" / "clients.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)
CLIENTS = ("Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex", "Windsurf", "Kiro", "Windows")
LOCAL = ["-m", "agent_memory", "mcp"]
VARIABLES = {
    str(name)
    for field in Settings.model_fields.values()
    for name in getattr(field.validation_alias, "choices", (field.validation_alias,))
}


def of(kind: str) -> list[str]:
    return [text for name, text in BLOCKS if name == kind]


def servers(config: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The servers that a client's configuration names."""
    for key in ("mcpServers", "servers", "mcp_servers"):
        yield from config.get(key, {}).values()


CONFIGURED = [
    server for config in (*map(json.loads, of("json")), *map(tomllib.loads, of("toml"))) for server in servers(config)
]


def test_every_client_has_its_block() -> None:
    for client in CLIENTS:
        assert f"\n## {client}\n" in TEXT
    assert len(CONFIGURED) >= 10


@pytest.mark.parametrize("server", [server for server in CONFIGURED if "command" in server])
def test_local_blocks_start_the_command_with_settings_that_there_are(server: dict[str, Any]) -> None:
    assert server["args"] == LOCAL
    assert server["env"].keys() <= VARIABLES
    assert set(server.get("autoApprove", ())) <= set(CORE)


@pytest.mark.parametrize("server", [server for server in CONFIGURED if "command" not in server])
def test_hosted_blocks_name_the_endpoint_and_what_it_understands(server: dict[str, Any]) -> None:
    address = urlsplit(str(server.get("url") or server["serverUrl"]))

    assert address.path == "/mcp"
    assert parse_qs(address.query).keys() <= {"store", "project", "tools", "answers"}
    assert "APIFY_TOKEN" in json.dumps(server) or "input:apify-token" in json.dumps(server)


def test_commands_and_code_are_what_is_there() -> None:
    [code] = of("python")
    [rule] = of("markdown")

    ast.parse(code)
    assert set(re.findall(r"`(\w+)`", rule)) - {"handoff"} <= set(CORE)
    for command in of("sh"):
        assert " ".join(LOCAL) in command or "/mcp?" in command

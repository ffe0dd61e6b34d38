"""The command `agent-memory`: run one action, serve over HTTP or MCP, make a token."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from . import __version__

_ENTRY: Final = """\
The token itself is shown once and kept nowhere. The server is given the entry, which holds its SHA-256:

  AGENT_MEMORY_TOKENS='[<entry>, ...]'    or, with --file:    AGENT_MEMORY_TOKENS_FILE=tokens.json

name    signs what the token's bearer writes
stores  the memoryStoreIds it reaches; * stands for any characters
right   read; write (and read); or approve (and both)
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line says."""
    given = vars(_parser().parse_args(arguments))
    do: Callable[..., None] = given.pop("do")
    do(**given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="agent-memory", description="Long-term memory for AI agents.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="run|serve|mcp|token")

    run = commands.add_parser("run", help="carry out the one action that INPUT asks for, as a run of the Actor does")
    run.set_defaults(do=_run)

    serve = commands.add_parser("serve", help="serve REST and MCP over HTTP until SIGTERM or Ctrl+C")
    serve.add_argument("--host", help="the address to listen on (AGENT_MEMORY_HOST; 127.0.0.1)")
    serve.add_argument("--port", help="the port to listen on (ACTOR_WEB_SERVER_PORT; 4321); 0 takes a free one")
    serve.set_defaults(do=_serve)

    mcp = commands.add_parser("mcp", help="serve MCP on standard input and output, for a client that starts this")
    mcp.set_defaults(do=_mcp)

    token = commands.add_parser(
        "token",
        help="make a token and its entry for the server",
        epilog=_ENTRY,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    token.add_argument("name", help="whose token it is, such as ana or ci; letters, digits and . _ @ -")
    token.add_argument("--stores", nargs="+", default=["*"], help="the stores it reaches (all)")
    token.add_argument("--right", choices=("read", "write", "approve"), default="write", help="what it may do (write)")
    token.add_argument("--file", type=Path, help="also add the entry to this file")
    token.set_defaults(do=_token)
    return parser


def _run() -> None:
    _start(AGENT_MEMORY_MODE="batch")


def _serve(host: str | None, port: str | None) -> None:
    given = {"AGENT_MEMORY_HOST": host, "ACTOR_WEB_SERVER_PORT": port}
    _start(AGENT_MEMORY_MODE="server", **{name: value for name, value in given.items() if value is not None})


def _mcp() -> None:
    _start(AGENT_MEMORY_MODE="mcp")


def _start(**given: Any) -> None:
    from .main import main as start

    start(**given)


def _token(name: str, stores: Sequence[str], right: str, file: Path | None) -> None:
    from .setting_values import parse_tokens
    from .transports.http.tokens import digest, new_token

    token = new_token()
    entry = {"name": name, "sha256": digest(token), "stores": list(stores), "right": right}
    try:
        known: list[Any] = json.loads(file.read_text("utf-8")) if file and file.exists() else []
        parse_tokens(json.dumps([*known, entry]))
    except ValueError as error:
        raise SystemExit(f"No token was made: {file or name}: {error}") from None
    if file:
        _replace(file, json.dumps([*known, entry], indent=2) + "\n")
    sys.stdout.write(f"{token}\n")
    sys.stderr.write(f"entry: {json.dumps(entry, ensure_ascii=False)}\n")


def _replace(file: Path, text: str) -> None:
    """Put `text` into `file`, whole or not at all, for its owner's eyes."""
    fresh = file.with_name(f"{file.name}.new")
    try:
        fresh.touch(mode=0o600)
        fresh.write_text(text, "utf-8")
        fresh.replace(file)
    except OSError as error:
        raise SystemExit(f"No token was made: {file} cannot be written: {error.strerror}.") from None

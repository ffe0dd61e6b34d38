"""The MCP server as a process on standard input and output."""

import json
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp.client.stdio import StdioServerParameters

from support.actor import ROOT, inherited

COMMAND = (sys.executable, "-m", "agent_memory", "mcp")
_PATIENCE: float = 60.0
HELLO: dict[str, Any] = {
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a server that keeps its memories in `folder`/storage."""
    here = {"CRAWLEE_STORAGE_DIR": str(folder / "storage"), "PYTHONPATH": str(ROOT / "src")}
    return {**inherited(), **here, **more}


def stdio_server(folder: Path, **more: str) -> StdioServerParameters:
    """How the official client starts the server."""
    return StdioServerParameters(
        command=COMMAND[0], args=list(COMMAND[1:]), env=environment(folder, **more), cwd=folder
    )


@dataclass
class Wire:
    """A server process and the lines to and from it."""

    process: subprocess.Popen[bytes]
    seen: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def send(self, **message: Any) -> None:
        """Send one message."""
        self.send_line(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_line(self, line: bytes) -> None:
        """Send one line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self, request: object) -> dict[str, Any]:
        """The answer to `request`; what comes before it is kept in `seen`."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            self.seen.append(message)
            if message.get("id", "") == request and "method" not in message:
                return message
        raise AssertionError(self.ended()[1])

    def ask(self, request: object, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        self.send(id=request, method=method, params=params)
        return self.receive(request)

    def greet(self) -> dict[str, Any]:
        """Shake hands."""
        self.send(id=0, **HELLO)
        answer = self.receive(0)
        self.send(method="notifications/initialized")
        return answer

    def ended(self) -> tuple[int, str]:
        """The exit code and the log of a process that ends by itself, or whose input was closed."""
        out, log = self.process.communicate(timeout=60)
        self.seen += [json.loads(line) for line in out.splitlines()]
        return self.process.returncode, log.decode()


@contextmanager
def started(folder: Path, *, command: Sequence[str] = COMMAND, **more: str) -> Generator[Wire]:
    """A server process that `command` starts; it is killed if it still runs at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(folder, **more),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = threading.Timer(_PATIENCE, process.kill)  # a test that waits in vain fails with the log
    deadline.start()
    try:
        yield Wire(process)
    finally:
        deadline.cancel()
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):  # what it did not read any more
                if pipe is not None:
                    pipe.close()

"""The warm server as a process of its own, on a free port of the loopback address."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from support.actor import ROOT, inherited

PATIENCE_S = 60


@dataclass(frozen=True)
class Running:
    """A server that listens on `port`; its log goes to `log`."""

    process: "subprocess.Popen[bytes]"
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, action: str, **fields: Any) -> dict[str, Any]:
        """The body that answers `action`."""
        return httpx.post(f"{self.url}/v1/{action}", json=fields, timeout=PATIENCE_S).json()

    def stop(self) -> int:
        """End it as the platform does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)

    def peak_bytes(self) -> int:
        """The most memory that was resident since `forget_peak`, in bytes."""
        return _status(self.process.pid, "VmHWM")

    def forget_peak(self) -> int:
        """Start measuring the peak anew; the memory that is resident now, in bytes."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        return _status(self.process.pid, "VmRSS")


def start(folder: Path, *, ready: bool = True, **environment: str) -> Running:
    """Start a server in `folder` and wait until it listens, and until it is warm if `ready`."""
    log = folder / f"server-{len(list(folder.glob('server-*')))}.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "agent_memory", "serve", "--port", "0"],
            cwd=folder,
            env={**inherited(), "PYTHONPATH": str(ROOT / "src"), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stream,
        )
    running = Running(process, _port(process, log), log)
    if ready:
        httpx.get(f"{running.url}/health", timeout=PATIENCE_S)
        running.ask("stats", memoryStoreId="warm-up")
    return running


@contextmanager
def server(folder: Path, *, ready: bool = True, **environment: str) -> Generator[Running]:
    """A server that is killed at the end, should it still be there."""
    running = start(folder, ready=ready, **environment)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait(PATIENCE_S)


def _port(process: "subprocess.Popen[bytes]", log: Path) -> int:
    """Follow the log until it says which port is listened on."""
    with log.open("rb") as stream:
        while True:
            line = stream.readline()
            if line.startswith(b'{"at"') and line.endswith(b"\n"):
                said: dict[str, Any] = json.loads(line)
                if said["event"] == "listening":
                    return said["port"]
            if not line and process.poll() is not None:
                message = f"The server ended with {process.returncode}: {log.read_text('utf-8')}"
                raise AssertionError(message)
            if not line:
                os.sched_yield()


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))

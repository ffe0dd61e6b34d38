"""The Actor as a process: an INPUT file in, OUTPUT, the dataset row, the log and the exit code out."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ended:
    """A run that has ended."""

    exit_code: int
    output: dict[str, Any]
    rows: list[dict[str, Any]]
    stdout: str
    log: str


def run_actor(folder: Path, payload: object, *, code: str | None = None, **environment: str) -> Ended:
    """Run `python -m agent_memory` in `folder`, whose storage/ keeps named stores from run to run.

    `payload` is INPUT; a str or bytes is written as it is, None writes no INPUT. `code` runs instead, as `python -c`.
    """
    store = folder / "storage" / "key_value_stores" / "default"
    store.mkdir(parents=True, exist_ok=True)
    for left in store.glob("INPUT*"):
        left.unlink()
    if payload is not None:
        text = payload if isinstance(payload, str | bytes) else json.dumps(payload)
        (store / "INPUT.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    done = subprocess.run(
        [sys.executable, *(("-m", "agent_memory") if code is None else ("-c", code))],
        cwd=folder,
        env={**inherited(), "PYTHONPATH": str(ROOT / "src"), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    output = store / "OUTPUT"
    rows = sorted((folder / "storage" / "datasets" / "default").glob("[0-9]*.json"))
    return Ended(
        exit_code=done.returncode,
        output=json.loads(output.read_text(encoding="utf-8")) if output.exists() else {},
        rows=[json.loads(row.read_text(encoding="utf-8")) for row in rows],
        stdout=done.stdout,
        log=done.stderr,
    )


def stored_values(folder: Path, name: str) -> dict[str, bytes]:
    """The keys and values of the named store in `folder`, without the SDK's own files."""
    files = (folder / "storage" / "key_value_stores" / name).iterdir()
    return {unquote(file.name): file.read_bytes() for file in files if not file.name.endswith("__metadata__.json")}


def inherited() -> dict[str, str]:
    """The environment without what would steer the Actor, so that a test means the same on every machine."""
    return {
        n: v
        for n, v in os.environ.items()
        if not n.startswith(("APIFY_", "ACTOR_", "AGENT_MEMORY_", "CRAWLEE_", "DECAY_"))
    }

"""The Actor as a process: an INPUT file in, OUTPUT, the dataset row, the log and the exit code out."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ended:
    """A run that has ended."""

    exit_code: int
    output: dict[str, Any]
    rows: list[dict[str, Any]]
    stdout: str
    log: str


def run_actor(folder: Path, payload: object, **environment: str) -> Ended:
    """Run `python -m agent_memory` in `folder`, whose storage/ keeps named stores from run to run."""
    store = folder / "storage" / "key_value_stores" / "default"
    store.mkdir(parents=True, exist_ok=True)
    text = payload if isinstance(payload, str) else json.dumps(payload)
    (store / "INPUT.json").write_text(text, encoding="utf-8")
    (store / "INPUT.json.__metadata__.json").unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "agent_memory"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
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

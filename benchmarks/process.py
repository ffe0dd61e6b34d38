"""An Actor started as a process in a folder of its own: its OUTPUT, the CPU it took and how long it took."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
OURS: Final = "agent_memory"
BARE: Final = "bare_actor"
_NOT_PASSED_ON: Final = ("ACTOR_", "APIFY_", "COV", "CRAWLEE_", "DECAY_", "PYTHON")


@dataclass(frozen=True)
class Ran:
    """A process that has ended; CPU is user + system, of the process and of what it waited for."""

    exit_code: int
    cpu_seconds: float
    wall_seconds: float


def environment(**more: str) -> dict[str, str]:
    """What a measured process sees: nothing of an Actor that may run around us."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED_ON)}
    return {**kept, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT / "benchmarks"))), **more}


def run_module(module: str, folder: Path, env: dict[str, str] | None = None) -> Ran:
    """`python -m module` in `folder`; its log goes to folder/log.txt."""
    with (folder / "log.txt").open("wb") as log:
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=folder,
            env=env or environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ran(process.returncode, usage.ru_utime + usage.ru_stime, wall)


def write_input(folder: Path, payload: dict[str, Any]) -> None:
    """Put `payload` where a local run reads its INPUT."""
    store = folder / "storage" / "key_value_stores" / "default"
    store.mkdir(parents=True, exist_ok=True)
    (store / "INPUT.json").write_text(json.dumps(payload), "utf-8")


def read_output(folder: Path) -> dict[str, Any]:
    """The OUTPUT of a run in `folder`; empty when it set none."""
    output = folder / "storage" / "key_value_stores" / "default" / "OUTPUT"
    return json.loads(output.read_text("utf-8")) if output.exists() else {}

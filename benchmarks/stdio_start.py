"""How much CPU passes before an MCP client that starts the server has its first answer, beside importing mcp alone.

Both are processes of their own, run by turns: the server gets one `initialize` and is stopped when it has answered.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from process import ROOT, environment

RESULTS: Final = ROOT / "benchmarks" / "results" / "stdio_start.json"
BAR: Final = 1.3
MEMORIES: Final = 5_000
HELLO: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


def cpu_of(arguments: list[str], folder: Path, line: bytes | None = None) -> float:
    """CPU seconds, user + system, of a process that ends, or until it has answered `line`."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(AGENT_MEMORY_MODE="mcp", CRAWLEE_STORAGE_DIR=str(folder / "storage")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    if process.stdin is None or process.stdout is None:
        raise AssertionError(process)
    if line is not None:
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        if answer["result"]["serverInfo"]["name"] != "agent-memory":
            raise AssertionError(answer)
        process.kill()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    process.stdin.close()
    process.stdout.close()
    return usage.ru_utime + usage.ru_stime


def fill(folder: Path) -> None:
    """A store of 5,000 memories in `folder`."""
    store = folder / "storage" / "key_value_stores" / "default"
    store.mkdir(parents=True)
    for first in range(0, MEMORIES, 1_000):
        memories = [{"content": f"Service {n} listens on port {n}."} for n in range(first, first + 1_000)]
        payload = {"action": "remember", "memoryStoreId": "acme~start", "memories": memories}
        (store / "INPUT.json").write_text(json.dumps(payload), "utf-8")
        subprocess.run(
            [sys.executable, "-m", "agent_memory"], cwd=folder, env=environment(), check=True, capture_output=True
        )


def main() -> None:
    """Measure, print and write down; a benchmark does not judge, so it ends well either way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="measured runs of each (9)")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the date to note (today)")
    given = parser.parse_args()

    hello = json.dumps(HELLO).encode()
    samples: dict[str, list[float]] = {"import": [], "empty": [], "full": []}
    with tempfile.TemporaryDirectory() as name:
        empty, full = Path(name) / "empty", Path(name) / "full"
        empty.mkdir()
        fill(full)
        for _ in range(given.runs + 1):  # the first round warms the caches of the disk and is not counted
            samples["import"].append(cpu_of(["-c", "import mcp"], empty))
            samples["empty"].append(cpu_of(["-m", "agent_memory"], empty, hello))
            samples["full"].append(cpu_of(["-m", "agent_memory"], full, hello))
    alone, first, loaded = (statistics.median(values[1:]) for values in samples.values())
    ratio = round(first / alone, 3)
    print(f"importing mcp: {alone:.3f} CPU s")
    print(f"initialize answered: {first:.3f} CPU s, {ratio} times that, bar {BAR}, met: {_yes(ratio <= BAR)}")
    print(f"initialize answered beside a store of {MEMORIES:,}: {loaded:.3f} CPU s")
    body = {
        "date": given.date,
        "python": platform.python_version(),
        "runs": given.runs,
        "importMcpCpuSeconds": round(alone, 3),
        "initializeCpuSeconds": round(first, 3),
        "ratio": ratio,
        "bar": BAR,
        "met": ratio <= BAR,
        "besideStoreOf": MEMORIES,
        "besideStoreRatio": round(loaded / alone, 3),
    }
    RESULTS.write_text(json.dumps(body, indent=2) + "\n", "utf-8")


def _yes(met: object) -> str:
    return "yes" if met else "no"


if __name__ == "__main__":
    main()

"""How much CPU passes before a server has answered its readiness probe, and what its first search costs.

Beside it, by turns: a process that imports apify, Starlette and uvicorn and ends. CPU, not wall time: at Apify a run of
512 MB has an eighth of a core, so each CPU second is waited for eight times.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from notes import notes
from process import OURS, ROOT, environment, run_module, write_input

RESULTS: Final = ROOT / "benchmarks" / "results" / "server_start.json"
BAR: Final = 1.5
SEARCH_SECONDS: Final = 2.0
MEMORIES: Final = 5_000
STORE: Final = "acme~start"
PROBE: Final = {"x-apify-container-server-readiness-probe": "1"}
IMPORTS: Final = "import apify, starlette.applications, uvicorn"
QUESTION: Final = "timeouts of the checkout connection pool"


def importing(folder: Path) -> float:
    """CPU seconds of a process that imports what a server is made of."""
    before = os.times()
    subprocess.run([sys.executable, "-c", IMPORTS], cwd=folder, env=environment(), check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@contextmanager
def server(folder: Path) -> Generator[tuple[subprocess.Popen[bytes], HTTPConnection]]:
    """A server on a free port and a connection to it."""
    process = subprocess.Popen(
        [sys.executable, "-m", OURS],
        cwd=folder,
        env=environment(AGENT_MEMORY_MODE="server", ACTOR_WEB_SERVER_PORT="0"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if process.stderr is None:
        raise AssertionError(process)
    try:
        said = json.loads(process.stderr.readline())
        yield process, HTTPConnection("127.0.0.1", said["port"], timeout=60)
    finally:
        process.terminate()
        process.communicate()


def spent(process: "subprocess.Popen[bytes]") -> float:
    """CPU seconds, user + system, that `process` has taken up to now."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def probed(folder: Path) -> tuple[float, float, float]:
    """CPU seconds to the answered probe, from there to the answer of the first search, and of the second one."""
    with server(folder) as (process, http):
        http.request("GET", "/", headers=PROBE)
        if http.getresponse().read() != b"ready\n":
            raise AssertionError(http)
        start = spent(process)
        first = _search(process, http)
        second = _search(process, http)
        return start, first - start, second - first


def _search(process: "subprocess.Popen[bytes]", http: HTTPConnection) -> float:
    body = json.dumps({"memoryStoreId": STORE, "query": QUESTION})
    http.request("POST", "/v1/search", body, {"content-type": "application/json"})
    answer: dict[str, Any] = json.loads(http.getresponse().read())
    if not answer["ok"] or not answer["count"]:
        raise AssertionError(answer)
    return spent(process)


def fill(folder: Path) -> None:
    """A store of 5,000 memories in `folder`."""
    given = notes(MEMORIES)
    for first in range(0, MEMORIES, 1_000):
        write_input(folder, {"action": "remember", "memoryStoreId": STORE, "memories": given[first : first + 1_000]})
        if run_module(OURS, folder).exit_code:
            raise AssertionError((folder / "log.txt").read_text("utf-8"))


def main() -> None:
    """Measure, print and write down; a benchmark does not judge, so it ends well either way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="measured runs of each (9)")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the date to note (today)")
    given = parser.parse_args()

    imports: list[float] = []
    starts: list[tuple[float, float, float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder)
        for _ in range(given.runs + 1):  # the first round warms the caches of the disk and is not counted
            imports.append(importing(folder))
            starts.append(probed(folder))
    base = statistics.median(imports[1:])
    start, first, second = (statistics.median(values) for values in zip(*starts[1:], strict=True))
    ratio = round(start / base, 3)
    print(f"importing apify, Starlette and uvicorn: {base:.3f} CPU s")
    print(f"probe answered: {start:.3f} CPU s, {ratio} times that, bar {BAR}, met: {_yes(ratio <= BAR)}")
    print(
        f"first search on {MEMORIES:,} memories: {first:.3f} CPU s, {first / base:.2f} times that, "
        f"bar {SEARCH_SECONDS:.0f} s, met: {_yes(first <= SEARCH_SECONDS)}; the second: {second:.3f}"
    )
    body = {
        "date": given.date,
        "python": platform.python_version(),
        "runs": given.runs,
        "importCpuSeconds": round(base, 3),
        "probe": {"cpuSeconds": round(start, 3), "ratio": ratio, "bar": BAR, "met": ratio <= BAR},
        "firstSearch": {
            "memories": MEMORIES,
            "cpuSeconds": round(first, 3),
            "ratio": round(first / base, 3),
            "barCpuSeconds": SEARCH_SECONDS,
            "met": first <= SEARCH_SECONDS,
        },
        "secondSearchCpuSeconds": round(second, 3),
    }
    RESULTS.write_text(json.dumps(body, indent=2) + "\n", "utf-8")


def _yes(met: object) -> str:
    return "yes" if met else "no"


if __name__ == "__main__":
    main()

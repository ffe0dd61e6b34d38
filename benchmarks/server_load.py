"""What a warm server bears: searches and writes a second on 10,000 memories, and how long each takes.

The server and its clients are processes of their own on one machine. Figures depend on the machine, so each phase
also says how it compares with `GET /health` of the same server in the same run, which is HTTP and nothing else.
"""

import argparse
import asyncio
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.store.names import storage_name
from notes import notes
from process import OURS, ROOT, environment, read_output, run_module, write_input
from server_client import Connection, Job, Told

RESULTS: Final = ROOT / "benchmarks" / "results" / "server_load.json"
STORE: Final = "acme~load"
CLIENTS: Final = 32
P99_MS: Final = 100.0
GROWTH_MB: Final = 20.0
WARM_UP_S: Final = 10.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Server:
    """A server process."""

    port: int
    process: subprocess.Popen[bytes]

    def cpu_seconds(self) -> float:
        """What it has taken so far, user and system."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def rss_mb(self) -> float:
        """What it holds in memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


@contextmanager
def server(folder: Path) -> Generator[Server]:
    """A server on a free port over the storage in `folder`, stopped by SIGTERM at the end."""
    env = environment(AGENT_MEMORY_MODE="server", ACTOR_WEB_SERVER_PORT="0", AGENT_MEMORY_RATE_LIMIT="1000000/second")
    log = folder / f"server-{time.monotonic_ns()}.txt"
    with log.open("wb") as file:
        command = [sys.executable, "-m", "agent_memory"]
        process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    try:
        yield Server(_port(process, log), process)
        process.send_signal(signal.SIGTERM)
        if code := process.wait(60):
            raise SystemExit(f"The server ended with {code}:\n{log.read_text()[-2000:]}")
    finally:
        process.kill()
        process.wait()


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    for _ in range(600):
        for line in log.read_text().splitlines():
            if '"listening"' in line:
                return int(json.loads(line)["port"])
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise SystemExit(f"The server did not start:\n{log.read_text()[-2000:]}")


async def fill(port: int, count: int) -> None:
    """Remember `count` memories, a thousand at a time."""
    connection = Connection(port)
    for start in range(0, count, 1000):
        items = [{"content": f"Note {start + n}. {note['content']}"} for n, note in enumerate(notes(1000))]
        answer = await connection.ask("/v1/remember", {"memoryStoreId": STORE, "memories": items})
        if answer["counts"]["created"] != len(items):
            raise SystemExit(f"The store could not be filled: {answer['counts']}")
    connection.close()


def send(job: Job) -> Told:
    """What the clients of `job` were told."""
    command = [sys.executable, str(ROOT / "benchmarks" / "server_client.py"), json.dumps(asdict(job))]
    said = subprocess.run(command, env=environment(), check=True, stdout=subprocess.PIPE).stdout
    return Told(**json.loads(said))


@dataclass(frozen=True, kw_only=True)
class Phase:
    """What one job came to; `client_cores` is the share of a core that the clients took."""

    name: str
    requests_a_second: float
    asked_a_second: float
    p50_ms: float
    p99_ms: float
    server_cpu_ms: float
    server_cores: float
    client_cores: float
    of_health: float
    refused: int


def phase(name: str, job: Job, on: Server, health: float) -> tuple[Phase, Told]:
    """Run `job` on a server; `health` is how many times a second it answers GET /health."""
    cpu = on.cpu_seconds()
    told = send(job)
    spent = on.cpu_seconds() - cpu
    count, cuts = len(told.took_ms), statistics.quantiles(told.took_ms, n=100)
    rate = count / told.seconds
    return Phase(
        name=name,
        requests_a_second=round(rate, 1),
        asked_a_second=job.rate,
        p50_ms=round(statistics.median(told.took_ms), 1),
        p99_ms=round(cuts[98], 1),
        server_cpu_ms=round(spent * 1000 / count, 2),
        server_cores=round(spent / told.seconds, 2),
        client_cores=round(told.cpu_seconds / told.seconds, 2),
        of_health=round(rate / health, 3) if health else 1.0,
        refused=len(told.refused),
    ), told


def remembered(folder: Path) -> int:
    """How many memories a run of its own finds."""
    write_input(folder, {"action": "stats", "memoryStoreId": STORE})
    run_module(OURS, folder)
    return int(read_output(folder)["totalMemories"])


def one_server(folder: Path, memories: int, seconds: float, rates: tuple[float, float]) -> dict[str, Any]:
    """Searches, then writes, as many as it bears and for `seconds` at the rates that are asked of it.

    Searches come first, and as many writes as it bears last: the others are asked of about so many `memories`.
    """
    with server(folder) as on:
        asyncio.run(fill(on.port, memories))
        job = Job(port=on.port, store=STORE, verb="search", clients=CLIENTS, seconds=3)
        send(job)
        health, _ = phase("health, as many as it bears", replace(job, verb="health", seconds=5), on, 0)
        bears = health.requests_a_second
        short = min(10.0, seconds)
        phases, ids = [health], list[str]()
        for name, verb, rate, length in (
            ("search, as many as it bears", "search", 0.0, short),
            ("search", "search", rates[0], seconds),
            ("remember", "remember", rates[1], seconds),
            ("remember, as many as it bears", "remember", 0.0, short),
        ):
            begun = on.rss_mb()
            mark = f"{name} {len(ids)}"
            made, told = phase(name, replace(job, verb=verb, seconds=length, rate=rate, mark=mark), on, bears)
            print(f"{made}; memory {begun:.0f} MB, then {on.rss_mb():.0f} MB", flush=True)
            phases.append(made)
            ids += told.ids
            if told.refused:
                print(f"  refused: {told.refused[0]}")
        grown = _growth(on, replace(job, seconds=seconds, rate=rates[0]))
    lost = memories + len(ids) - remembered(folder)
    return {"phases": [asdict(made) for made in phases], "written": len(ids), "lost": lost, "rss": grown}


def _growth(on: Server, job: Job) -> dict[str, float]:
    """What the server holds in memory after the first seconds of searches, and at their end."""
    send(replace(job, seconds=min(WARM_UP_S, job.seconds)))
    early = on.rss_mb()
    send(job)
    return {"after_10_s_mb": round(early, 1), "growth_mb": round(on.rss_mb() - early, 1)}


def two_servers(folder: Path, seconds: float) -> dict[str, Any]:
    """Two servers and four batch runs write to one store; each server is asked for what the other has just stored."""
    with ExitStack() as stack:
        left, right = stack.enter_context(server(folder)), stack.enter_context(server(folder))
        before = remembered(folder)
        jobs = [
            Job(port=a.port, store=STORE, verb="remember", clients=4, seconds=seconds, mark=name, readers=(b.port,))
            for name, a, b in (("left", left, right), ("right", right, left))
        ]
        sending = [_start(job) for job in jobs]
        runs = _batch_runs(folder, seconds)
        told = [Told(**json.loads(one.communicate()[0])) for one in sending]
    written = sum(len(one.ids) for one in told)
    return {
        "written_by_servers": written,
        "written_by_runs": runs,
        "lost": before + written + runs - remembered(folder),
        "unseen_by_the_other": sum(len(one.unseen) for one in told),
        "refused": sum(len(one.refused) for one in told),
    }


def _start(job: Job) -> "subprocess.Popen[bytes]":
    command = [sys.executable, str(ROOT / "benchmarks" / "server_client.py"), json.dumps(asdict(job))]
    return subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE)


def _batch_runs(folder: Path, seconds: float) -> int:
    """Four runs at a time, each in turn remembering one memory, for `seconds`; how many said that they did."""
    until, done = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        running = [_run(folder, f"Batch run {done} {number} was here.") for number in range(4)]
        done += sum(process.wait() == 0 for process in running)
    return done


def _run(folder: Path, content: str) -> "subprocess.Popen[bytes]":
    """A run with default stores of its own, whose memory store is that of the servers."""
    own = Path(tempfile.mkdtemp(dir=folder, prefix="run-"))
    write_input(own, {"action": "remember", "memoryStoreId": STORE, "content": content})
    shared = Path("storage", "key_value_stores", storage_name(STORE))
    (own / shared).symlink_to(folder / shared)
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-m", OURS], cwd=own, env=environment(), stdin=quiet, stdout=quiet, stderr=quiet
    )


def report(found: dict[str, Any], rates: tuple[float, float]) -> bool:
    """Print each bar with its figure, and whether it holds."""
    phases = {made["name"]: made for made in found["one_server"]["phases"]}
    bars = [
        (f"{verb} at {rate:g}/s: p99 <= {P99_MS:g} ms", phases[verb]["p99_ms"], phases[verb]["p99_ms"] <= P99_MS)
        for verb, rate in zip(("search", "remember"), rates, strict=True)
    ]
    bars += [
        (f"{verb} borne: >= {rate:g}/s", (n := phases[f"{verb}, as many as it bears"]["requests_a_second"]), n >= rate)
        for verb, rate in zip(("search", "remember"), rates, strict=True)
    ]
    bars += [
        ("lost: 0", found["one_server"]["lost"], found["one_server"]["lost"] == 0),
        (f"memory grows <= {GROWTH_MB:g} MB", (g := found["one_server"]["rss"]["growth_mb"]), g <= GROWTH_MB),
        ("two servers and runs lose 0", (n := found["two_servers"]["lost"]), n == 0),
        ("two servers see each other", (n := found["two_servers"]["unseen_by_the_other"]), n == 0),
    ]
    for name, figure, holds in bars:
        print(f"{'holds ' if holds else 'FAILS '} {name}: {figure}")
    return all(holds for _, _, holds in bars)


def main() -> None:
    """Measure, print and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--searches", type=float, default=250, help="searches a second that are asked for")
    parser.add_argument("--writes", type=float, default=150, help="writes a second that are asked for")
    parser.add_argument("--keep", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    given = parser.parse_args()
    rates = given.searches, given.writes
    with tempfile.TemporaryDirectory(prefix="server-load-") as name:
        found = {
            "measured": datetime.now(UTC).date().isoformat(),
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "load_before": os.getloadavg()[0],
            "memories": given.memories,
            "clients": CLIENTS,
            "seconds": given.seconds,
            "one_server": one_server(Path(name), given.memories, given.seconds, rates),
            "two_servers": two_servers(Path(name), given.seconds),
        }
    if given.keep:
        RESULTS.write_text(json.dumps(found, indent=2) + "\n")
    if not report(found, rates):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

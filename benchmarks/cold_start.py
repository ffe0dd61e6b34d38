"""What a call costs: CPU seconds of whole runs, as a ratio to a bare Actor measured in turn with them.

CPU, not wall time: at Apify a run of 256 MB has a sixteenth of a core, so each CPU second is waited for sixteen times.
"""

import argparse
import json
import platform
import shutil
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from notes import notes
from process import BARE, OURS, ROOT, Ran, read_output, run_module, write_input

RESULTS: Final = ROOT / "benchmarks" / "results" / "cold_start.json"
STORE: Final = "acme~benchmark"
SMALL: Final = 1
LARGE: Final = 1_000
HUGE: Final = 10_000
BATCH: Final = 1_000
PLAIN: Final = 1.15
RANKED: Final = 1.6
RANKED_OF_HUGE: Final = 2.5
BULK_SECONDS: Final = 6.0
_QUESTION: Final = "timeouts of the checkout connection pool"
_DOCUMENT: Final = "\n\n".join(f"## Part {i}\n\n{item['content']}" for i, item in enumerate(notes(30)))


@dataclass(frozen=True)
class Case:
    """One action on a store of `memories`, and the ratio it should keep to."""

    name: str
    memories: int
    payload: dict[str, Any]
    bar: float | None


@dataclass(frozen=True)
class Figure:
    """Medians of one case; `met` is None where there is no bar."""

    action: str
    memories: int
    cpu_seconds: float
    bare_cpu_seconds: float
    ratio: float
    bar: float | None
    met: bool | None


def cases(memory_id: str, memories: int) -> Iterator[Case]:
    """Every action that is measured on a store of `memories`, one of which is `memory_id`."""
    plain: dict[str, dict[str, Any]] = {
        "remember": {"content": "The load balancer of the checkout service drops idle connections after 55 seconds."},
        "update": {"memoryId": memory_id, "memoryDetails": {"tags": ["checked"], "importance": 0.7}},
        "forget": {"memoryId": memory_id},
        "get": {"memoryId": memory_id},
        "stats": {},
    }
    ranked: dict[str, dict[str, Any]] = {
        "recall": {"query": _QUESTION, "url": "https://checkout.example.com/docs/7"},
        "search": {"query": _QUESTION},
        "context_pack": {"query": _QUESTION},
        "brief": {},
    }
    others: dict[str, dict[str, Any]] = {"prune": {"dryRun": True}, "chunk": {"content": _DOCUMENT}}
    if memories == HUGE:
        yield from (Case(name, memories, given, RANKED_OF_HUGE) for name, given in ranked.items())
        return
    yield from (Case(name, memories, given, PLAIN) for name, given in plain.items())
    if memories > SMALL:
        yield from (Case(name, memories, given, RANKED) for name, given in ranked.items())
        yield from (Case(name, memories, given, None) for name, given in others.items())


def measure(case: Case, prepared: Path, runs: int) -> Figure:
    """Our run and the bare one in turn, after one of each that does not count; every run on a fresh copy."""
    ours: list[float] = []
    bare: list[float] = []
    for turn in range(runs + 1):
        for module, taken in ((OURS, ours), (BARE, bare)):
            ran = _run(module, case.name, case.payload, prepared)
            if turn:
                taken.append(ran.cpu_seconds)
    cpu, base = statistics.median(ours), statistics.median(bare)
    ratio = cpu / base
    met = None if case.bar is None else ratio <= case.bar
    return Figure(case.name, case.memories, round(cpu, 3), round(base, 3), round(ratio, 3), case.bar, met)


def _run(module: str, action: str, payload: dict[str, Any], prepared: Path) -> Ran:
    with tempfile.TemporaryDirectory() as name:
        folder = shutil.copytree(prepared, Path(name) / "run")
        write_input(folder, {"action": action, "memoryStoreId": STORE, **payload})
        ran = run_module(module, folder)
        if ran.exit_code:
            message = f"{module} {action} ended with {ran.exit_code}: {(folder / 'log.txt').read_text('utf-8')[-1000:]}"
            raise RuntimeError(message)
        return ran


def prepare(folder: Path, memories: int) -> tuple[str, float]:
    """A store of `memories`, 1,000 remembered in a run: the id of one of them, and the seconds that the runs took."""
    folder.mkdir()
    seconds, given = 0.0, notes(memories)
    output: dict[str, Any] = {}
    for begin in range(0, memories, BATCH):
        items = given[begin : begin + BATCH]
        write_input(folder, {"action": "remember", "memoryStoreId": STORE, "memories": items})
        ran = run_module(OURS, folder)
        output, seconds = read_output(folder), seconds + ran.wall_seconds
        if ran.exit_code or output["counts"]["created"] != len(items):
            message = f"The store could not be prepared: {output.get('message') or output.get('error')}"
            raise RuntimeError(message)
    for leftover in ("OUTPUT", "OUTPUT.__metadata__.json", "INPUT.json"):
        (folder / "storage" / "key_value_stores" / "default" / leftover).unlink(missing_ok=True)
    shutil.rmtree(folder / "storage" / "datasets")
    return output["results"][len(output["results"]) // 2]["memoryId"], seconds


def _bulk_seconds(folder: Path, runs: int) -> float:
    """Wall seconds of remembering 1,000 memories at once, the median of a few runs."""
    return statistics.median(prepare(folder / f"bulk-{turn}", LARGE)[1] for turn in range(min(runs, 3)))


def _row(figure: Figure) -> str:
    bar = "-" if figure.bar is None else f"{figure.bar:.2f}"
    met = {None: "-", True: "yes", False: "no"}[figure.met]
    return f"{figure.action:<14}{figure.memories:>9,}{figure.cpu_seconds:>9.3f}{figure.ratio:>8.3f}{bar:>7}  {met}"


def main() -> None:
    """Measure, print a table and write it down; a benchmark does not judge, so it ends well either way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="measured runs of each case (7)")
    parser.add_argument("--only", nargs="*", help="measure these actions only, and write nothing without --json")
    parser.add_argument("--json", type=Path, help=f"where to write the figures (default: {RESULTS.relative_to(ROOT)})")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the date to note (today)")
    given = parser.parse_args()

    figures: list[Figure] = []
    print(f"{'action':<14}{'memories':>9}{'CPU s':>9}{'ratio':>8}{'bar':>7}  met")
    with tempfile.TemporaryDirectory() as name:
        for memories in (SMALL, LARGE, HUGE):
            folder = Path(name) / str(memories)
            memory_id, _ = prepare(folder, memories)
            for case in cases(memory_id, memories):
                if given.only and case.name not in given.only:
                    continue
                figures.append(measure(case, folder, given.runs))
                print(_row(figures[-1]), flush=True)
        seconds = _bulk_seconds(Path(name), given.runs)
    bulk = {"memories": LARGE, "wallSeconds": round(seconds, 2), "bar": BULK_SECONDS, "met": seconds <= BULK_SECONDS}
    bare = statistics.median(figure.bare_cpu_seconds for figure in figures)
    print(f"bare Actor: {bare:.3f} CPU s")
    print(f"bulk remember of {LARGE:,}: {seconds:.2f} s of wall time, bar {BULK_SECONDS:.0f}, met: {_yes(bulk['met'])}")
    print(f"all bars met: {_yes(bulk['met'] and all(figure.met is not False for figure in figures))}")
    target = given.json or (None if given.only else RESULTS)
    if target:
        body = {
            "date": given.date,
            "python": platform.python_version(),
            "runs": given.runs,
            "bareCpuSeconds": round(bare, 3),
            "actions": [asdict(figure) for figure in figures],
            "bulkRemember": bulk,
        }
        target.write_text(json.dumps(body, indent=2) + "\n", "utf-8")


def _yes(met: object) -> str:
    return "yes" if met else "no"


if __name__ == "__main__":
    main()

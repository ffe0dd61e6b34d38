"""The figures of the long form: what was asked for, what was really run, and when; kept part by part."""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parents[2] / "benchmarks" / "results" / "torture.json"

Figures = Mapping[str, Any]


def _cpu() -> float:
    """Seconds of CPU that this process has taken, and those that it started and that have ended."""
    return sum(os.times()[:4])


def measured(part: str, run: Callable[[], Figures], results: Path = RESULTS) -> None:
    """Carry out `run`, print its figures and keep them in `results` as those of `part`; others' figures stay."""
    began, cpu_began = time.monotonic(), _cpu()
    figures = {
        "date": datetime.now(UTC).date().isoformat(),
        "python": sys.version.split()[0],
        **run(),
        "cpuSeconds": round(_cpu() - cpu_began, 1),
        "seconds": round(time.monotonic() - began, 1),
    }
    print(f"{part}: {json.dumps(figures, ensure_ascii=False)}", flush=True)  # noqa: T201  # a person waits for it
    known: dict[str, Any] = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    text = json.dumps({**known, part: figures}, ensure_ascii=False, indent=2, sort_keys=True)
    results.write_text(text + "\n", encoding="utf-8")

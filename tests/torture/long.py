"""The long form of the torture tests: `make torture N=100000`; writes what was really run to benchmarks/results/.

All pairs of actions to the end on every scene, then N schedules of three actions, then all faults and N // 10 pairs
of faults. A Violation ends it, with the steps that led there.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, Final

from .explore import Explorer, Report, Setting
from .faults import FAULTS, operations, strike
from .scenes import Scene, asks, bulky, old, packed, packing_soon, young

SCENES: Final = (young, packed, bulky, old)
FOLLOWERS: Final = ("forget", "purge", "update", "remember key", "tidy", "restore")
RESULTS: Final = Path(__file__).parents[2] / "benchmarks" / "results" / "torture.json"
TRIO_RUNS: Final = 40
TRIO_STATES: Final = 400


def pairs(make: Callable[[], Scene], thorough_each: int) -> Report:
    """Every pair of actions in every order, with every crash."""
    scene = make()
    total = Report()
    for pair in combinations_with_replacement(asks(scene).values(), 2):
        total.add(Explorer(scene, pair, Setting(thorough_each=thorough_each)).explore())
    return total


def trios(schedules: int, rng: random.Random) -> Report:
    """So many schedules of three actions: half of them systematic, half random with pages and overtaking reads."""
    total = Report()
    while total.runs < schedules:
        scene = rng.choice(SCENES)()
        trio = rng.choices([*asks(scene).values()], k=3)
        skews = rng.choice(((), (0.0, 5.0), (5.0, 0.0, 2.0)))
        total.add(Explorer(scene, trio, Setting(skews_s=skews, thorough_each=4)).explore(TRIO_STATES))
        paged = Setting(skews_s=skews, page=rng.choice((2, 3, 1_000)), thorough_each=4)
        total.add(Explorer(scene, trio, paged).sample(TRIO_RUNS, rng))
    return total


def faults() -> int:
    """Every fault at every operation of every action."""
    count = 0
    for make in SCENES:
        scene = make()
        followers = [asks(scene)[name] for name in FOLLOWERS]
        for ask in asks(scene).values():
            for place in range(len(operations(scene, ask))):
                count += sum(strike(scene, ask, fault, [place], followers) for fault in FAULTS)
    return count


def fault_pairs(wanted: int, rng: random.Random) -> int:
    """So many random pairs of faults of one kind in one action."""
    for _ in range(wanted):
        scene = rng.choice(SCENES)()
        asked = asks(scene)
        ask = rng.choice([*asked.values()])
        places = sorted(rng.choices(range(len(operations(scene, ask))), k=2))
        strike(scene, ask, rng.choice(FAULTS), places, [asked[rng.choice(FOLLOWERS)]])
    return wanted


def shown(report: Report, began: float) -> dict[str, Any]:
    """`report` as JSON."""
    return {
        "runs": report.runs,
        "states": report.states,
        "checks": report.checks,
        "interleavings": report.interleavings,
        "complete": report.complete,
        "cpuSeconds": round(time.process_time() - began, 1),
    }


def main(schedules: int) -> None:
    """Run it all and write the figures down."""
    rng = random.Random(schedules)  # noqa: S311  # a repeatable choice of schedules
    result: dict[str, Any] = {"date": datetime.now(UTC).date().isoformat(), "python": sys.version.split()[0]}
    with packing_soon():
        for make in SCENES:
            began = time.process_time()
            result[f"pairs, {make.__name__}"] = _told(f"pairs, {make.__name__}", shown(pairs(make, 4), began))
        began = time.process_time()
        result["three actions"] = _told("three actions", shown(trios(schedules, rng), began))
        began = time.process_time()
        struck: dict[str, Any] = {"outcomes": faults(), "pairs": fault_pairs(schedules // 10, rng)}
        struck["cpuSeconds"] = round(time.process_time() - began, 1)
        result["faults"] = _told("faults", struck)
    RESULTS.write_text(json.dumps(result, indent=2) + "\n")


def _told(what: str, figures: dict[str, Any]) -> dict[str, Any]:
    print(f"{what}: {json.dumps(figures)}", flush=True)  # noqa: T201  # a person waits for it
    return figures


if __name__ == "__main__":
    main(int(sys.argv[1]))

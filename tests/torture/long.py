"""The long form of the torture tests; writes what was really run to benchmarks/results/torture.json.

python -m torture.long N [part ...]

N is the number of schedules of three actions, and the other parts grow with it: N = 10,000,000 is what is asked for.
Without a name, all parts run. A Violation ends it, with the steps that led there.
"""

import random
import sys
from collections.abc import Callable
from typing import Any, Final

from .figures import Figures, measured
from .scenes import packing_soon
from .schedules import SCENES, pairs, remaining, shown, trios, writing

Part = Callable[[int, random.Random], Figures]


def _three_actions(schedules: int, rng: random.Random) -> Figures:
    systematic, wandering, count = trios(schedules, rng)
    told: dict[str, Any] = {"trios": count, "systematic": shown(systematic), "random": shown(wandering)}
    return {"asked": 10_000_000, "runs": systematic.runs + wandering.runs, **told}


def _pairs(place: int) -> Part:
    def run(_: int, __: random.Random) -> Figures:
        with packing_soon():
            scene = SCENES[place]()
            return shown(pairs(scene, [*writing(scene), *remaining(scene)]))

    return run


PARTS: Final[dict[str, Part]] = {
    **{f"pairs, {make.__name__}": _pairs(place) for place, make in enumerate(SCENES)},
    "three actions": _three_actions,
}


def main(size: int, *parts: str) -> None:
    """Run the parts and keep their figures."""
    for part in parts or PARTS:
        rng = random.Random(size)  # a repeatable choice of schedules
        measured(part, lambda part=part, rng=rng: PARTS[part](size, rng))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])

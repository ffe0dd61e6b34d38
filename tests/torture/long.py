"""The long form of the torture tests; writes what was really run to benchmarks/results/torture.json.

python -m torture.long N [part ...]

N is the number of schedules of three actions, and the other parts grow with it: N = 10,000,000 is what is asked.
Without a name, all parts run. A Violation ends it, with the steps that led there.
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from .crowd import PLACES, place, run_crowd
from .derived import trials
from .faults import FAULTS, operations, strike
from .figures import Figures, measured
from .keeper import Crowd
from .machine import Actions
from .many_names import names_apart
from .places import lives
from .race import race
from .scenes import FOLLOWERS, every_ask, packing_soon, reviewed, young
from .schedules import SCENES, beside_a_server, pairs, remaining, settling, shown, trios, wandering, writing

Part = Callable[[int, random.Random], Figures]
ASKED: Final = 10_000_000
RACERS, RETRIES = 16, 100
STEPS: Final = 100
ROUNDS: Final = 8


def _pairs(number: int) -> Part:
    def run(_: int, __: random.Random) -> Figures:
        with packing_soon():
            scene = SCENES[number]()
            return shown(pairs(scene, [*writing(scene), *remaining(scene)]))

    return run


def _beside_a_server(number: int) -> Part:
    def run(_: int, __: random.Random) -> Figures:
        with packing_soon():
            return shown(beside_a_server(SCENES[number]()))

    return run


def _reviews(_: int, __: random.Random) -> Figures:
    """Every pair of what is asked about reviews, and of it with other actions, to the end."""
    with packing_soon():
        scene = reviewed()
        return shown(pairs(scene, settling(scene)))


def _places(size: int, rng: random.Random) -> Figures:
    """Random calls of callers of every kind in stores with projects and sessions."""
    return {"asked": 1_000_000, **vars(lives(size // 10, rng))}


def _three_actions(size: int, rng: random.Random) -> Figures:
    report, count = trios(size, rng)
    return {"asked": ASKED, "trios": count, **shown(report)}


def _wandering(size: int, rng: random.Random) -> Figures:
    """Random orders, with pages of listings and with reads that overtake each other."""
    report, count = wandering(size // 100, rng)
    return {"trios": count, **shown(report)}


def _faults(_: int, __: random.Random) -> Figures:
    """Every fault at every operation of every action."""
    outcomes = 0
    with packing_soon():
        for make in SCENES:
            scene = make()
            asked = every_ask(scene)
            followers = [asked[name] for name in FOLLOWERS]
            for ask in asked.values():
                places = range(len(operations(scene, ask)))
                outcomes += sum(strike(scene, ask, fault, [at], followers) for at in places for fault in FAULTS)
    return {"outcomes": outcomes}


def _pairs_of_faults(size: int, rng: random.Random) -> Figures:
    """Random pairs of faults of one kind in one action."""
    struck = 0
    with packing_soon():
        scenes = [make() for make in SCENES]
        for _ in range(size // 10):
            scene = rng.choice(scenes)
            asked = every_ask(scene)
            ask = rng.choice([*asked.values()])
            at = sorted(rng.choices(range(len(operations(scene, ask))), k=2))
            struck += strike(scene, ask, rng.choice(FAULTS), at, [asked[rng.choice(FOLLOWERS)]])
    return {"outcomes": struck}


def _machine(size: int, _: random.Random) -> Figures:
    lives = max(1, size // 50)
    options = settings(
        max_examples=lives,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    with packing_soon():
        run_state_machine_as_test(Actions, settings=options)
    return {"asked": f"{ASKED // 50} x {STEPS}", "run": f"{lives} x {STEPS}", "actions": Actions.steps}


def _derived(size: int, rng: random.Random) -> Figures:
    each = max(1, size // 1_000 // len(SCENES))
    with packing_soon():
        changed = sum(trials(make, each, rng) for make in SCENES)
    return {"asked": ASKED // 1_000, "trials": each * len(SCENES), "changed": changed}


def _racers(size: int, _: random.Random) -> Figures:
    races = max(1, size // 100_000)
    with packing_soon():
        steps = sum(race(young(), RACERS, RETRIES, random.Random(seed)) for seed in range(races))
    return {"asked": f"{RETRIES} x {RACERS}", "races": races, "steps": steps}


def _store_ids(size: int, _: random.Random) -> Figures:
    return {"asked": ASKED, "ids": names_apart(size), "collisions": 0}


def _processes(kind: str) -> Part:
    """Crowds one after the other, each with a store of its own; ROUNDS of the largest are what is asked."""

    def run(size: int, rng: random.Random) -> Figures:
        writes = min(125, max(25, size // 10_000))
        crowd = Crowd(writers=min(32, 4 + size // 10_000), writes=writes, kills=2 * writes, batch=16)
        acknowledged, rounds = 0, max(1, ROUNDS * size // ASKED)
        for number in range(1, rounds + 1):
            with tempfile.TemporaryDirectory() as folder, place(kind, Path(folder)) as where:
                acknowledged += asyncio.run(run_crowd(where, crowd, rng))
            sys.stderr.write(f"store {number} of {rounds}: {acknowledged:,} acknowledged, none lost\n")
        return {"asked": "32 x 1000, 2000 kills", "rounds": rounds, **vars(crowd), "acknowledged": acknowledged}

    return run


PARTS: Final[dict[str, Part]] = {
    **{f"pairs, {make.__name__}": _pairs(number) for number, make in enumerate(SCENES)},
    "pairs, reviewed": _reviews,
    "places": _places,
    **{f"beside a server, {make.__name__}": _beside_a_server(number) for number, make in enumerate(SCENES)},
    "faults": _faults,
    "pairs of faults": _pairs_of_faults,
    "derived keys": _derived,
    "racers": _racers,
    "store ids": _store_ids,
    "machine": _machine,
    **{f"processes, {kind}": _processes(kind) for kind in PLACES},
    "three actions": _three_actions,
    "three actions at random": _wandering,
}


def main(size: int, *parts: str) -> None:
    """Run the parts and keep their figures."""
    for part in parts or PARTS:
        rng = random.Random(size)  # a repeatable choice of schedules
        measured(part, lambda part=part, rng=rng: PARTS[part](size, rng))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])

"""Many schedules: every pair of actions in every order, and as many of three actions as there is time for."""

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations_with_replacement, product
from typing import Any, Final

from .explore import Explorer, Report, Setting
from .scenes import Scene, asks, bulky, every_ask, old, packed, packing_soon, review_asks, young
from .steps import WHOLE, Ask

SCENES: Final = (young, packed, bulky, old)
TRIO_STATES: Final = 4_000
TRIO_RUNS: Final = 40
_SKEWS: Final = ((), (0.0, 5.0), (5.0, 0.0, 2.0))


def pairs(
    scene: Scene, asked: Iterable[tuple[Ask, Ask]], thorough_each: int = 4, most_states: int = 1_000_000
) -> Report:
    """Two actions of each pair of `asked` in every order, with every crash, as far as `most_states` allows."""
    total = Report()
    for pair in asked:
        total.add(Explorer(scene, pair, Setting(thorough_each=thorough_each)).explore(most_states))
    return total


def beside_a_server(scene: Scene, most_states: int = 1_000_000) -> Report:
    """Each action that writes, and recall, of a server that has read the store, in every order with each of a run."""
    total = Report()
    for pair in product(asks(scene).values(), repeat=2):
        total.add(Explorer(scene, pair, Setting(warm=(0,), thorough_each=8)).explore(most_states))
    return total


def writing(scene: Scene) -> list[tuple[Ask, Ask]]:
    """Every pair of the actions that write, and of recall with each."""
    return [*combinations_with_replacement(asks(scene).values(), 2)]


def remaining(scene: Scene) -> list[tuple[Ask, Ask]]:
    """Every other pair of actions."""
    every = combinations_with_replacement(every_ask(scene).values(), 2)
    return [pair for pair in every if pair not in writing(scene)]


def settling(scene: Scene) -> list[tuple[Ask, Ask]]:
    """Every pair of what is asked about reviews, and each of it beside what changes, reads or removes memories."""
    mine = review_asks(scene)
    beside = [asks(scene)[name] for name in ("remember", "update", "forget", "purge", "tidy", "recall")]
    return [*combinations_with_replacement(mine.values(), 2), *product(mine.values(), beside)]


def trios(schedules: int, rng: random.Random) -> tuple[Report, int]:
    """So many schedules of three actions, each trio up to `TRIO_STATES` states; what was tried, and how many trios."""

    def explored(scene: Scene, trio: Sequence[Ask]) -> Report:
        setting = Setting(skews_s=rng.choice(_SKEWS), thorough_each=4)
        return Explorer(scene, trio, setting).explore(TRIO_STATES)

    return _many(schedules, rng, explored)


def wandering(schedules: int, rng: random.Random) -> tuple[Report, int]:
    """So many random orders of three actions, `TRIO_RUNS` of each trio; what was tried, and how many trios.

    Listings have pages, and parallel reads of one action may overtake each other.
    """

    def sampled(scene: Scene, trio: Sequence[Ask]) -> Report:
        setting = Setting(skews_s=rng.choice(_SKEWS), page=rng.choice((2, 3, WHOLE)), thorough_each=4)
        return Explorer(scene, trio, setting).sample(TRIO_RUNS, rng)

    return _many(schedules, rng, sampled)


def _many(schedules: int, rng: random.Random, tried: Callable[[Scene, Sequence[Ask]], Report]) -> tuple[Report, int]:
    total, count = Report(), 0
    with packing_soon():
        scenes = [make() for make in SCENES]
        while total.runs < schedules:
            scene = rng.choice(scenes)
            total.add(tried(scene, rng.choices([*every_ask(scene).values()], k=3)))
            count += 1
    return total, count


def shown(report: Report) -> dict[str, Any]:
    """`report` as JSON."""
    return {
        "runs": report.runs,
        "states": report.states,
        "checks": report.checks,
        "interleavings": report.interleavings,
        "complete": report.complete,
    }

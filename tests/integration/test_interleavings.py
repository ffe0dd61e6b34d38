"""Actions at once, one storage operation at a time, in every order, with a crash after every step.

What is merged and what is counted is said in torture/explore.py; `make torture` is the long form.
"""

import random
from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement

import pytest

from torture.explore import Explorer, Reader, Report, Run, Setting
from torture.scenes import KEY, Scene, asks, bulky, grown, old, packing_soon, young
from torture.steps import Ask, our_store

pytestmark = pytest.mark.torture

NAMES = tuple(asks(young()))
MOST_STATES = 600
"""Nearly every pair has fewer; `make torture` goes through the others to the end."""


@pytest.fixture(autouse=True)
def _packing_soon() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]  # autouse
    with packing_soon():
        yield


def pairs(first: str) -> list[tuple[str, str]]:
    every = combinations_with_replacement(NAMES, 2)
    return [(a, b) for a, b in every if a == first]


@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("make", [young, old])
def test_two_actions_at_once_and_a_crash_at_any_step_break_no_invariant(make: Callable[[], Scene], first: str) -> None:
    scene = make()
    asked = asks(scene)
    total = Report()
    for a, b in pairs(first):
        explorer = Explorer(scene, [asked[a], asked[b]], Setting(thorough_each=10))
        total.add(explorer.explore(MOST_STATES))

    assert total.states > 20 * len(pairs(first))


@pytest.mark.parametrize("skews_s", [(0.0, 5.0), (5.0, 0.0)], ids=["second ahead", "first ahead"])
@pytest.mark.parametrize("pair", [("update", "forget"), ("update", "purge"), ("remember key", "remember key other")])
def test_clocks_that_differ_decide_nothing(pair: tuple[str, str], skews_s: tuple[float, ...]) -> None:
    scene = bulky()
    asked = asks(scene)

    report = Explorer(scene, [asked[name] for name in pair], Setting(skews_s=skews_s, thorough_each=4)).explore()

    assert report.complete


def test_three_actions_at_once_with_listings_in_pages_and_reads_that_overtake_each_other() -> None:
    rng = random.Random(1)  # noqa: S311  # a repeatable choice of schedules
    total = Report()
    for make in (young, bulky, old):
        scene = make()
        asked = asks(scene)
        for trio in rng.sample(list(combinations(NAMES, 3)), 24):
            setting = Setting(page=3, thorough_each=4)
            total.add(Explorer(scene, [asked[name] for name in trio], setting).sample(12, rng))

    assert total.runs >= 600


def test_an_update_that_a_forget_absorbed_is_not_acknowledged_because_of_a_restore() -> None:
    with packing_soon(64):
        scene = young()
        asked = [asks(scene)[name] for name in ("update", "forget", "restore target")]
        run = Run(scene, asked, Setting(), Reader(our_store))
        go_to_commit(run, 0)
        go_to_end(run, 1)
        go_to_commit(run, 2)
        run.step(0)
        go_to_end(run, 2)
        go_to_end(run, 0)

    assert run.able() == []


def go_to_commit(run: Run, who: int) -> None:
    """Stop just before the write of a revision."""
    pending = run.processes[who].pending
    while (pending[0].verb, pending[0].key[:7]) != ("set", "memory-"):
        run.step(who)


def go_to_end(run: Run, who: int) -> None:
    while run.processes[who].pending:
        run.step(who)


@pytest.mark.parametrize("pair", [("remember", "remember"), ("remember", "recall"), ("remember", "purge")])
def test_packing_at_its_real_threshold_beside_another_action(pair: tuple[str, str]) -> None:
    rng = random.Random(2)  # noqa: S311  # a repeatable choice of schedules
    with packing_soon(64):
        scene = grown()
        asked = asks(scene)
        report = Explorer(scene, [asked[name] for name in pair], Setting(thorough_each=8)).sample(12, rng)

    assert report.runs == 12


def test_eight_racers_with_one_idempotency_key_make_one_memory() -> None:
    rng = random.Random(3)  # noqa: S311  # a repeatable choice of schedules
    racers = [Ask("racer", "remember", {"content": "Keyed text.", "idempotencyKey": KEY}) for _ in range(8)]

    report = Explorer(young(), racers, Setting(thorough_each=4)).sample(20, rng)

    assert report.runs == 20


@pytest.mark.parametrize("pair", [("update", "forget"), ("remember", "tidy"), ("recall", "purge")])
def test_merging_equal_states_leaves_no_outcome_out(pair: tuple[str, str]) -> None:
    rng = random.Random(4)  # noqa: S311  # a repeatable choice of schedules
    scene = young()
    asked = [asks(scene)[name] for name in pair]
    whole, random_ones = Explorer(scene, asked, Setting(thorough_each=50)), Explorer(scene, asked)

    whole.explore()
    random_ones.sample(150, rng, overtaking=False)

    assert random_ones.outcomes <= whole.outcomes

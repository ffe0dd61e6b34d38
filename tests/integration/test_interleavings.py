"""Actions at once, one storage operation at a time, in every order, with a crash after every step.

What is merged and what is counted is said in torture/explore.py; `make torture` is the long form.
"""

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from agent_memory.actions.registry import NAMES
from agent_memory.store.warm.following import Follower
from torture.checks import Violation
from torture.explore import Explorer, Reader, Report, Run, Setting
from torture.race import race
from torture.scenes import (
    Scene,
    asks,
    bulky,
    every_ask,
    grown,
    old,
    packed,
    packing_soon,
    review_asks,
    reviewed,
    young,
)
from torture.schedules import beside_a_server, pairs, remaining, settling, writing
from torture.steps import Ask, our_store

pytestmark = pytest.mark.torture

ASKED = tuple(asks(young()))
SCHEDULES = [
    (young, writing, None, 12_000),
    (young, remaining, None, 5_500),
    (packed, writing, None, 4_000),
    (bulky, writing, None, 5_000),
    (old, writing, 600, 4_000),
    (reviewed, settling, 300, 2_800),
]
"""On which store which pairs are tried, up to how many states a pair, and how many runs that must be at least.

None goes through all. `make torture` does so with every pair on every store.
"""


@pytest.fixture(autouse=True)
def _packing_soon() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]  # autouse
    with packing_soon():
        yield


@pytest.mark.parametrize(
    ("make", "asked", "most_states", "least_runs"),
    SCHEDULES,
    ids=[f"{make.__name__}, {asked.__name__}" for make, asked, _, _ in SCHEDULES],
)
def test_two_actions_at_once_and_a_crash_at_any_step_break_no_invariant(
    make: Callable[[], Scene],
    asked: Callable[[Scene], list[tuple[Ask, Ask]]],
    most_states: int | None,
    least_runs: int,
) -> None:
    scene = make()

    report = pairs(scene, asked(scene), 10, most_states or 1_000_000)

    assert report.runs >= least_runs
    assert report.complete is (most_states is None)


def test_every_action_is_tried_and_at_least_thirty_thousand_schedules_are_run() -> None:
    asked = {ask.action for ask in (every_ask(young()) | review_asks(reviewed())).values()}

    assert asked == {*NAMES} - {"chunk"}  # which asks no store
    assert sum(least for _, _, _, least in SCHEDULES) >= 30_000


@pytest.mark.parametrize("make", [young, packed, bulky, old])
def test_a_server_that_has_read_the_store_beside_a_run_breaks_no_invariant(make: Callable[[], Scene]) -> None:
    report = beside_a_server(make(), 40)

    assert report.runs >= 1_000


def test_a_server_that_does_not_look_again_after_a_write_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def always(self: Follower) -> bool:
        return not self.whole

    monkeypatch.setattr(Follower, "is_current", always)
    scene = bulky()
    with pytest.raises(Violation):
        Explorer(scene, [asks(scene)[name] for name in ("update", "forget")], Setting(warm=(0,))).explore()


@pytest.mark.parametrize("skews_s", [(0.0, 5.0), (5.0, 0.0)], ids=["second ahead", "first ahead"])
@pytest.mark.parametrize("pair", [("update", "forget"), ("update", "purge"), ("remember key", "remember key other")])
def test_clocks_that_differ_decide_nothing(pair: tuple[str, str], skews_s: tuple[float, ...]) -> None:
    scene = bulky()
    asked = asks(scene)

    report = Explorer(scene, [asked[name] for name in pair], Setting(skews_s=skews_s, thorough_each=4)).explore()

    assert report.complete


@pytest.mark.parametrize(("make", "other"), [(old, "forget"), (young, "purge"), (old, "purge"), (bulky, "purge")])
def test_a_revert_that_a_forget_or_a_purge_absorbed_is_not_acknowledged(make: Callable[[], Scene], other: str) -> None:
    scene = make()
    asked = every_ask(scene)

    Explorer(scene, [asked["revert"], asked[other]], Setting(thorough_each=10)).explore()


def test_three_actions_at_once_with_listings_in_pages_and_reads_that_overtake_each_other() -> None:
    rng = random.Random(1)  # a repeatable choice of schedules
    total = Report()
    for make in (young, bulky, old):
        scene = make()
        asked = asks(scene)
        for trio in rng.sample(list(combinations(ASKED, 3)), 24):
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
    rng = random.Random(2)  # a repeatable choice of schedules
    with packing_soon(64):
        scene = grown()
        asked = asks(scene)
        report = Explorer(scene, [asked[name] for name in pair], Setting(thorough_each=8)).sample(12, rng)

    assert report.runs == 12


@pytest.mark.parametrize("pack_from", [5, 64])
def test_eight_racers_that_repeat_one_idempotency_key_twenty_times_make_one_memory(pack_from: int) -> None:
    scene = young()

    for seed in range(10):
        with packing_soon(pack_from):
            steps = race(scene, racers=8, retries=20, rng=random.Random(seed))  # a repeatable choice

        assert steps > 8 * 20 * 3


@pytest.mark.parametrize("pair", [("update", "forget"), ("remember", "tidy"), ("recall", "purge")])
def test_merging_equal_states_leaves_no_outcome_out(pair: tuple[str, str]) -> None:
    rng = random.Random(4)  # a repeatable choice of schedules
    scene = young()
    asked = [asks(scene)[name] for name in pair]
    whole, random_ones = Explorer(scene, asked, Setting(thorough_each=50)), Explorer(scene, asked)

    whole.explore()
    random_ones.sample(150, rng, overtaking=False)

    assert random_ones.outcomes <= whole.outcomes

"""One fault at every operation of every action: an error that says so, or a right answer, and nothing is harmed."""

import random
from collections.abc import Callable, Iterator

import pytest

from torture.checks import GARBAGE, faces, snapshot_of
from torture.faults import FAULTS, operations, strike
from torture.loop import finish
from torture.scenes import Scene, asks, bulky, old, packed, packing_soon, young
from torture.steps import NOW, Ask, Calm, Ids, carry_out, our_store

pytestmark = pytest.mark.torture

SCENES = (young, packed, bulky, old)
FOLLOWERS = ("forget", "purge", "update", "remember key", "tidy", "restore")


@pytest.fixture(autouse=True)
def _packing_soon() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]  # autouse
    with packing_soon():
        yield


def strike_everywhere(scene: Scene, ask: Ask, fault: str) -> int:
    followers = [asks(scene)[name] for name in FOLLOWERS]
    places = range(len(operations(scene, ask)))
    return sum(strike(scene, ask, fault, [place], followers) for place in places)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("make", SCENES)
def test_a_fault_at_any_operation_is_told_or_harmless(make: Callable[[], Scene], fault: str) -> None:
    scene = make()
    struck = sum(strike_everywhere(scene, ask, fault) for ask in asks(scene).values())

    assert struck > 90


@pytest.mark.parametrize("fault", ["fail", "lost answer", "late"])
def test_two_faults_in_one_action_are_told_or_harmless(fault: str) -> None:
    rng = random.Random(5)  # noqa: S311  # a repeatable choice of places
    scene = young()
    for ask in asks(scene).values():
        places = range(len(operations(scene, ask)))
        for _ in range(6):
            assert strike(scene, ask, fault, sorted(rng.choices(places, k=2)), [asks(scene)["forget"]])


def answers(held: dict[str, bytes]) -> list[object]:
    """What four reads answer."""
    reads = [
        Ask("", "recall", {"query": "port", "maxResults": 100}),
        Ask("", "search", {"query": "port"}),
        Ask("", "list", {"status": "all"}),
        Ask("", "stats", {}),
    ]
    bodies = [finish(carry_out(ask, Calm(dict(held)), Ids("reader", NOW), our_store, [])) for ask in reads]
    return [{name: value for name, value in body.items() if name != "tookMs"} for body in bodies]


@pytest.mark.parametrize("make", SCENES)
def test_any_subset_of_derived_keys_may_be_deleted_or_damaged(make: Callable[[], Scene]) -> None:
    rng = random.Random(6)  # noqa: S311  # a repeatable choice of keys
    held = dict(make().held)
    finish(carry_out(Ask("", "recall"), Calm(held), Ids("toucher", NOW), our_store, []))
    snapshot, expected = snapshot_of(held), answers(held)
    caches = [key for key in held if key.startswith(("__manifest", "access-"))]
    copies = [*snapshot.layout.covered, *snapshot.layout.moved]
    assert caches

    for _ in range(75):
        less = dict(held)
        for key in rng.sample(caches, rng.randint(0, len(caches))):
            less[key] = rng.choice((b"", b"{", b"null", b"[1]", GARBAGE, held[key][:-3]))
        for key in rng.sample([*caches, *copies], rng.randint(0, len(caches) + len(copies))):
            del less[key]
        assert faces(snapshot_of(less)) == faces(snapshot)
        assert answers(less) == expected

"""The checks have teeth: stores that are known to be wrong do not pass them."""

from collections.abc import Sequence

import pytest

from torture.broken import PLANTS, Plant
from torture.checks import Violation
from torture.explore import Explorer, Setting
from torture.gauntlet import gauntlet
from torture.scenes import asks, packing_soon, review_asks, reviewed, young
from torture.steps import our_store

pytestmark = pytest.mark.torture

LOSSES = (
    (0, ("remember", "remember"), "I1"),
    (0, ("update", "update tags"), "I1"),
    (0, ("forget", "recall"), "I2"),
    (0, ("update", "forget"), "I2"),
    (1, ("update", "forget"), "I2"),
    (2, ("remember", "remember"), "I1"),
)
"""What is lost by the plain designs (their place in PLANTS) where two actions meet, and the invariant that says so."""


def test_our_store_passes_where_at_least_twenty_that_are_wrong_do_not() -> None:
    assert gauntlet(our_store) is None
    assert len({plant.name for plant in PLANTS}) >= 20


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_planted_fault_is_caught(plant: Plant) -> None:
    with plant.planted():
        violation = gauntlet(plant.make_store)

    assert violation is not None


def test_two_who_settle_a_review_without_looking_again_are_caught() -> None:
    plant = next(plant for plant in PLANTS if plant.name == "no look after a write")
    with packing_soon(), plant.planted():
        scene = reviewed(plant.make_store)
        asked = review_asks(scene)
        pair = [asked["resolve add"], asked["resolve ignore"]]
        with pytest.raises(Violation) as caught:
            Explorer(scene, pair, Setting(plant.make_store, thorough_each=0)).explore()

    assert caught.value.invariant == "I12"


@pytest.mark.parametrize(("place", "pair", "invariant"), LOSSES)
def test_the_plain_designs_lose_memories_or_bring_them_back(place: int, pair: Sequence[str], invariant: str) -> None:
    plant = PLANTS[place]
    with packing_soon(), plant.planted():
        scene = young(plant.make_store)
        asked = asks(scene)
        explorer = Explorer(scene, [asked[name] for name in pair], Setting(plant.make_store, thorough_each=0))
        with pytest.raises(Violation) as caught:
            explorer.explore()

    assert caught.value.invariant == invariant

"""A short run through schedules and faults that our store passes and every broken one does not."""

from typing import Final

from .checks import Violation
from .explore import Explorer, Setting
from .faults import operations, strike
from .scenes import Scene, alone, asks, bulky, packed, packing_soon, young
from .steps import MakeStore

PAIRS: Final = (
    ("remember", "remember"),
    ("update", "forget"),
    ("bulk", "bulk"),
    ("remember key", "remember key"),
    ("recall", "forget"),
    ("recall", "purge"),
    ("restore", "recall"),
    ("update", "purge"),
)
STRIKES: Final = (
    ("remember", "fail"),
    ("recall", "damage"),
    ("recall", "stale list"),
    ("tidy", "empty"),
    ("update", "late"),
)
_AHEAD_S: Final = 5.0


def gauntlet(make_store: MakeStore) -> Violation | None:
    """The first Violation that a store comes to, None when it holds."""
    with packing_soon():
        scenes = [make(make_store) for make in (young, bulky, packed)]
        try:
            for scene in (*scenes, alone(make_store)):
                _strike(scene, make_store)
            for scene in scenes:
                _interleave(scene, make_store)
        except Violation as violation:
            return violation
    return None


def _strike(scene: Scene, make_store: MakeStore) -> None:
    asked = asks(scene)
    for ask in asked.values():
        operations(scene, ask, make_store)
    for name, fault in STRIKES:
        for at in range(len(operations(scene, asked[name], make_store))):
            strike(scene, asked[name], fault, [at], [asked["forget"]], make_store)


def _interleave(scene: Scene, make_store: MakeStore) -> None:
    asked = asks(scene)
    for pair in PAIRS:
        for skews in ((), (0.0, _AHEAD_S), (_AHEAD_S, 0.0)) if scene.name == "young" else ((),):
            Explorer(scene, [asked[name] for name in pair], Setting(make_store, skews, thorough_each=5)).explore()

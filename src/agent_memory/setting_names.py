"""Variables whose names are nearly those of settings: they would be ignored in silence."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

_PREFIX: Final = "AGENT_MEMORY_"
# The platform has many names of its own that begin so.
_SHARED: Final = ("DECAY_", "ACTOR_", "APIFY_")
_OF_CLIENTS: Final = {"AGENT_MEMORY_URL", "AGENT_MEMORY_TOKEN"}
"""What tells a client of a server where it is and who asks."""


def refuse_misspelt(given: Iterable[str], names: AbstractSet[str]) -> None:
    """End the process where one of the `given` names is none of the settings' `names`, and nearly one of them.

    Of those that the platform shares, only where it is one slip away.
    """
    for unknown in {*given} - names - _OF_CLIENTS:
        near = None
        if unknown.startswith(_PREFIX):
            from .text.plain_words import closest

            near = closest(unknown.removeprefix(_PREFIX), (n.removeprefix(_PREFIX) for n in names if _PREFIX in n))
            near = near and f"{_PREFIX}{near}"
        elif unknown.startswith(_SHARED):
            near = next((name for name in sorted(names) if _is_slip(unknown, name)), None)
        if near:
            raise SystemExit(f"{unknown} is no setting. Did you mean {near}?")


def _is_slip(one: str, other: str) -> bool:
    """Whether two names differ by one letter too many, too few, or other, or by two that changed places."""
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    left, right = one[same:], other[same:]
    swapped = sorted(left[:2]) == sorted(right[:2]) and left[2:] == right[2:]
    return swapped or right in (left[1:], f"{right[:1]}{left}", f"{right[:1]}{left[1:]}")

"""How memories fade: an exponential half-life, unless a memory matters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar, cast

from ..models.instant import days_between
from ..models.memory import Memory
from ..models.vocabulary import Trust
from .briefing import RULE_TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One memory's, or those of many at once.
Numbers = TypeVar("Numbers", float, "NDArray[np.float64]")

TOLERANCE: Final = 1e-9
MATTERS: Final = 0.9
"""A confidence or an importance from here on exempts a memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """The rules in force: half-life in days, the rest in 0-1."""

    enabled: bool
    half_life_days: float = 30.0
    min_importance: float = 0.1
    prune_threshold: float = 0.05


def exempt(memory: Memory) -> bool:
    """Whether `memory` never fades: a rule, a preference, pinned, very sure or important; low trust always does."""
    matters = (
        memory.memory_type in RULE_TYPES
        or memory.pinned
        or memory.confidence >= MATTERS
        or memory.importance >= MATTERS
    )
    return matters and memory.trust is not Trust.LOW


def retained(memory: Memory, accessed: str, now: str, decay: Decay) -> float:
    """What is left of the confidence: confidence x 0.5^(days since `accessed` / half-life), in 0-1.

    `accessed` is the later of last access and last update. An exempt memory retains all, so does every memory
    while decay is off.
    """
    if not decay.enabled or exempt(memory):
        return memory.confidence
    return left(memory.confidence, days_between(accessed, now), decay.half_life_days)


def left(confidence: Numbers, days: Numbers, half_life_days: float) -> Numbers:
    """What is left of a confidence, or of many, after `days`."""
    return cast("Numbers", confidence * 0.5 ** (days / half_life_days))


def faded(memory: Memory, kept: float, decay: Decay) -> bool:
    """Whether reads hide `memory` and prune archives it, given what it has `kept`."""
    return decay.enabled and not exempt(memory) and kept <= decay.prune_threshold + TOLERANCE


def decayed_importance(kept: float, decay: Decay) -> float:
    """What ranking uses: `kept`, but never less than the set minimum."""
    return max(kept, decay.min_importance)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active memory that prune looks at, with what it has retained."""

    memory: Memory
    kept: float


def plan_prune(candidates: Iterable[Candidate], decay: Decay, most: int | None) -> list[Candidate]:
    """What prune archives, the most faded first: all that has faded, then the weakest above a cap of `most`.

    The cap is applied only when given while decay is on; rules, and whatever is exempt, do not count towards it.
    """
    ordered = sorted(candidates, key=lambda c: (c.kept, c.memory.updated_at, c.memory.id))
    gone = [c for c in ordered if faded(c.memory, c.kept, decay)]
    if most is None or not decay.enabled:
        return gone
    out = {c.memory.id for c in gone}
    counted = [c for c in ordered if c.memory.id not in out and _counts(c.memory)]
    return gone + counted[: max(0, len(counted) - most)]


def _counts(memory: Memory) -> bool:
    return memory.memory_type not in RULE_TYPES and not exempt(memory)

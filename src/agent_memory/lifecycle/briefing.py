"""What an agent is told at the start of a session: the rules that stand, and what else is known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..models.identity import approval_digest
from ..models.memory import Memory
from ..models.vocabulary import MemoryType, Scope, Trust

RULE_TYPES: Final = frozenset((MemoryType.RULE, MemoryType.PREFERENCE))
"""What a person can make standing, unless the settings say otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefLimits:
    """How much a brief shows: memories and characters a block, characters a memory; 0 memories turn a block off."""

    rules: int = 20
    rule_characters: int = 4_000
    digest: int = 10
    digest_characters: int = 3_000
    each_characters: int = 240


DEFAULT_LIMITS: Final = BriefLimits()


@dataclass(frozen=True, slots=True)
class Briefing:
    """Both blocks, best first, over all memories; no memory stands in both."""

    rules: Sequence[Memory]
    digest: Sequence[Memory]


def stands(memory: Memory, types: frozenset[MemoryType] = RULE_TYPES) -> bool:
    """Whether `memory` directs an agent: a rule that a person wrote or approved as it is, of no single session.

    An approval is of one text in one place: once text, type, project or scope are others, it stands no more.
    Text of low trust never does.
    """
    if memory.memory_type not in types or memory.scope is Scope.SESSION or memory.trust is Trust.LOW:
        return False
    return memory.trust is Trust.HIGH or is_approved(memory)


def is_approved(memory: Memory) -> bool:
    """Whether a person approved `memory` as it is now."""
    return memory.approval is not None and memory.approval.digest == approval_digest(memory)


def brief(memories: Iterable[Memory], types: frozenset[MemoryType] = RULE_TYPES) -> Briefing:
    """Sort `memories` into rules and the rest, the most important first, then the newest, then by id."""
    by_id = sorted(memories, key=lambda memory: memory.id)
    newest = sorted(by_id, key=lambda memory: memory.updated_at, reverse=True)
    ordered = sorted(newest, key=lambda memory: memory.importance, reverse=True)
    standing = {memory.id for memory in ordered if stands(memory, types)}
    return Briefing([m for m in ordered if m.id in standing], [m for m in ordered if m.id not in standing])


def fit(texts: Sequence[str], most: int, characters: int) -> list[int]:
    """The places of the first `most` of `texts` that fit together into `characters`; too long ones are passed over."""
    chosen: list[int] = []
    left = characters
    for place, text in enumerate(texts):
        if len(chosen) == most:
            break
        if len(text) <= left:
            chosen.append(place)
            left -= len(text)
    return chosen

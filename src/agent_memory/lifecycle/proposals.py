"""What a proposal is held against, and what a memory becomes when a person decides about one."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from ..models.identity import fold
from ..models.memory import Memory
from ..models.vocabulary import MemoryType, Scope
from .merge import merge_patch
from .scope import Reach
from .visibility import is_shared

CORRECTION: Final = ("agentDid", "verdict")
"""Of a correction, what the agent did and what it was told: kept in the metadata of the memory that comes of it."""
CORRECTION_LENGTH: Final = 120
_MOST: Final = 50


def covers(there: Memory, new: Memory, reach: Reach, rule_types: Collection[MemoryType]) -> bool:
    """Whether `there` exists for all for whom `new` would, and directs agents where `new` would.

    Only then can it make `new` needless. `reach` is that of the writer of `new`.
    """
    if new.memory_type in rule_types and there.memory_type not in rule_types:
        return False
    if reach.scope_of(there) is Scope.SESSION:
        return reach.scope_of(new) is Scope.SESSION and there.session_id == new.session_id
    return is_shared(there) or (there.project_id == new.project_id and new.scope is not Scope.GLOBAL)


def shorten_correction(memory: Memory) -> Memory:
    """`memory` with what its metadata says of a correction cut to 120 characters each."""
    said = {name: memory.metadata[name] for name in CORRECTION if isinstance(memory.metadata.get(name), str)}
    long = {name: text for name, text in said.items() if len(text) > CORRECTION_LENGTH}
    if not long:
        return memory
    short = {name: f"{text[: CORRECTION_LENGTH - 1].rstrip()}…" for name, text in long.items()}
    return replace(memory, metadata={**memory.metadata, **short})


def added(candidate: Memory, *, everywhere: bool) -> Memory:
    """The memory that a candidate becomes; `everywhere`: of every project and session."""
    if not everywhere:
        return candidate
    return replace(candidate, scope=Scope.GLOBAL, project_id=None, session_id=None)


def merged(memory: Memory, candidate: Memory) -> Memory:
    """`memory` with what `candidate` says more behind it."""
    mine, theirs = fold(memory.content), fold(candidate.content)
    content = f"{memory.content}\n\n{candidate.content}"
    if theirs in mine or mine in theirs:
        content = memory.content if theirs in mine else candidate.content
    return replace(
        memory,
        content=content,
        tags=_union(memory.tags, candidate.tags),
        related_urls=_union(memory.related_urls, candidate.related_urls),
        confidence=max(memory.confidence, candidate.confidence),
        importance=max(memory.importance, candidate.importance),
        metadata={**candidate.metadata, **memory.metadata, **_correction(candidate)},
    )


def updated(memory: Memory, candidate: Memory) -> Memory:
    """`memory` with the text of `candidate`, and whatever else it says that is not as when nothing is said."""
    bare = Memory(id="", content="", title="", created_at="", updated_at="")
    names = ("url", "site", "memory_type", "tags", "confidence", "importance", "category", "related_urls")
    said = {name: value for name in names if (value := getattr(candidate, name)) != getattr(bare, name)}
    return replace(
        memory,
        content=candidate.content,
        title=candidate.title,
        metadata=merge_patch(memory.metadata, candidate.metadata),
        **said,
    )


def _correction(candidate: Memory) -> dict[str, Any]:
    return {name: candidate.metadata[name] for name in CORRECTION if name in candidate.metadata}


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))[:_MOST]

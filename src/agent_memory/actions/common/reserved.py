"""Names that answers use for what the product itself says of a memory: no unknown field of an import may have one."""

from collections.abc import Mapping
from typing import Any, Final
from unicodedata import normalize

from ...models.memory import Memory

_SAID: Final = (
    *("supersededBy", "possiblyUpdatedBy", "reinforced", "collapsed", "conflicts", "revision", "state", "unapproved"),
    *("score", "reasons", "matchedTerms", "explain", "tokens", "contentTruncated", "verdict", "rank", "citation"),
)
"""What answers add to a record. Not decayedImportance: records of the original Actor carry one of their own."""
_STANDING: Final = (
    *("trust", "trusted", "isTrusted", "trustLevel", "source", "channel", "pinned", "isPinned", "archived", "echo"),
    *("approval", "approve", "approved", "isApproved", "approvedBy", "approvedAt", "verified", "verifiedBy"),
    *("stands", "standing", "isRule", "scope", "supersedes", "writer", "toolCallId"),
)
"""What would pass for standing in a spelling of its own (`Trust`, `is_approved`); in ours it is no unknown field."""
_LONGEST: Final = 60


def _folded(name: str) -> str:
    return "".join(char for char in normalize("NFKC", name).casefold() if char.isalnum())


_NAMES: Final = frozenset(map(_folded, (*_SAID, *_STANDING)))


def is_reserved(name: str) -> bool:
    """Whether `name` says something that only the product says, however it is spelt."""
    return _folded(name) in _NAMES


def without_reserved(extra: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
    """`extra` without reserved names, itself when there is none, and those names as a warning may show them."""
    left_out = [name for name in extra if is_reserved(name)]
    kept = {name: value for name, value in extra.items() if name not in left_out} if left_out else extra
    return kept, [name if name.isascii() and name.isprintable() else _folded(name) for name in left_out]


def told(memory: Memory, names: list[str]) -> list[str]:
    """What to say of the names that were left out of `memory`."""
    if not names:
        return []
    shown = ", ".join(name[:_LONGEST] for name in names)
    return [f"{memory.id}: {shown} left out, since only this service says such things of a memory"]

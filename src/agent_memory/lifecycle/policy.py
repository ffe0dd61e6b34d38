"""What the settings decide about memories, where a request does not."""

from dataclasses import dataclass
from typing import Final

from ..models.vocabulary import MemoryType
from .briefing import DEFAULT_LIMITS, RULE_TYPES, BriefLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the settings decide of scopes and rules.

    `strict_scopes` derives the scope of a memory without one from its ids; `rule_types` can stand as rules;
    `brief_limits` hold when a request does not say. `tool_decisions`: a tool call may settle what is for a person.
    """

    strict_scopes: bool = False
    rule_types: frozenset[MemoryType] = RULE_TYPES
    brief_limits: BriefLimits = DEFAULT_LIMITS
    tool_decisions: bool = False


DEFAULT_POLICY: Final = Policy()

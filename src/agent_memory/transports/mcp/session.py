"""Who talks to the MCP server and what stands in for what they do not say; light, so that a server can answer early."""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, get_args

if TYPE_CHECKING:
    from ...actions.base import Progress

Toolset: TypeAlias = Literal["core", "all", "original"]
Answers: TypeAlias = Literal["short", "full"]
TOOLSETS: Final[tuple[Toolset, ...]] = get_args(Toolset)
ANSWERS: Final[tuple[Answers, ...]] = get_args(Answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What stands in where an agent names no store or no project."""

    store: str | None = None
    project: str | None = None


class Ask(Protocol):
    """Carries out an action for whoever holds the session."""

    def __call__(
        self, name: str, payload: Mapping[str, Any], *, progress: "Progress | None"
    ) -> Awaitable[dict[str, Any]]:
        """The body of the answer; raises a MemoryServiceError for what the caller can mend."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation, or one request where the protocol has no conversations.

    `decisions`: with all tools also those for what a person decides.
    """

    ask: Ask
    defaults: Defaults = Defaults()
    tools: Toolset = "core"
    answers: Answers = "short"
    decisions: bool = False

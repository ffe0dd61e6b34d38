"""Scopes: a memory of a project or of a session exists only for callers who name that project or session."""

from dataclasses import dataclass

from ..models.memory import Memory
from ..models.vocabulary import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where a caller stands. `strict`: a memory without a scope gets the narrowest that its ids allow."""

    projects: frozenset[str] = frozenset()
    session_id: str | None = None
    strict: bool = False

    def admits(self, memory: Memory) -> bool:
        """Whether `memory` exists for the caller."""
        match self.scope_of(memory) or Scope.GLOBAL:
            case Scope.SESSION:
                return memory.session_id is not None and memory.session_id == self.session_id
            case Scope.PROJECT:
                return memory.project_id in self.projects
            case Scope.GLOBAL:
                return True

    def scope_of(self, memory: Memory) -> Scope | None:
        """Where `memory` exists; None when its writer did not say and nothing has to be derived."""
        return memory.scope or (_narrowest(memory) if self.strict else None)


def _narrowest(memory: Memory) -> Scope:
    if memory.session_id is not None:
        return Scope.SESSION
    return Scope.GLOBAL if memory.project_id is None else Scope.PROJECT

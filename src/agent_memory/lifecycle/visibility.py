"""Which memories a read may look at: the project rule, the caller's filters, and decay."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..models.memory import Memory
from ..models.vocabulary import Scope
from .scope import Reach


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a caller narrows a read to; None or empty means no limit. Instants bound `updatedAt`, both inclusive.

    `projects` also lets through every memory without a project, or of global scope. `tags` and `memory_types` match
    any of theirs.
    """

    reach: Reach = field(default_factory=Reach)
    projects: frozenset[str] | None = None
    session_id: str | None = None
    memory_types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    category: str | None = None
    since: str | None = None
    until: str | None = None
    include_archived: bool = False

    def admits(self, memory: Memory) -> bool:
        """Whether `memory` passes every limit."""
        return (
            self.reach.admits(memory)
            and (self.projects is None or is_shared(memory) or memory.project_id in self.projects)
            and (self.session_id is None or memory.session_id == self.session_id)
            and (not self.memory_types or memory.memory_type.value in self.memory_types)
            and (not self.tags or any(tag.casefold() in self.tags for tag in memory.tags))
            and (self.category is None or (memory.category or "").casefold() == self.category.casefold())
            and (self.since is None or memory.updated_at >= self.since)
            and (self.until is None or memory.updated_at <= self.until)
        )

    def whole(self) -> "Filter":
        """What the same caller can see of its projects, archived or not, however little it asks for."""
        return Filter(reach=self.reach, projects=self.projects, include_archived=True)


def is_shared(memory: Memory) -> bool:
    """Whether `memory` is of every project."""
    return memory.project_id is None or memory.scope is Scope.GLOBAL


def fold_tags(tags: Iterable[str] | None) -> frozenset[str]:
    """Tags as `Filter` compares them: without regard to case."""
    return frozenset(tag.casefold() for tag in tags or ())

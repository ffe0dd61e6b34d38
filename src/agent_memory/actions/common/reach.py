"""Which memories exist for the caller of an action."""

from dataclasses import replace
from typing import Final

from ...lifecycle.scope import Reach
from ...models.memory import Memory
from ...models.vocabulary import State
from ...store.resolve import Head
from ...store.snapshot import Snapshot
from ..base import Context
from ..objects import SearchOptions

SEARCH_FIRST: Final = "Search for it first; what is of one project alone also needs its projectId."
"""What to say of an id that was not found, whether it is there or not."""


def reach_of(
    context: Context, project_id: str | None, session_id: str | None, options: SearchOptions | None = None
) -> Reach:
    """The reach of a caller who names a project and a session; `options` may name more projects."""
    named = (project_id, options.project_id, *(options.project_ids or ())) if options else (project_id,)
    return Reach(
        projects=frozenset(name for name in named if name is not None),
        session_id=session_id,
        strict=context.policy.strict_scopes,
    )


def told(memory: Memory, snapshot: Snapshot, reach: Reach) -> Memory:
    """`memory` as it may be shown to this caller: without the id of a superseded one that is out of reach."""
    older = snapshot.heads.get(memory.supersedes or "")
    return memory if older is None or reach.admits(older.memory) else replace(memory, supersedes=None)


def may_name(memory_id: str, snapshot: Snapshot, reach: Reach, context: Context) -> bool:
    """Whether what looks after a whole store may name this id: it is in reach, or a person asks."""
    head = snapshot.heads.get(memory_id)
    return context.may_approve or head is None or reach.admits(head.memory)


def find(snapshot: Snapshot, memory_id: str, reach: Reach) -> Head | None:
    """The head of `memory_id` unless there is none, or none that a read may show to this caller."""
    head = known(snapshot, memory_id, reach)
    return None if head is None or head.state.hidden else head


def known(snapshot: Snapshot, memory_id: str, reach: Reach) -> Head | None:
    """The head of `memory_id`, a forgotten one too, unless it was purged or does not exist for this caller."""
    head = proposed(snapshot, memory_id, reach)
    return None if head is None or head.state.queued else head


def proposed(snapshot: Snapshot, memory_id: str, reach: Reach) -> Head | None:
    """As `known`, and also what was only proposed to become a memory."""
    head = snapshot.heads.get(memory_id)
    return None if head is None or head.state is State.PURGED or not reach.admits(head.memory) else head

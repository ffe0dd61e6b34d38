"""From an item that somebody sends to the memory that it makes, with as much trust as it deserves."""

from collections.abc import Collection

from ...models.memory import Memory
from ...store.snapshot import Snapshot
from ..base import Context
from ..objects import MemoryDetails, MemoryItem
from .echo import Echo
from .low_texts import distrust
from .reach import reach_of
from .succession import require_older, tell_without_effect
from .writing import make_memory


def compose(  # noqa: PLR0913  # what came, and all that it is held against
    item: MemoryItem,
    memory_id: str,
    echo: Echo | None,
    snapshot: Snapshot,
    context: Context,
    warnings: list[str],
    low: Collection[str] = (),
) -> Memory:
    """The memory that `item` makes, or proposes; `echo` is what came with it of what is stored.

    `low` are folded texts of the same request that are of low trust wherever.

    Raises:
        InvalidRequestError, NotFoundError: its scope lacks an id; it supersedes itself or what is not there.
    """
    details = item.memory_details or MemoryDetails()
    reach = reach_of(context, item.project_id, item.session_id)
    require_older(snapshot, details.supersedes, memory_id, reach)
    memory = make_memory(
        memory_id=memory_id,
        content=item.content,
        url=item.url,
        project_id=item.project_id,
        session_id=item.session_id,
        details=details,
        context=context,
        warnings=warnings,
    )
    memory = echo.mark(memory) if echo else memory
    memory = distrust(memory, snapshot, reach, warnings, low)
    tell_without_effect(memory, snapshot, reach, warnings)
    return memory

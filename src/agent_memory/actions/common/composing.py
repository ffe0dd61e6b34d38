"""From an item that somebody sends to the memory that it makes, with as much trust as it deserves."""

from collections.abc import Collection

from ...models.memory import Memory
from ...store.snapshot import Snapshot
from ..base import Context
from ..objects import MemoryDetails, MemoryItem
from .echo import Echo
from .low_texts import distrust
from .reach import reach_of
from .succession import Keyed, no_key, older_of, tell_without_effect
from .writing import make_memory


def compose(  # noqa: PLR0913  # what came, and all that it is held against
    item: MemoryItem,
    memory_id: str,
    echo: Echo | None,
    snapshot: Snapshot,
    context: Context,
    warnings: list[str],
    low: Collection[str] = (),
    keyed: Keyed = no_key,
) -> Memory:
    """The memory that `item` makes, or proposes; `echo` is what came with it of what is stored.

    `low` are folded texts of the same request that are of low trust wherever. `keyed` knows what keys stand for.

    Raises:
        InvalidRequestError, NotFoundError: its scope lacks an id; it supersedes itself or what is not there.
    """
    details = item.memory_details or MemoryDetails()
    reach = reach_of(context, item.project_id, item.session_id)
    older = older_of(details.supersedes, memory_id, snapshot, reach, keyed)
    if older is not None:
        details = details.model_copy(update={"supersedes": older.id})
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
    tell_without_effect(memory, older, warnings)
    return memory

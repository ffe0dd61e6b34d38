"""Removes every stored byte of what was purged, wherever a late or concurrent writer has put it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from ..errors import IncompleteError
from ..models.vocabulary import State
from .codec import STUB, moved, without_memories
from .keys import segment_key, segment_time
from .kv import KeyValue
from .loading import unpack
from .snapshot import Snapshot, build


async def scrub(kv: KeyValue, snapshot: Snapshot, now: Callable[[], datetime], new_id: Callable[[], str]) -> Snapshot:
    """Overwrite and delete single keys of purged memories, and write segments that hold them anew without them.

    A segment's old key keeps a note of where its rows went, for readers that have already listed it.
    """
    purged = {i for i, head in snapshot.heads.items() if head.state is State.PURGED}
    remnants = {
        str(stored.key) for i in purged for stored in snapshot.revisions[i] if stored.revision.state is not State.PURGED
    }
    layout = snapshot.layout
    singles = ((layout.loose | layout.covered) & remnants) | layout.stubs
    for key in sorted(singles):
        await kv.set(key, STUB)
        await kv.delete(key)
    segments = dict(layout.segments)
    for name in [name for name, rows in segments.items() if remnants.intersection(rows)]:
        keep = [key for key in segments.pop(name) if key not in remnants]
        fresh = await _rewrite(kv, name, set(keep), purged, segment_key(int(now().timestamp() * 1000), new_id()))
        segments |= {fresh: tuple(keep)} if fresh else {}
    return build(
        (stored for stored in snapshot.stored() if str(stored.key) not in remnants),
        damaged=snapshot.damaged,
        access=snapshot.access,
        layout=replace(
            layout,
            loose=layout.loose - singles,
            covered=layout.covered - singles,
            segments=segments,
            stubs=frozenset[str](),
        ),
    )


async def _rewrite(kv: KeyValue, name: str, keep: set[str], purged: set[str], fresh: str) -> str | None:
    """Put a note in place of the segment `name`, and what is left of it under `fresh`; None when nothing is.

    Raises:
        IncompleteError: what must be kept was not all there when the segment was read again; nothing was changed.
    """
    value = await kv.get(name) or b""
    if not keep.issubset(unpack({name: value}).segments.get(name, ())):
        message = f"{name} could not be read again in full, so it was left as it is. Try again."
        raise IncompleteError(message)
    left = without_memories(value, purged)
    if left:
        await kv.set(fresh, left)
    await kv.set(name, moved([fresh] if left else [], segment_time(fresh) or 0))
    return fresh if left else None

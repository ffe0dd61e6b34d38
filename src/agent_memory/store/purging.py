"""Removes every stored byte of what was purged, wherever a late or concurrent writer has put it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from ..models.vocabulary import State
from .codec import STUB, moved, without_memories
from .keys import segment_key
from .kv import KeyValue
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
        rows = segments.pop(name)
        fresh = await _rewrite(kv, name, purged, now, new_id)
        segments |= {fresh: tuple(key for key in rows if key not in remnants)} if fresh else {}
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


async def _rewrite(
    kv: KeyValue, name: str, purged: set[str], now: Callable[[], datetime], new_id: Callable[[], str]
) -> str | None:
    """Put a note in place of the segment `name`; the name of the segment that holds what is left of it."""
    left = without_memories(await kv.get(name) or b"", purged)
    milliseconds = int(now().timestamp() * 1000)
    fresh = segment_key(milliseconds, new_id()) if left else None
    if fresh and left:
        await kv.set(fresh, left)
    await kv.set(name, moved([fresh] if fresh else [], milliseconds))
    return fresh

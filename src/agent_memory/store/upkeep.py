"""Keeps the number of keys small: packing single keys, merging small segments, deleting what stands elsewhere.

Segments only ever repeat revisions, and nothing is deleted before a newer segment that holds it has been there for a
day and was read once more. A segment of which something cannot be read stays as it is. So packing, merging and
sweeping may overlap with each other and with any writer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from .codec import SEGMENT_BYTES, Stored, encode_segment, split
from .keys import parse_revision_key, segment_key, segment_time
from .kv import KeyValue
from .loading import unpack
from .snapshot import Snapshot

PACK_FROM: Final = 64
COVERED_FOR_MS: Final = 24 * 3600 * 1000
SMALL_BYTES: Final = SEGMENT_BYTES // 2

Clock = Callable[[], datetime]
Ids = Callable[[], str]


async def write_segments(kv: KeyValue, stored: Sequence[Stored], now: Clock, new_id: Ids) -> dict[str, tuple[str, ...]]:
    """Write `stored` as segments; the keys of revisions by the name of their segment."""
    written: dict[str, tuple[str, ...]] = {}
    for group in split(stored):
        name = segment_key(int(now().timestamp() * 1000), new_id())
        await kv.set(name, encode_segment(group))
        written[name] = tuple(str(one.key) for one in group)
    return written


async def pack(kv: KeyValue, snapshot: Snapshot, now: Clock, new_id: Ids) -> Snapshot:
    """Copy the loose revisions into a segment once there are many."""
    layout = snapshot.layout
    if len(layout.loose) < PACK_FROM:
        return snapshot
    ids = dict.fromkeys(key.memory_id for loose in sorted(layout.loose) if (key := parse_revision_key(loose)))
    picked = [s for i in ids for s in snapshot.revisions.get(i, ()) if str(s.key) in layout.loose]
    written = await write_segments(kv, picked, now, new_id)
    packed = frozenset(str(stored.key) for stored in picked)
    layout = replace(
        layout,
        loose=layout.loose - packed,
        covered=layout.covered | packed,
        segments={**layout.segments, **written},
    )
    return replace(snapshot, layout=layout)


async def merge(kv: KeyValue, snapshot: Snapshot, now: Clock, new_id: Ids) -> Snapshot:
    """Write small segments and loose revisions once more as one; the old keys stay until they are swept."""
    layout = snapshot.layout
    sizes = {str(stored.key): stored.size for stored in snapshot.stored()}
    whole = layout.segments.keys() - layout.impaired
    live = {name for name in whole if _newer_holders(name, layout.segments) is None}
    small = [name for name in live if sum(sizes[key] for key in layout.segments[name]) < SMALL_BYTES]
    loose = {key for key in layout.loose if key in sizes}
    if len(small) + len(loose) < 2:  # noqa: PLR2004  # one alone has nothing to merge with
        return snapshot
    wanted = loose.union(*(layout.segments[name] for name in small))
    written = await write_segments(kv, [s for s in snapshot.stored() if str(s.key) in wanted], now, new_id)
    layout = replace(
        layout,
        loose=layout.loose - loose,
        covered=layout.covered | loose,
        segments={**layout.segments, **written},
    )
    return replace(snapshot, layout=layout)


async def sweep(kv: KeyValue, snapshot: Snapshot, now: Clock) -> int:
    """Delete single keys and segments that newer segments have held for a day, after reading those once more.

    Returns how many keys were deleted.
    """
    layout = snapshot.layout
    oldest = int(now().timestamp() * 1000) - COVERED_FOR_MS
    ripe = {name for name in layout.segments.keys() - layout.impaired if (segment_time(name) or 0) <= oldest}
    settled = {name: rows for name, rows in layout.segments.items() if name in ripe}
    holders = {name: held for name in settled if (held := _newer_holders(name, settled))}
    singles = {key for rows in settled.values() for key in rows if key in layout.covered}
    gone = [name for name, at in layout.moved.items() if at <= oldest]
    again = unpack(await kv.get_many(name for name in sorted(ripe) if name not in holders))
    gone += [key for key in sorted(singles) if key in again.stored]
    gone += [name for name in sorted(holders) if all(key in again.stored for key in settled[name])]
    for key in gone:
        await kv.delete(key)
    return len(gone)


def _newer_holders(name: str, segments: Mapping[str, tuple[str, ...]]) -> set[str] | None:
    """The newer segments that together hold all that `name` holds; None when something stands only in `name`."""
    holders = {other: set(rows) for other, rows in segments.items() if other > name}
    held = {key for rows in holders.values() for key in rows}
    return set(holders) if set(segments[name]) <= held else None

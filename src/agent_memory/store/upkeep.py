"""Keeps the number of keys small: packing single keys, merging small segments, deleting what stands elsewhere.

Segments only ever repeat revisions, and nothing is deleted before a newer segment that holds it has been there for a
day and was read once more. A segment of which something cannot be read stays as it is. So packing, merging and
sweeping may overlap with each other and with any writer.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from math import inf
from typing import Final

from .aside import aside
from .codec import SEGMENT_BYTES, Stored, encode_segment, row_size, split
from .keys import segment_key, segment_time
from .kv import KeyValue
from .loading import unpack
from .snapshot import Snapshot

PACK_FROM: Final = 64
COVERED_FOR_MS: Final = 24 * 3600 * 1000
SMALL_BYTES: Final = SEGMENT_BYTES // 2
_FULL: Final = SEGMENT_BYTES * 9 // 10
_GROWTH: Final = 4

Clock = Callable[[], datetime]
Ids = Callable[[], str]


async def write_segments(kv: KeyValue, stored: Sequence[Stored], now: Clock, new_id: Ids) -> dict[str, tuple[str, ...]]:
    """Write `stored` as segments; the keys of revisions by the name of their segment."""
    return await _write(kv, list(split(stored)), {}, now, new_id)


async def pack(
    kv: KeyValue, snapshot: Snapshot, now: Clock, new_id: Ids, fresh: AbstractSet[str] = frozenset()
) -> Snapshot:
    """What a writer does after its commit: copy the loose revisions into a segment once there are many.

    They, and the segments that it has just written, `fresh`, are put together with others that are not much larger. So
    few segments must be read, and a row is written again only where what stands beside it grows by a quarter or more.
    """
    loose = snapshot.layout.loose if len(snapshot.layout.loose) >= PACK_FROM else frozenset[str]()
    if not loose and not fresh:
        return snapshot
    return await _condense(kv, snapshot, loose, now, new_id, beside=fresh, growth=_GROWTH)


async def merge(kv: KeyValue, snapshot: Snapshot, now: Clock, new_id: Ids) -> Snapshot:
    """Write small segments and loose revisions once more as few; the old keys stay until they are swept."""
    return await _condense(kv, snapshot, snapshot.layout.loose, now, new_id)


async def _condense(  # noqa: PLR0913  # one job for a writer, who says more, and for a prune
    kv: KeyValue,
    snapshot: Snapshot,
    loose: AbstractSet[str],
    now: Clock,
    new_id: Ids,
    *,
    beside: AbstractSet[str] = frozenset(),
    growth: float = inf,
) -> Snapshot:
    """Write `loose` and the segments that are worth it as new segments, where that leaves fewer keys to read."""
    layout = snapshot.layout
    plan = await aside(len(snapshot.revisions), lambda: _plan(snapshot, loose, beside, growth))
    if len(plan.groups) >= len(plan.instead_of) + len(plan.single):
        return snapshot
    written = await _write(kv, plan.groups, plan.instead_of, now, new_id)
    layout = replace(
        layout,
        loose=layout.loose.difference(plan.single),
        covered=layout.covered.union(plan.single),
        segments={**layout.segments, **written},
    )
    return replace(snapshot, layout=layout)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The rows of each segment to write, instead of which segments with which rows, and of which `single` keys."""

    groups: list[list[Stored]]
    instead_of: dict[str, tuple[str, ...]]
    single: list[str]


def _plan(snapshot: Snapshot, loose: AbstractSet[str], beside: AbstractSet[str], growth: float) -> _Plan:
    layout = snapshot.layout
    stored = {str(one.key): one for one in snapshot.stored()}
    whole = {name: rows for name, rows in layout.segments.items() if name not in layout.impaired}
    sizes = {name: sum(row_size(stored[key]) for key in whole[name]) for name in whole.keys() - held_by_newer(whole)}
    single = [key for key in stored if key in loose]
    own = sum(row_size(stored[key]) for key in single)
    names = _worth_merging(sizes, own, beside, growth)
    rows = dict.fromkeys(chain.from_iterable(whole[name] for name in names)) | dict.fromkeys(single)
    return _Plan(list(split(stored[key] for key in rows)), {name: whole[name] for name in names}, single)


def _worth_merging(sizes: Mapping[str, int], own: int, fresh: AbstractSet[str], growth: float) -> list[str]:
    """Which segments, of so many bytes, to write anew together with `own` bytes and the `fresh` ones; largest first.

    The smaller ones, and one more that has room, as long as none is more than `growth` times as large as what is there.
    """
    picked = [name for name in fresh if sizes.get(name, _FULL) < _FULL]
    total = own + sum(sizes[name] for name in picked)
    for name in sorted(sizes.keys() - fresh, key=lambda name: (sizes[name], name)):
        if sizes[name] >= _FULL or (growth < inf and sizes[name] > growth * total):
            break
        picked.append(name)
        total += sizes[name]
        if sizes[name] >= SMALL_BYTES:
            break
    return sorted(picked, key=lambda name: (-sizes[name], name))


async def _write(
    kv: KeyValue,
    groups: Sequence[Sequence[Stored]],
    instead_of: Mapping[str, tuple[str, ...]],
    now: Clock,
    new_id: Ids,
) -> dict[str, tuple[str, ...]]:
    """Write each group as a segment that says in its name which ones, of these rows, need not be read any more."""
    place = {str(one.key): number for number, group in enumerate(groups) for one in group}
    reach = {name: {place[key] for key in rows} for name, rows in instead_of.items()}
    written: dict[str, tuple[str, ...]] = {}
    before: str | None = None
    for number, group in enumerate(groups):
        replaced = [name for name, at in reach.items() if max(at) == number and min(at) >= number - 1]
        beside = before if any(min(reach[name]) < number for name in replaced) else None
        before = segment_key(int(now().timestamp() * 1000), new_id(), instead_of=replaced, beside=beside)
        await kv.set(before, encode_segment(group))
        written[before] = tuple(str(one.key) for one in group)
    return written


async def sweep(kv: KeyValue, snapshot: Snapshot, now: Clock) -> int:
    """Delete single keys and segments that newer segments have held for a day, after reading those once more.

    Returns how many keys were deleted.
    """
    layout = snapshot.layout
    oldest = int(now().timestamp() * 1000) - COVERED_FOR_MS
    ripe = {name for name in layout.segments.keys() - layout.impaired if (segment_time(name) or 0) <= oldest}
    settled = {name: rows for name, rows in layout.segments.items() if name in ripe}
    held = held_by_newer(settled)
    singles = {key for rows in settled.values() for key in rows if key in layout.covered}
    gone = [name for name, at in layout.moved.items() if at <= oldest]
    again = unpack(await kv.get_many(name for name in sorted(ripe) if name not in held))
    gone += [key for key in sorted(singles) if key in again.stored]
    gone += [name for name in sorted(held) if all(key in again.stored for key in settled[name])]
    for key in gone:
        await kv.delete(key)
    return len(gone)


def held_by_newer(segments: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Those of `segments` all of whose rows stand in newer ones, too."""
    held, seen = set[str](), set[str]()
    for name in sorted(segments, reverse=True):
        if seen.issuperset(segments[name]):
            held.add(name)
        seen.update(segments[name])
    return held

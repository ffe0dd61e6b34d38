"""Looking once more, after a write, at what others have written to the same memory meanwhile."""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from .keys import REVISION_PREFIX
from .kv import KeyValue
from .loading import LISTINGS, Contents, read_segments, take_singles, unpack
from .snapshot import Snapshot


async def with_news_of(kv: KeyValue, snapshot: Snapshot, memory_id: str) -> Snapshot:
    """`snapshot` with what others have added to `memory_id`, or in bulk, by the listing that followed its commit.

    What a purge has taken away since then is looked for in a new listing, until nothing is missing or nothing changes.
    """
    layout, prefix = snapshot.layout, f"{REVISION_PREFIX}{memory_id}."
    known = {str(stored.key) for stored in snapshot.revisions.get(memory_id, ())} | layout.segments.keys()
    contents, singles = Contents(), frozenset[str]()
    keys, before = snapshot.listed or await _list(kv), frozenset[str]()
    for _ in range(LISTINGS):
        new = keys - known - layout.moved.keys() - layout.passed_over
        singles = frozenset(key for key in new if key.startswith(prefix))
        contents, whole = await _read(kv, new, singles)
        if whole:
            break
        before, keys = keys, await _list(kv)
        if keys == before:
            break
    if not contents.stored and not contents.damaged:
        return snapshot
    segments = {**layout.segments, **{name: tuple(rows) for name, rows in contents.segments.items()}}
    layout = replace(layout, loose=layout.loose | singles, segments=segments)
    return snapshot.plus(contents.stored.values(), layout, contents.damaged)


async def _list(kv: KeyValue) -> frozenset[str]:
    return frozenset([key async for key in kv.list_keys()])


async def _read(kv: KeyValue, keys: AbstractSet[str], singles: AbstractSet[str]) -> tuple[Contents, bool]:
    """What the segments among `keys` and the `singles` hold, and whether nothing of it was missing or purged."""
    read: dict[str, Contents | None] = {}
    contents = Contents()
    for name in await read_segments(kv, keys, read):
        contents.add(read[name] or unpack({name: None}))
    values = await kv.get_many(sorted(singles))
    take_singles(values, contents)
    return contents, None not in read.values() and None not in values.values() and not contents.stubs

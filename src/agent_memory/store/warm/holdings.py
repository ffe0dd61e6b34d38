"""What a warm store holds in memory, and how it follows what becomes of single keys.

The outcome is that of reading the whole storage anew (`loading.load`); only what the changed keys touch is looked at.
"""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from ...models.vocabulary import State
from ..codec import Stored
from ..derived import Lineage
from ..keys import RevisionKey, is_owner, parse_revision_key, segment_time
from ..loading import Contents, take_singles, unpack
from ..snapshot import Layout, Snapshot, build

Parts = Mapping[str, Contents | None]
"""What keys hold by now; None for a key that is gone."""


_REVISION_BYTES: Final = 2_500
_LINE_FACTOR: Final = 3
"""A revision's objects, its line and what is derived from it."""


def read_part(key: str, value: bytes | None) -> Contents:
    """What `key`, a segment or a single revision, holds."""
    if segment_time(key) is not None:
        return unpack({key: value})
    contents = Contents()
    take_singles({key: value}, contents)
    return contents


def _empty() -> Snapshot:
    return replace(build(()), lineage=Lineage())


@dataclass(slots=True)
class Holdings:
    """The newest snapshot, and what it was made from.

    `keys` are the revisions, segments and owner marks known to be there. `damage` says what cannot be read, by key, and
    `newer` what of it newer versions have written. `moved_to` says where the rows of segments stand now.
    `remnants` are the keys of content of purged memories, by id. `bytes` is about what all of it takes in memory.
    """

    snapshot: Snapshot = field(default_factory=_empty)
    keys: set[str] = field(default_factory=set[str])
    damage: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    newer: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    moved_to: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    remnants: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    bytes: int = 0

    def covered(self, key: str) -> bool:
        """Whether the revision under the single `key` stands in a segment, so that the key itself is not read."""
        return key not in self.snapshot.layout.loose and self.find(key) is not None

    def find(self, key: str) -> Stored | None:
        """The revision called `key`, if it is known."""
        parsed = parse_revision_key(key)
        return self._held(parsed) if parsed else None

    def _held(self, key: RevisionKey) -> Stored | None:
        return next((stored for stored in self.snapshot.revisions.get(key.memory_id, ()) if stored.key == key), None)

    def is_whole(self, settled: Callable[[], int]) -> bool:
        """Whether every segment that others were moved to since `settled` is there."""
        astray = [name for name, to in self.moved_to.items() if not self.keys.issuperset(to)]
        return not any(self.snapshot.layout.moved[name] > settled() for name in astray)

    def refuse_newer(self) -> None:
        """Raise ConflictError where a newer version has written what this one does not understand."""
        Contents(newer=[message for key in sorted(self.newer) for message in self.newer[key]]).refuse_newer()

    def unsettled(self) -> set[str]:
        """Keys whose value may change under the same name: damaged ones, and those with content of purged memories."""
        layout = self.snapshot.layout
        found = {*self.damage, *layout.stubs}
        if self.remnants:
            rows = frozenset[str]().union(*self.remnants.values())
            found |= {name for name, held in layout.segments.items() if not rows.isdisjoint(held)}
        return found

    def bared(self, parts: Parts) -> set[str]:
        """The single keys that no segment covers any more after `parts`, and that are not among them."""
        gone = self._rows_gone(parts)
        return (
            {key for key in gone - self._rows_after(parts) if key in self.keys and key not in parts} if gone else gone
        )

    def take(self, parts: Parts) -> None:
        """Follow what became of the keys of `parts`."""
        before = self.snapshot.layout
        self.keys.difference_update(key for key, part in parts.items() if part is None)
        self.keys.update(key for key, part in parts.items() if part is not None)
        segments = _segments_after(before, parts)
        doubtful = self._rows_gone(parts) | (
            {key for key, part in parts.items() if part is None or not part.stored} & before.loose
        )
        loose, covered = self._regrouped(parts) if doubtful else self._extended(parts)
        added = [
            stored
            for name, part in parts.items()
            if part and (name in loose or name in segments)
            for stored in part.stored.values()
            if self._held(stored.key) is None
        ]
        lost = frozenset[str]()
        if doubtful:
            kept = covered.union(loose - doubtful, *segments.values())
            kept |= {key for key in loose & doubtful if (part := parts.get(key)) and part.stored}
            lost = doubtful - kept
        self._note_damage(parts, loose)
        for name in parts.keys() & self.moved_to.keys():
            del self.moved_to[name]
        self.moved_to |= {n: tuple(to) for part in parts.values() if part for n, (to, _) in part.moved.items()}
        layout = Layout(
            loose=loose,
            covered=covered,
            segments=segments,
            moved={n: at for n, at in before.moved.items() if n not in parts}
            | {n: at for part in parts.values() if part for n, (_, at) in part.moved.items()},
            stubs=loose & before.stubs.difference(parts).union(*(part.stubs for part in parts.values() if part)),
            impaired=before.impaired.difference(parts).union(*(part.impaired for part in parts.values() if part)),
            owners=before.owners,
        )
        self._move_to(added, lost, layout)

    def mark_owners(self, there: Iterable[str], gone: Iterable[str]) -> None:
        """Follow which keys say whose store this is."""
        before = self.snapshot.layout.owners
        after = before.difference(gone).union(filter(is_owner, there))
        if after != before:
            self.keys = (self.keys - before) | after
            self.snapshot = replace(self.snapshot, layout=replace(self.snapshot.layout, owners=after))

    def _rows_gone(self, parts: Parts) -> set[str]:
        """What stood in the segments among `parts` before and does not stand in the same ones now."""
        segments = self.snapshot.layout.segments
        before = set[str]().union(*(segments[name] for name in parts if name in segments))
        return (
            before.difference(*(part.segments.get(name, ()) for name, part in parts.items() if part))
            if before
            else before
        )

    def _rows_after(self, parts: Parts) -> set[str]:
        return set[str]().union(*_segments_after(self.snapshot.layout, parts).values())

    def _extended(self, parts: Parts) -> tuple[frozenset[str], frozenset[str]]:
        """Which single keys stand alone and which in a segment too, when no segment has lost anything."""
        layout = self.snapshot.layout
        rows = set[str]().union(*(part.segments.get(name, ()) for name, part in parts.items() if part))
        singles = {key for key, part in parts.items() if part is not None and parse_revision_key(key)}
        covered = (rows & self.keys) | {key for key in singles if key in rows or self.covered(key)}
        gone = {key for key, part in parts.items() if part is None} & layout.covered
        loose = layout.loose - rows if rows else layout.loose
        news = covered - layout.covered
        return (
            loose | (singles - covered),
            (layout.covered - gone) | news if gone or news else layout.covered,
        )

    def _regrouped(self, parts: Parts) -> tuple[frozenset[str], frozenset[str]]:
        rows = self._rows_after(parts)
        singles = frozenset(filter(parse_revision_key, self.keys))
        return singles - rows, singles & rows

    def _note_damage(self, parts: Parts, loose: AbstractSet[str]) -> None:
        for key, part in parts.items():
            self.damage.pop(key, None)
            self.newer.pop(key, None)
            if part and part.damaged:
                self.damage[key] = tuple(part.damaged)
            if part and part.newer:
                self.newer[key] = tuple(part.newer)
        for key in [key for key in self.damage if key not in loose and segment_time(key) is None]:
            del self.damage[key]
            self.newer.pop(key, None)

    def _move_to(self, added: list[Stored], lost: AbstractSet[str], layout: Layout) -> None:
        before = self.snapshot
        damaged = tuple(message for key in sorted(self.damage) for message in self.damage[key])
        after = before.changed(added, lost, layout=layout, damaged=damaged)
        ids = {stored.key.memory_id for stored in added}
        ids |= {parsed.memory_id for key in lost if (parsed := parse_revision_key(key))}
        if ids and before.lineage:
            after = replace(after, lineage=before.lineage, number=before.lineage.advance(frozenset(ids)))
        self.snapshot = after
        for memory_id in ids:
            self.bytes += _bytes(after.revisions.get(memory_id, ())) - _bytes(before.revisions.get(memory_id, ()))
            head = after.heads.get(memory_id)
            left = [s for s in after.revisions.get(memory_id, ()) if s.revision.state is not State.PURGED]
            if head and head.state is State.PURGED and left:
                self.remnants[memory_id] = frozenset(str(stored.key) for stored in left)
            else:
                self.remnants.pop(memory_id, None)


def _bytes(group: Iterable[Stored]) -> int:
    return sum(_REVISION_BYTES + _LINE_FACTOR * stored.size for stored in group)


def _segments_after(layout: Layout, parts: Parts) -> Mapping[str, tuple[str, ...]]:
    if not any(name in layout.segments or (part and part.segments) for name, part in parts.items()):
        return layout.segments
    kept = {name: rows for name, rows in layout.segments.items() if name not in parts}
    return kept | {name: tuple(rows) for part in parts.values() if part for name, rows in part.segments.items()}

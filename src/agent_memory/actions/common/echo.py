"""A text that carries the frame of a pack: what this service has served, handed back to be stored."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...lifecycle.scope import Reach
from ...models.identity import fold
from ...models.memory import Memory
from ...models.vocabulary import Trust
from ...safety.provenance import lowered
from ...store.snapshot import Snapshot
from ...text.excerpt import parts
from ...text.unpack import Note, frames, without
from ...text.unpack_json import json_frames
from .reach import find


@dataclass(frozen=True, slots=True)
class Echo:
    """What is left of such a text: `rest` without frames and without what is stored, and the trust it came with.

    `known` is the first of the memories that it repeats.
    """

    rest: str
    trusts: tuple[Trust, ...]
    known: Memory | None

    def mark(self, memory: Memory) -> Memory:
        """`memory` as an echo: trusted no more than the least trusted note that came with it."""
        return replace(lowered(memory, self.trusts), echo=True)


def read_echo(content: str, snapshot: Snapshot, reach: Reach) -> Echo | None:
    """What `content` brings beside what is stored and the caller may see; None when it carries no frame."""
    found = tuple(sorted((*frames(content), *json_frames(content)), key=lambda frame: frame.start))
    if not found:
        return None
    notes = [note for frame in found for note in frame.notes]
    known = {place: memory for place, note in enumerate(notes) if (memory := _stored(note, snapshot, reach))}
    new = [note.content for place, note in enumerate(notes) if place not in known]
    rest = "\n\n".join(text for text in (without(content, found), *new) if text.strip())
    trusts = tuple(_trusts(note, known.get(place)) for place, note in enumerate(notes))
    return Echo(rest, trusts, next(iter(known.values()), None))


def _stored(note: Note, snapshot: Snapshot, reach: Reach) -> Memory | None:
    """The memory that `note` repeats: the one it names, if that still says so, else one of the same text."""
    text = fold(note.content)
    named = find(snapshot, note.id, reach) if note.id else None
    if named and all(fold(part).rstrip("…. ") in fold(named.memory.content) for part in parts(note.content)):
        return named.memory
    return next((m for m in _visible(snapshot, reach) if fold(m.content) == text), None)


def _visible(snapshot: Snapshot, reach: Reach) -> Iterable[Memory]:
    return (h.memory for h in snapshot.heads.values() if not h.state.hidden and reach.admits(h.memory))


def _trusts(note: Note, known: Memory | None) -> Trust:
    if known:
        return known.trust
    entry = note.entry
    return Trust(entry.trust) if entry and entry.trust in list(Trust) else Trust.LOW

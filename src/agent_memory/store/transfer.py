"""Which memories an export holds, and what of such an export a store still lacks."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..models.vocabulary import State
from .codec import Stored
from .export_line import lines_of
from .resolve import Head
from .snapshot import Snapshot

PIECE_BYTES: Final = 8_000_000


@dataclass(slots=True)
class Plan:
    """What an import adds, and the ids of memories by what becomes of them.

    `kept` are those that stay as they are here: the id has another history, or is purged.
    """

    added: list[Stored] = field(default_factory=list[Stored])
    created: list[str] = field(default_factory=list[str])
    updated: list[str] = field(default_factory=list[str])
    purged: list[str] = field(default_factory=list[str])
    unchanged: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])


def export_lines(snapshot: Snapshot, states: Collection[State]) -> Iterator[bytes]:
    """The lines of the memories in one of `states`, in commit order."""
    for memory_id, head in snapshot.heads.items():
        if head.state in states:
            yield from lines_of(head, snapshot.revisions[memory_id])


def pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """`lines` as values of at most 8 MB each; no line is split."""
    piece: list[bytes] = []
    size = 0
    for line in lines:
        if piece and size + len(line) > PIECE_BYTES:
            yield b"".join(piece)
            piece, size = [], 0
        piece.append(line)
        size += len(line)
    if piece:
        yield b"".join(piece)


def plan_import(snapshot: Snapshot, incoming: Mapping[str, Sequence[Stored]]) -> Plan:
    """What of `incoming`, by id, the store lacks.

    Revisions of one history are united; which one wins is decided as for any set of revisions. Of a purged memory
    nothing but the purge is taken in. Where an id has another history here, nothing is.
    """
    plan = Plan()
    for memory_id, group in incoming.items():
        head = snapshot.heads.get(memory_id)
        known = {stored.key.hash for stored in snapshot.revisions.get(memory_id, ())}
        fresh = [stored for h, stored in {s.key.hash: s for s in group}.items() if h not in known]
        purges = [stored for stored in fresh if stored.revision.state is State.PURGED]
        if head is None:
            plan.added += purges or fresh
            (plan.purged if purges else plan.created).append(memory_id)
        elif not fresh:
            plan.unchanged.append(memory_id)
        elif not all(_same_history(head, stored) for stored in fresh):
            plan.kept.append(memory_id)
        elif head.state is State.PURGED:
            plan.added += purges
            (plan.unchanged if purges == fresh else plan.kept).append(memory_id)
        else:
            plan.added += purges or fresh
            (plan.purged if purges else plan.updated).append(memory_id)
    plan.added.sort(key=_commit_order)
    return plan


def _same_history(head: Head, stored: Stored) -> bool:
    """Whether both were born in the same write: every revision of a memory carries when that was."""
    mine, theirs = head.origin, stored.revision.origin
    return (mine.at, mine.index) == (theirs.at, theirs.index)


def _commit_order(stored: Stored) -> tuple[str, int, str, int, str]:
    revision = stored.revision
    return revision.origin.at, revision.origin.index, stored.key.memory_id, revision.number, stored.key.hash

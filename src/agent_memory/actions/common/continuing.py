"""Which memories the chunks of a document continue, when its text is given again."""

from collections.abc import Callable, Sequence
from typing import Final

from ...lifecycle.scope import Reach
from ...models.memory import Part
from ...store.resolve import Head
from ...store.snapshot import Snapshot
from ...text.chunking import Chunk
from .reach import find

_SAME: Final[tuple[tuple[Callable[[Chunk], object], Callable[[Part, Head], object]], ...]] = (
    (lambda piece: piece.text, lambda _, head: head.memory.content),
    (lambda piece: piece.heading, lambda place, _: place.heading),
    (lambda piece: piece.index, lambda place, _: place.index),
)
"""What a chunk and the memory it continues have in common, the surest first."""


def chunks_of(document_id: str, snapshot: Snapshot, reach: Reach) -> list[tuple[Part, Head]]:
    """The chunks of the document that are not forgotten and exist for the caller, in their order."""
    found = [
        (head.memory.part, head)
        for head in snapshot.heads.values()
        if head.memory.part and head.memory.part.document_id == document_id and find(snapshot, head.memory.id, reach)
    ]
    return sorted(found, key=lambda item: (item[0].index, item[1].memory.id))


def continued(
    chunks: Sequence[Chunk], known: Sequence[tuple[Part, Head]]
) -> tuple[list[tuple[Chunk, Head | None]], list[Head]]:
    """Each chunk with the memory it continues, and the memories left over.

    A chunk continues the memory of the same text, else one under the same heading, else the one at its place.
    """
    found: dict[int, Head] = {}
    for new_key, old_key in _SAME:
        taken = {head.memory.id for head in found.values()}
        waiting: dict[object, list[Head]] = {}
        for place, head in known:
            if head.memory.id not in taken and old_key(place, head) is not None:
                waiting.setdefault(old_key(place, head), []).append(head)
        for piece in chunks:
            group = waiting.get(new_key(piece))
            if group and piece.index not in found:
                found[piece.index] = group.pop(0)
    used = {head.memory.id for head in found.values()}
    return [(c, found.get(c.index)) for c in chunks], [head for _, head in known if head.memory.id not in used]

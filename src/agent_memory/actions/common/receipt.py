"""The receipt of a new memory: whether its own words find it, and what stands near it.

Light to import, since most runs give none.
"""

from datetime import timedelta
from typing import Final

from typing_extensions import TypedDict

from ...models.memory import Memory
from ...store.snapshot import Snapshot
from ..base import Context

# A receipt that nobody asked for makes no index of a larger store.
_SMALL: Final = 1_000
# A receipt takes as long as two searches: writes that come thick and fast are answered without.
_PAUSE: Final = timedelta(seconds=0.1)


class Similar(TypedDict):
    """A memory that holds many of the words that are the new one's own."""

    id: str
    title: str
    score: float


class Receipt(TypedDict):
    """How a new memory is found: `rank` is its place, from 1, in a search for `words`, null beyond the tenth.

    `words` are those of the memory that fewest others hold; `of` is how many memories hold any of them.
    """

    words: list[str]
    rank: int | None
    of: int
    similar: list[Similar]


async def receipt_of(memory: Memory, context: Context, snapshot: Snapshot, *, asked: bool | None) -> Receipt | None:
    """The receipt of `memory`, which stands in `snapshot`; None when there is to be none.

    `asked` None leaves it to how dear it is: a warm store gives ten a second, and a large one only when it has its
    index; a run gives none.
    """
    if asked is False or (asked is None and not _is_cheap(snapshot, context)):
        return None
    from .own_words import look_for  # ranking is for those who read

    return await look_for(memory, context, snapshot)


def _is_cheap(snapshot: Snapshot, context: Context) -> bool:
    """Whether a receipt costs little, and the last that nobody asked for is not of just now."""
    lineage, now = snapshot.lineage, context.clock()
    if lineage is None or now - lineage.done_at.get("receipt", now - _PAUSE) < _PAUSE:
        return False
    from .table import TABLE  # numpy is for processes that live long

    cheap = len(snapshot.heads) <= _SMALL or snapshot.has_derived(TABLE)
    if cheap:
        lineage.done_at["receipt"] = now
    return cheap

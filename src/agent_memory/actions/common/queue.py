"""The review queue: proposals among the revisions of a store, and who is about to settle one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from ...lifecycle.scope import Reach
from ...models.instant import to_text
from ...models.memory import Memory
from ...models.review import Claim, Settlement
from ...models.revision import Revision
from ...models.vocabulary import State
from ...store.codec import Stored
from ...store.resolve import Head
from ...store.snapshot import Snapshot
from ..base import Context

CLAIMED_FOR: Final = timedelta(minutes=10)
"""After this long whoever wanted to settle a proposal must have ended."""


@dataclass(frozen=True, slots=True)
class Review:
    """A proposal, by whom and when, and how it was settled, if it was; `head` is what became of it."""

    first: Revision
    head: Head
    settlement: Settlement | None

    @property
    def id(self) -> str:
        """Its id; of the memory too, once it was added."""
        return self.head.memory.id

    @property
    def candidate(self) -> Memory:
        """What was proposed."""
        return self.first.memory

    @property
    def pending(self) -> bool:
        """Whether nobody has decided yet."""
        return self.head.state is State.PROPOSED

    def within(self, reach: Reach) -> bool:
        """Whether it exists for this caller."""
        return reach.admits(self.candidate) and reach.admits(self.head.memory)


def find_review(snapshot: Snapshot, review_id: str, reach: Reach) -> Review | None:
    """The review of this id, unless there is none or it does not exist for this caller."""
    review = _review(snapshot, review_id)
    return review if review and review.within(reach) else None


def reviews_of(snapshot: Snapshot) -> Iterator[Review]:
    """All reviews of a store, whoever may see them, the oldest first."""
    return (review for i in snapshot.heads if (review := _review(snapshot, i)))


def claims_of(snapshot: Snapshot, review: Review) -> list[Stored]:
    """The revisions of a pending review that say that somebody is about to settle it, or was."""
    group = snapshot.revisions[review.id]
    return [stored for stored in group if stored.revision.claim and stored.revision.number == review.head.number]


def rivals(snapshot: Snapshot, review: Review, mine: Claim, context: Context) -> set[str]:
    """What others, who may still be at it, are about to decide; a repetition of the same request is no rival."""
    since = to_text(context.clock() - CLAIMED_FOR)
    made = [(s.revision.at, claim) for s in claims_of(snapshot, review) if (claim := s.revision.claim)]
    ended = {claim.attempt for _, claim in made if claim.withdrawn}
    return {claim.decision for at, claim in made if at > since and claim.attempt not in ended} - {mine.decision}


def _review(snapshot: Snapshot, review_id: str) -> Review | None:
    head, group = snapshot.heads.get(review_id), snapshot.revisions.get(review_id, ())
    proposals = [s for s in group if s.revision.state is State.PROPOSED and s.revision.claim is None]
    if head is None or head.state is State.PURGED or not proposals:
        return None
    settlements = [s for s in group if s.revision.settlement]
    last = max(settlements, key=_order).revision.settlement if settlements else None
    pending = head.state is State.PROPOSED
    return Review(min(proposals, key=_order).revision, head, None if pending else last)


def _order(stored: Stored) -> tuple[int, str, str]:
    return stored.revision.number, stored.revision.at, stored.key.hash

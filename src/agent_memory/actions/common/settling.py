"""Settling a proposal so that of several people who do so at once one succeeds.

Nothing on this storage can compare and set, so each first writes a claim and looks again. Of two claims written at the
same time at least one of their writers sees the other's, and whoever sees one gives way or waits; only who sees none
goes on to the write that changes something. `docs/decisions/0050-review-queue.md` has the reasoning.
"""

import hashlib
import json
from dataclasses import replace
from typing import Final

from ...errors import ConflictError, NotFoundError
from ...models.review import Claim
from ...models.revision import Revision
from ...models.vocabulary import State
from ...store.snapshot import Snapshot
from ..base import Context
from .queue import CLAIMED_FOR, Review, claims_of, find_review, rivals
from .reach import Reach
from .writing import next_revision

_LOOKS: Final = 4


def decision_of(*parts: object) -> str:
    """16 hexadecimal digits of who decides what: the same when the same request is sent again."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


async def claim(review: Review, decision: str, snapshot: Snapshot, reach: Reach, context: Context) -> Snapshot:
    """Make sure that nobody else is settling `review`: the snapshot in which that is so.

    Raises:
        ConflictError: somebody else is, or has; nothing was decided here.
        NotFoundError: it was purged meanwhile.
    """
    mine = Claim(attempt=context.new_id(), decision=decision)
    snapshot = await context.store.commit(snapshot, [_note(review, mine, context)])
    for _ in range(_LOOKS):
        snapshot = await context.store.recheck(snapshot, review.id)
        review = require_pending(review.id, snapshot, reach, context)
        others = rivals(snapshot, review, mine, context)
        if not others:
            return snapshot
        if min(others) < decision:
            break
        snapshot = replace(snapshot, listed=None)  # the other one gives way when it sees this claim
    await context.store.commit(snapshot, [_note(review, replace(mine, withdrawn=True), context)])
    message = (
        f"Review {review.id} in {context.store.store_id} is being settled by somebody else. Nothing changed. Look at "
        f"reviews in a moment; if it still waits after {CLAIMED_FOR.seconds // 60} minutes, decide again."
    )
    raise ConflictError(message, reviewId=review.id)


def require_pending(review_id: str, snapshot: Snapshot, reach: Reach, context: Context) -> Review:
    """The review, if nobody has settled it.

    Raises:
        ConflictError: somebody has.
        NotFoundError: there is none for this caller.
    """
    where, review = context.store.store_id, find_review(snapshot, review_id, reach)
    if review is None:
        message = f"No review {review_id} in {where}. Nothing changed. List them with reviews."
        raise NotFoundError(message, reviewId=review_id)
    if not review.pending:
        how = review.settlement.resolution.value if review.settlement else "another change"
        message = f"Review {review_id} in {where} was settled by {how} already. Nothing changed."
        raise ConflictError(message, reviewId=review_id)
    return review


def settling(review: Review, revision: Revision, snapshot: Snapshot) -> Revision:
    """`revision` of the review, as one that has seen every claim."""
    claims = (stored.key.hash for stored in claims_of(snapshot, review))
    return replace(revision, parents=tuple(dict.fromkeys((*revision.parents, *claims))))


def _note(review: Review, claim: Claim, context: Context) -> Revision:
    note = next_revision(review.head, review.head.memory, State.PROPOSED, context)
    return replace(note, number=review.head.number, claim=claim)

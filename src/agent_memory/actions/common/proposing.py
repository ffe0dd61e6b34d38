"""What becomes of each candidate of a proposal: queued, said already, or a repetition of an earlier request."""

import uuid
from dataclasses import replace
from typing import Any, NotRequired

from typing_extensions import TypedDict

from ...errors import ConflictError
from ...lifecycle.proposals import CORRECTION_LENGTH, shorten_correction
from ...lifecycle.scope import Reach
from ...models.identity import fold, keyed_id
from ...models.memory import Memory
from ...models.revision import Origin, Revision
from ...models.vocabulary import Resolution, State
from ...store.snapshot import Snapshot
from ..base import Context
from ..objects import MemoryItem
from .composing import compose
from .echo import read_echo
from .newer import Succession
from .queue import Review, find_review, reviews_of
from .reach import reach_of
from .said import Text, restated
from .writing import first_revision, require_text


class ProposalResult(TypedDict):
    """What became of one candidate. `status` is queued, duplicate or replayed.

    Of a duplicate, `guard` (exact, subset or paraphrase) tells how `memoryId`, or the review `reviewId`, says it.
    """

    index: int
    ok: bool
    status: NotRequired[str]
    reviewId: NotRequired[str]
    memoryId: NotRequired[str]
    guard: NotRequired[str]
    error: NotRequired[dict[str, Any]]


class Proposals:
    """Takes candidates one after another; `revisions` is what has to be committed for them."""

    def __init__(self, snapshot: Snapshot, context: Context, low: frozenset[str]) -> None:
        """Start from what the store holds; `low` are folded texts of this write that are of low trust wherever."""
        self.revisions: list[Revision] = []
        self.warnings: list[str] = []
        self._snapshot, self._context, self._low = snapshot, context, low
        self._started = context.now()
        self._succession = Succession(snapshot)
        self._texts = [
            *(Text.of(head.memory) for head in snapshot.active()),
            *(Text.of(review.candidate, review.id) for review in reviews_of(snapshot) if _still_holds(review)),
        ]

    def take(self, item: MemoryItem, index: int) -> ProposalResult:
        """Queue `item` unless it is said already.

        Raises:
            MemoryServiceError: it is blank, refers to what is not there, or its key stands for something else.
        """
        at = f"candidates[{index}]"
        require_text(item.content, f"{at}.content")
        reach = reach_of(self._context, item.project_id, item.session_id)
        review_id = self._new_id(item.idempotency_key)
        if review_id in self._snapshot.revisions or any(r.memory.id == review_id for r in self.revisions):
            return self._replay(review_id, item, index, reach)
        echo = read_echo(item.content, self._snapshot, reach)
        if echo and echo.known and not echo.rest:
            return ProposalResult(index=index, ok=True, status="duplicate", memoryId=echo.known.id, guard="exact")
        if echo:
            item = item.model_copy(update={"content": require_text(echo.rest, f"{at}.content")})
        whole = compose(item, review_id, echo, self._snapshot, self._context, self.warnings, self._low)
        memory = shorten_correction(whole)
        if memory is not whole:
            self.warnings.append(
                f"{at}: agentDid and verdict are kept up to {CORRECTION_LENGTH} characters; the rest was cut off."
            )
        for text, guard in restated(memory, self._texts, reach, self._context.policy):
            if self._succession.newer(text.memory.id, reach):
                continue
            name = "reviewId" if text.review_id else "memoryId"
            result = ProposalResult(index=index, ok=True, status="duplicate", guard=guard)
            result[name] = text.memory.id
            return result
        return self._queue(memory, index)

    def _queue(self, memory: Memory, index: int) -> ProposalResult:
        origin = Origin(at=self._started, index=len(self.revisions))
        self.revisions.append(replace(first_revision(memory, origin, self._context), state=State.PROPOSED))
        self._texts.append(Text.of(memory, memory.id))
        return ProposalResult(index=index, ok=True, status="queued", reviewId=memory.id)

    def _replay(self, review_id: str, item: MemoryItem, index: int, reach: Reach) -> ProposalResult:
        review = find_review(self._snapshot, review_id, reach)
        there = (
            review.candidate if review else next((r.memory for r in self.revisions if r.memory.id == review_id), None)
        )
        if there is None or not reach.admits(there) or fold(there.content) != fold(item.content):
            message = f"idempotencyKey {item.idempotency_key!r} was used for another candidate. Use a new key."
            raise ConflictError(message, field=f"candidates[{index}].idempotencyKey")
        return ProposalResult(index=index, ok=True, status="replayed", reviewId=review_id)

    def _new_id(self, key: str | None) -> str:
        if key is None:
            return str(uuid.UUID(self._context.new_id()))
        return keyed_id(self._context.store.store_id, f"review\n{key}")


def _still_holds(review: Review) -> bool:
    """Whether a candidate that says the same needs no review: one is waiting, or a person wanted nothing of it."""
    settled = review.settlement
    return review.pending or (settled is not None and settled.resolution is Resolution.IGNORE)

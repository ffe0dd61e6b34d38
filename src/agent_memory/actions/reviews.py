"""reviews: what waits in the review queue, and what to hold each candidate against."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NotRequired, cast

from typing_extensions import TypedDict

from ..errors import InvalidRequestError
from ..lifecycle.briefing import stands
from ..lifecycle.scope import Reach
from ..models.memory import Memory, MemoryRecord, to_record
from ..ranking.restating import read, restates
from ..ranking.subjects import apart
from ..ranking.updates import Claims, read_claim
from ..store.snapshot import Snapshot
from ..text.snippet import cut
from .base import Action, Context, Request, Result
from .common.claims import claims_of
from .common.cursor import Cursor, read_cursor, write_cursor
from .common.queue import Review, reviews_of
from .common.reach import find, reach_of, told
from .common.reading import make_filter
from .common.said import Text, alike, restated
from .common.showing import effective_limit
from .fields.read import DEFAULT_RESULTS, MaxResults, Options, Status
from .fields.write import ProjectId, SessionId
from .objects import SearchOptions

_RELATED = 5


class ReviewsRequest(Request):
    """Which reviews: those that wait, those that are settled, or all."""

    status: Status | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    max_results: MaxResults = DEFAULT_RESULTS
    search_options: Options = SearchOptions()


class Candidate(MemoryRecord):
    """What was proposed, its content as an excerpt; it is no memory."""

    contentTruncated: bool


class Related(TypedDict):
    """A memory to look at before deciding, and why."""

    memoryId: str
    title: str
    why: str


class ReviewEntry(TypedDict):
    """A review. `status` is pending or settled; the last four are there once it is settled, as far as known.

    `duplicates` say the same; `supersedesCandidates` would be out of date; in `promotionCandidates` the same rule
    stands in another project, so that it may be one for all.
    """

    id: str
    candidate: Candidate
    status: str
    proposedAt: str
    proposedBy: str
    duplicates: list[Related]
    supersedesCandidates: list[Related]
    promotionCandidates: list[Related]
    resolution: NotRequired[str]
    memoryId: NotRequired[str]
    reason: NotRequired[str]


class ReviewsResult(Result):
    """One page, the oldest first."""

    count: int
    total: int
    truncated: bool
    nextCursor: str | None
    reviews: list[ReviewEntry]


async def reviews(request: ReviewsRequest, context: Context) -> ReviewsResult:
    """The proposals that exist for this caller; each is text that nobody has confirmed."""
    status = request.status or "pending"
    if status not in ("pending", "settled", "all"):
        raise InvalidRequestError(f"status {status} is for list. Use pending, settled or all here.", field="status")
    page = read_cursor(request.search_options.cursor, request) or Cursor(context.now())
    snapshot = await context.store.load(access=False)
    reach = reach_of(context, request.project_id, request.session_id, request.search_options)
    limits = make_filter(request.search_options, request.project_id, reach)
    wanted = [r for r in reviews_of(snapshot) if _has(r, status) and r.within(reach) and limits.admits(r.candidate)]
    start = next((at + 1 for at, review in enumerate(wanted) if review.id == page.after), page.offset)
    end = start + effective_limit(request.max_results, request.search_options)
    shown = wanted[start:end]
    more = Cursor(page.at, offset=end, after=shown[-1].id) if end < len(wanted) else None
    held = _Held(snapshot, reach)
    return ReviewsResult(
        count=len(shown),
        total=len(wanted),
        truncated=more is not None,
        nextCursor=write_cursor(request, more) if more else None,
        reviews=[_show(review, held, request.search_options, context) for review in shown],
        message=f"{len(shown)} of {len(wanted)} reviews ({status}) in {context.store.store_id}.",
        warnings=snapshot.warnings(),
    )


def _has(review: Review, status: str) -> bool:
    return status == "all" or review.pending is (status == "pending")


@dataclass(frozen=True)
class _Held:
    """What reviews are held against: all that the caller reaches, read once for all of them."""

    snapshot: Snapshot
    reach: Reach

    @cached_property
    def texts(self) -> list[Text]:
        """The active memories."""
        return [Text.of(head.memory) for head in self.snapshot.active() if self.reach.admits(head.memory)]

    @cached_property
    def claims(self) -> Claims:
        """What they say in numbers, also those out of reach."""
        return claims_of(self.snapshot)


def _show(review: Review, held: _Held, options: SearchOptions, context: Context) -> ReviewEntry:
    memory, settled, snapshot, reach = review.candidate, review.settlement, held.snapshot, held.reach
    length = len(memory.content) if options.full_content else options.content_length
    excerpt = cut(memory.content, length, ())
    record: dict[str, Any] = dict(to_record(told(memory, snapshot, reach)))
    record |= {"content": excerpt.text, "contentTruncated": excerpt.truncated}
    entry = ReviewEntry(
        id=review.id,
        candidate=cast("Candidate", record),
        status="pending" if review.pending else "settled",
        proposedAt=review.first.at,
        proposedBy=review.first.by,
        duplicates=_related((t.memory, g) for t, g in restated(memory, held.texts, reach, context.policy)),
        supersedesCandidates=_related(_older(memory, held)),
        promotionCandidates=_related(_elsewhere(memory, held.texts, context)),
    )
    if settled:
        entry["resolution"] = settled.resolution.value
        into = snapshot.heads.get(settled.memory_id) if settled.memory_id else None
        if into and reach.admits(into.memory):
            entry["memoryId"] = into.memory.id
        if settled.reason is not None:
            entry["reason"] = settled.reason
    return entry


def _related(found: Iterable[tuple[Memory, str]]) -> list[Related]:
    first = [pair for pair, _ in zip(found, range(_RELATED), strict=False)]
    return [Related(memoryId=memory.id, title=memory.title, why=why) for memory, why in first]


def _older(candidate: Memory, held: _Held) -> Iterator[tuple[Memory, str]]:
    """What the candidate names as superseded, and memories of the same subject with other values."""
    snapshot, reach = held.snapshot, held.reach
    named = find(snapshot, candidate.supersedes, reach) if candidate.supersedes else None
    if named:
        yield named.memory, "the candidate names it"
    claim = read_claim(candidate.content)
    for memory_id in held.claims.updated_by(claim) if claim else ():
        head = find(snapshot, memory_id, reach)
        if head and head is not named and head.memory.project_id in (None, candidate.project_id):
            if apart(head.memory.content, candidate.content):
                continue
            yield head.memory, "the same subject, other values"


def _elsewhere(candidate: Memory, texts: Iterable[Text], context: Context) -> Iterator[tuple[Memory, str]]:
    types = context.policy.rule_types
    if candidate.memory_type not in types:
        return
    said = read(candidate.content)
    for text in alike(said, texts):
        there = text.memory
        elsewhere = there.project_id not in (None, candidate.project_id)
        if elsewhere and stands(there, types) and restates(said, read(there.content)):
            yield there, f"stands in project {there.project_id}"


ACTION = Action(
    name="reviews",
    summary="List what was proposed, with the memories to hold each candidate against.",
    when="Use it to prepare a review for the person who decides.",
    request=ReviewsRequest,
    result=ReviewsResult,
    handle=reviews,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={"action": "reviews", "memoryStoreId": "acme~site-memory-agent", "status": "pending"},
)

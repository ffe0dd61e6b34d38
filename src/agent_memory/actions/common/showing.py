"""How memories are shown in an answer: as excerpts with their score and reasons, a page at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NotRequired, cast

from pydantic_core import to_json
from typing_extensions import TypedDict

from ...lifecycle.decay import decayed_importance
from ...models.memory import MemoryRecord, to_record
from ...models.vocabulary import State
from ...store.resolve import Head
from ...text.snippet import cut
from ...text.tokens import estimate
from ..fields.read import DEFAULT_RESULTS
from ..objects import SearchOptions
from .cursor import Cursor, write_cursor
from .reach import told
from .reading import ReadRequest, Scene

RESULT_BYTES: Final = 4_000_000


class Reinforced(TypedDict):
    """How often an existing memory was written down again with `reinforce`, and when last."""

    count: int
    lastAt: str


class ReadMemory(MemoryRecord):
    """A memory in a result: its record, with the content as an excerpt unless asked otherwise, and how it ranks.

    `tokens` is what the whole content takes, about. `possiblyUpdatedBy` is a later memory that says another number,
    version or date of what seems to be the same subject.
    """

    contentTruncated: bool
    tokens: int
    decayedImportance: float
    score: float
    reasons: list[str]
    matchedTerms: list[str]
    supersededBy: NotRequired[str]
    possiblyUpdatedBy: NotRequired[str]
    reinforced: NotRequired[Reinforced]
    collapsed: NotRequired[list[str]]
    explain: NotRequired[dict[str, float]]
    conflicts: NotRequired[list[str]]


def reinforced(head: Head) -> dict[str, Reinforced]:
    """What a shown memory says of having been reinforced; nothing when it never was."""
    times = head.reinforcements
    return {"reinforced": Reinforced(count=len(times), lastAt=times[-1])} if times else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A memory at its place in an answer."""

    id: str
    score: float
    reasons: tuple[str, ...] = ()
    matched_terms: tuple[str, ...] = ()
    needles: tuple[str, ...] = ()
    parts: Mapping[str, float] | None = None
    collapsed: tuple[str, ...] = ()


def at_least(placed: Iterable[Placed], request: ReadRequest) -> list[Placed]:
    """Those of `placed` whose score, as it is shown, is not below minScore."""
    least = request.search_options.min_score or 0.0
    return [place for place in placed if _shown(place.score) >= least]


def page_of(
    placed: Sequence[Placed], scene: Scene, request: ReadRequest, most: int
) -> tuple[list[ReadMemory], str | None]:
    """The memories of the asked page, at most `most` and 4 MB of JSON, and the cursor of the next page."""
    memories: list[ReadMemory] = []
    size = 0
    end = next((at + 1 for at, place in enumerate(placed) if place.id == scene.page.after), scene.page.offset)
    for place in placed[end:]:
        if place.id not in scene.gone:
            memory = show(scene.head(place.id), place, scene, request) if len(memories) < most else None
            size += len(to_json(memory)) if memory else 0
            if memory is None or (memories and size > RESULT_BYTES):
                return memories, write_cursor(request, Cursor(scene.now, end, memories[-1]["id"]))
            memories.append(memory)
        end += 1
    return memories, None


def show(head: Head, place: Placed, scene: Scene, request: ReadRequest) -> ReadMemory:
    """`head` as a result."""
    options = request.search_options
    memory = told(head.memory, scene.snapshot, scene.reach)
    record: dict[str, Any] = dict(to_record(memory, archived=head.state is State.ARCHIVED))
    if not options.full_content:
        snippet = cut(head.memory.content, options.content_length, place.needles)
        record |= {"content": snippet.text, "contentTruncated": snippet.truncated}
    else:
        record["contentTruncated"] = False
    record |= {
        "decayedImportance": round(decayed_importance(scene.kept[head.memory.id], scene.decay), 4),
        "tokens": estimate(head.memory.content),
        "score": _shown(place.score),
        "reasons": list(place.reasons),
        "matchedTerms": list(place.matched_terms),
    }
    if newer := scene.successor(head.memory.id):
        record["supersededBy"] = newer
    record |= reinforced(head)
    if collapsed := scene.there(place.collapsed):
        record["collapsed"] = collapsed
    if request.explain and place.parts is not None:
        record["explain"] = {name: round(part, 6) for name, part in place.parts.items()}
    if head.conflicts:
        record["conflicts"] = list(head.conflicts)
    return cast("ReadMemory", record)


def _shown(score: float) -> float:
    return round(score, 4)


def effective_limit(max_results: int, options: SearchOptions) -> int:
    """Of limit and maxResults the one that is not the default 20, else the smaller."""
    given = [n for n in (max_results, options.limit or DEFAULT_RESULTS) if n != DEFAULT_RESULTS]
    return min(given, default=DEFAULT_RESULTS)

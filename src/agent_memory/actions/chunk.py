"""chunk: split a long document into memories, and keep them in step with it."""

import hashlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from typing_extensions import TypedDict

from ..models.memory import Memory, Part
from ..models.revision import Origin, Revision
from ..models.vocabulary import State, Trust
from ..safety.provenance import lowered
from ..store.resolve import Head
from ..text.chunking import Chunk, split
from .base import Action, Context, Result, WriteRequest
from .common.continuing import chunks_of, continued
from .common.echo import read_echo
from .common.low_texts import distrust
from .common.reach import reach_of
from .common.writing import first_revision, make_memory, next_revision, require_text, title_of
from .fields.write import (
    DEFAULT_CHUNK_TOKENS,
    Content,
    Details,
    DryRun,
    IdempotencyKey,
    MaxTokensPerChunk,
    OnSecret,
    ProjectId,
    SessionId,
    Url,
)
from .objects import MemoryDetails

_DIGEST_DIGITS: Final = 16


class ChunkRequest(WriteRequest):
    """The document; its url, else its idempotencyKey, else its text says which document it is."""

    content: Content
    url: Url | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    idempotency_key: IdempotencyKey | None = None
    memory_details: Details | None = None
    max_tokens_per_chunk: MaxTokensPerChunk = DEFAULT_CHUNK_TOKENS
    on_secret: OnSecret = "refuse"
    dry_run: DryRun = False


class ChunkItem(TypedDict):
    """A chunk: `start` and `end` are code points of the text as given; memoryId is null in a dry run of a new chunk."""

    index: int
    memoryId: str | None
    status: str
    content: str
    tokens: int
    start: int
    end: int
    heading: str | None


class ChunkResult(Result):
    """The chunks of the document as they stand now; `archived` counts chunks that vanished from it."""

    documentId: str
    chunks: list[ChunkItem]
    counts: dict[str, int]
    dryRun: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """What becomes of one chunk: the memory it is now, and the revision that makes it so, if one is needed."""

    status: str
    memory: Memory
    revision: Revision | None


async def chunk(request: ChunkRequest, context: Context) -> ChunkResult:
    """Store the chunks of a document.

    Given again, its unchanged chunks stay, changed ones update, vanished ones are archived.
    """
    require_text(request.content)
    warnings: list[str] = []
    document_id = _document_id(request)
    snapshot = await context.store.load(access=False)
    chunks = split(request.content, request.max_tokens_per_chunk)
    reach = reach_of(context, request.project_id, request.session_id)
    known = chunks_of(document_id, snapshot, reach)
    pairs, vanished = continued(chunks, known)
    echo = read_echo(request.content, snapshot, reach)

    def held(memory: Memory) -> Memory:
        memory = distrust(memory, snapshot, reach, warnings)
        memory = echo.mark(memory) if echo else memory
        # A document that came from a page stays so in its new parts; a person may say them themselves.
        return memory if memory.trust is Trust.HIGH else lowered(memory, (head.memory.trust for _, head in known))

    steps = [_step(part, head, document_id, request, context, warnings, held) for part, head in pairs]
    gone = [
        next_revision(head, head.memory, State.ARCHIVED, context) for head in vanished if head.state is State.ACTIVE
    ]
    if not request.dry_run:
        snapshot = await context.store.commit(snapshot, [*(s.revision for s in steps if s.revision), *gone])
    counts = {status: sum(s.status == status for s in steps) for status in ("created", "updated", "unchanged")}
    counts["archived"] = len(gone)
    told = ", ".join(f"{n} {status}" for status, n in counts.items() if n)
    verb = "Would split" if request.dry_run else "Split"
    return ChunkResult(
        documentId=document_id,
        chunks=[_item(part, s, dry=request.dry_run) for (part, _), s in zip(pairs, steps, strict=True)],
        counts=counts,
        dryRun=request.dry_run,
        message=(
            f"{verb} the document into {len(steps)} chunk{'' if len(steps) == 1 else 's'} in "
            f"{context.store.store_id}: {told}."
        ),
        warnings=[*dict.fromkeys(warnings), *snapshot.warnings()],
    )


def _document_id(request: ChunkRequest) -> str:
    """A digest of what the document is known by; the same url in two projects is two documents."""
    kind, value = (
        ("url", request.url)
        if request.url
        else ("key", request.idempotency_key)
        if request.idempotency_key
        else ("text", request.content)
    )
    text = json.dumps([kind, request.project_id, value])
    return f"doc-{hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_DIGITS]}"


def _step(  # noqa: PLR0913  # what a chunk needs, passed on as it is
    part: Chunk,
    head: Head | None,
    document_id: str,
    request: ChunkRequest,
    context: Context,
    warnings: list[str],
    held: Callable[[Memory], Memory],
) -> _Step:
    memory = make_memory(
        memory_id=head.memory.id if head else str(uuid.UUID(context.new_id())),
        content=part.text,
        url=request.url,
        project_id=request.project_id,
        session_id=request.session_id,
        details=request.memory_details or MemoryDetails(),
        context=context,
        warnings=warnings,
    )
    place = Part(
        document_id=document_id,
        index=part.index,
        start=part.start,
        end=part.end,
        tokens=part.tokens,
        heading=part.heading,
    )
    memory = held(replace(memory, part=place, title=_title(part, request)))
    if head is None:
        origin = Origin(at=context.now(), index=part.index)
        return _Step("created", memory, first_revision(memory, origin, context))
    if head.state is State.ACTIVE and head.memory.content == part.text:
        moved = replace(head.memory, part=place)
        revision = None if moved == head.memory else next_revision(head, moved, State.ACTIVE, context)
        return _Step("unchanged", moved, revision)
    memory = lowered(memory, [head.memory.trust])
    kept = replace(memory, created_at=head.memory.created_at, updated_at=context.now(), extra=head.memory.extra)
    return _Step("updated", kept, next_revision(head, kept, State.ACTIVE, context))


def _title(part: Chunk, request: ChunkRequest) -> str:
    given = request.memory_details.title if request.memory_details else None
    pieces = [piece for piece in (given, part.heading) if piece]
    return " > ".join(pieces) if pieces else title_of(part.text, request.url)


def _item(part: Chunk, step: _Step, *, dry: bool) -> ChunkItem:
    return ChunkItem(
        index=part.index,
        memoryId=None if dry and step.status == "created" else step.memory.id,
        status=step.status,
        content=part.text,
        tokens=part.tokens,
        start=part.start,
        end=part.end,
        heading=part.heading,
    )


ACTION = Action(
    name="chunk",
    summary="Split a long document into memories; give it again to update them.",
    when="Use it for a page or file that is too long for one memory.",
    request=ChunkRequest,
    result=ChunkResult,
    handle=chunk,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={
        "action": "chunk",
        "memoryStoreId": "acme~site-memory-agent",
        "url": "https://wiki.example.com/runbook",
        "content": "# Runbook\n\n## Restore a backup\n\nStop the workers first. Then run the restore job.\n",
        "maxTokensPerChunk": 200,
    },
)

"""The fields of actions that write."""

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, SkipValidation, StringConstraints

from ...models.vocabulary import Resolution
from ..common.coerce import json_text
from ..objects import CONTENT_LENGTH, MemoryDetails, MemoryItem, Number, ShortText, WebAddress
from .declare import in_section

DEFAULT_CHUNK_TOKENS: Final = 400
BULK_ITEMS: Final = 1_000
CANDIDATES: Final = 100
BULK_BYTES: Final = 8_000_000

_field = in_section("Write")

Content = Annotated[
    str,
    _field(
        "textarea",
        "Content",
        "remember, update, chunk: the text, up to 200,000 characters. Write one fact, decision or quirk per "
        "memory, in plain words.",
        max_length=CONTENT_LENGTH,
    ),
]
Memories = Annotated[
    list[SkipValidation[MemoryItem]],  # each item is validated on its own, so that a bad one does not stop the others
    BeforeValidator(json_text),
    _field(
        "json",
        "Memories",
        "remember: up to 1,000 memories at once, 8 MB in all, each {content, url, projectId, sessionId, "
        "idempotencyKey, memoryDetails}. Each gets a result of its own; a bad one does not stop the others.",
        max_length=BULK_ITEMS,
    ),
]
Url = Annotated[
    WebAddress,
    _field(
        "textfield",
        "URL",
        "remember, update, chunk: the page it is about. recall, search, context_pack: memories of this page, "
        "then of its site, come first. Tracking parameters and fragments are removed.",
    ),
]
Confirm = Annotated[
    ShortText,
    _field(
        "textfield",
        "Confirm",
        'purge: must be "DELETE <memoryId>" with the id of the memory, since a purge cannot be undone.',
    ),
]
IfRevision = Annotated[
    ShortText,
    _field(
        "textfield",
        "Only if at revision",
        "The revision that you have read, as get, list and brief name it: when the memory is at another one by "
        "now, nothing changes and the answer is conflict (approve, update, forget).",
    ),
]
ProjectId = Annotated[
    ShortText,
    _field(
        "textfield",
        "Project",
        "Up to 200 characters. Written: the memory belongs to this project. Read: memories of this project and "
        "those of no project; without it the whole store.",
    ),
]
SessionId = Annotated[
    ShortText,
    _field(
        "textfield",
        "Session",
        "Up to 200 characters: the session a memory is written in. On a read it filters nothing; use "
        "searchOptions.sessionId.",
    ),
]
Reinforce = Annotated[
    bool,
    _field(
        "checkbox",
        "Reinforce",
        "remember: a memory that is there already is counted and dated as said again, and does not fade; what is "
        "new is stored as ever.",
    ),
]
WantsReceipt = Annotated[
    bool,
    _field(
        "checkbox",
        "Receipt",
        "remember, of one memory: also say at which place its own rarest words find it, and what stands near it. "
        "Not given: up to ten a second in a server, none in a run, where it would take time.",
    ),
]
Candidates = Annotated[
    list[SkipValidation[MemoryItem]],  # as in Memories
    BeforeValidator(json_text),
    _field(
        "json",
        "Candidates",
        "propose: up to 100 objects as in memories, for a person to decide about. Of a correction, "
        "metadata.agentDid and metadata.verdict (120 characters each) say what the agent did and what it was "
        "told.",
        min_length=1,
        max_length=CANDIDATES,
    ),
]
ReviewId = Annotated[
    ShortText, _field("textfield", "Review id", "resolve: the review, as propose and reviews name it.")
]
Resolve = Annotated[
    Resolution,
    _field(
        "select",
        "Resolution",
        "resolve: add makes the candidate a memory; merge adds its text to memoryId, update puts it in the place "
        "of that text, delete forgets memoryId; ignore does nothing.",
    ),
]
PromoteToGlobal = Annotated[
    bool, _field("checkbox", "Promote to global", "resolve: with add, the memory is for every project and session.")
]
Reason = Annotated[
    Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)],
    _field("textfield", "Reason", "resolve: why, up to 500 characters; kept with the review."),
]
MaxTokensPerChunk = Annotated[
    Number, _field("number", "Chunk size", "chunk: the most tokens in a chunk, 20-8000 (400).", ge=20, le=8_000)
]
IdempotencyKey = Annotated[
    ShortText,
    _field(
        "textfield",
        "Idempotency key",
        "remember, chunk: up to 200 characters. A retry with the same key makes one memory and answers replayed; "
        "the same key with other content is a conflict. Kept for ever.",
    ),
]
DryRun = Annotated[
    bool, _field("checkbox", "Dry run", "All actions that change something: say what would happen, change nothing.")
]
OnSecret = Annotated[
    Literal["refuse", "redact"],
    _field(
        "select",
        "On secrets",
        "remember, update, chunk, import: what becomes of a text that looks like it holds a password, key or "
        "token. refuse (when not given): nothing of it is stored. redact: [redacted:<kind>] is stored in its "
        "place.",
    ),
]
ToolCallId = Annotated[
    ShortText,
    _field(
        "textfield",
        "Tool call id",
        "All actions that change something: the id of the agent's tool call, kept with the change for history "
        "and events.",
    ),
]
Details = Annotated[
    MemoryDetails,
    BeforeValidator(json_text),
    _field(
        "json",
        "Memory details",
        "remember, update, chunk: {title, memoryType, tags, confidence 0-1, importance 0-1, category, source "
        "agent|human|crawl|import, scope global|project|session, supersedes, relatedUrls, pinned, createdAt, "
        "metadata}. An update changes only what is given; null clears.",
    ),
]

"""Every field of INPUT, once: its type, bounds, title and description. REST, MCP and the schemas derive from here."""

import re
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SkipValidation, StringConstraints

from ..models.vocabulary import Resolution
from .common.coerce import json_text
from .objects import (
    CONTENT_LENGTH,
    IDS,
    BriefOptions,
    ChangeFilter,
    DecayConfig,
    Instant,
    MemoryDetails,
    MemoryItem,
    Number,
    SearchOptions,
    ShortText,
    WebAddress,
)

QUERY_LENGTH: Final = 10_000
DEFAULT_RESULTS: Final = 20
DEFAULT_IDLE_DAYS: Final = 30
DEFAULT_PACK_TOKENS: Final = 2_500
DEFAULT_CHUNK_TOKENS: Final = 400
BULK_ITEMS: Final = 1_000
CANDIDATES: Final = 100
BULK_BYTES: Final = 8_000_000
_STORE_LENGTH: Final = 130


def _store_on_apify(given: str) -> str:
    """The id, or user~name, of a store on Apify."""
    name = given.strip()
    if not re.fullmatch(r"[\w.-]+(~[\w.-]+)?", name, re.ASCII) or len(name) > _STORE_LENGTH:
        message = "must be the id of a key-value store, as Apify Console shows it, or user~name"
        raise ValueError(message)
    return name


def _field(section: str | None, editor: str, title: str, description: str, **bounds: Any) -> Any:
    return Field(
        title=title, description=description, json_schema_extra={"section": section, "editor": editor}, **bounds
    )


MemoryStoreId = Annotated[
    str,
    _field(
        None,
        "textfield",
        "Memory store",
        "Names the store, 1-200 characters in any script, such as acme~site-memory-agent. Each id is a "
        "store of its own, "
        "made when first written to; the same id brings the same memories back.",
        min_length=1,
        max_length=200,
    ),
]
Content = Annotated[
    str,
    _field(
        "Write",
        "textarea",
        "Content",
        "remember, update, chunk: the text, up to 200,000 characters. Write one fact, decision or quirk "
        "per memory, in plain words.",
        max_length=CONTENT_LENGTH,
    ),
]
Memories = Annotated[
    list[SkipValidation[MemoryItem]],  # each item is validated on its own, so that a bad one does not stop the others
    BeforeValidator(json_text),
    _field(
        "Write",
        "json",
        "Memories",
        "remember: up to 1,000 memories at once, 8 MB in all, each "
        "{content, url, projectId, sessionId, idempotencyKey, "
        "memoryDetails}. Each gets a result of its own; a bad one does not stop the others.",
        max_length=BULK_ITEMS,
    ),
]
Url = Annotated[
    WebAddress,
    _field(
        "Write",
        "textfield",
        "URL",
        "remember, update, chunk: the page it is about. recall, search, context_pack: memories of this "
        "page, then of its site, "
        "come first. Tracking parameters and fragments are removed.",
    ),
]
Query = Annotated[
    str,
    _field(
        "Read",
        "textfield",
        "Query",
        "search (required), recall, context_pack: what you want to know, in plain words, identifiers or an error text; "
        "up to 10,000 characters, the rest is cut off.",
    ),
]
MemoryId = Annotated[
    ShortText, _field("Read", "textfield", "Memory id", "get, update, forget: the id that remember or search answered.")
]
MemoryIds = Annotated[
    list[ShortText],
    BeforeValidator(json_text),
    _field("Read", "stringList", "Memory ids", "get, forget: up to 100 ids at once.", max_length=IDS),
]
DocumentId = Annotated[
    ShortText,
    _field("Read", "textfield", "Document id", "forget: all chunks of the document that chunk answered with this id."),
]
Revision = Annotated[
    ShortText,
    _field(
        "Read",
        "textfield",
        "Revision",
        "restore: the revision to bring back, as history names it, such as 2.fb522cc0; without it what "
        "was forgotten or "
        "archived comes back as it was.",
    ),
]
Status = Annotated[
    Literal["active", "archived", "forgotten", "all", "pending", "settled"],
    _field(
        "Read",
        "select",
        "Status",
        "list: active (when not given), archived, forgotten, or all. "
        "export: the same; when not given, all but forgotten ones and reviews. reviews: pending (when not given), "
        "settled, or all.",
    ),
]
Confirm = Annotated[
    ShortText,
    _field(
        "Write",
        "textfield",
        "Confirm",
        'purge: must be "DELETE <memoryId>" with the id of the memory, since a purge cannot be undone.',
    ),
]
Repair = Annotated[
    bool, _field("Upkeep", "checkbox", "Repair", "doctor: also mend what can be mended; without it only the findings.")
]
IfRevision = Annotated[
    ShortText,
    _field(
        "Write",
        "textfield",
        "Only if at revision",
        "The revision that you have read, as get, list and brief name it: when the memory is at another one by now, "
        "nothing changes and the answer is conflict (approve, update, forget).",
    ),
]
AsOf = Annotated[
    Instant,
    _field(
        "Read",
        "textfield",
        "As of",
        "recall, search, context_pack, stats: the store as it stood at this instant (ISO 8601); what was "
        "forgotten since "
        "stays hidden.",
    ),
]
ProjectId = Annotated[
    ShortText,
    _field(
        "Write",
        "textfield",
        "Project",
        "Up to 200 characters. Written: the memory belongs to this project. Read: memories of this "
        "project and those of no "
        "project; without it the whole store.",
    ),
]
SessionId = Annotated[
    ShortText,
    _field(
        "Write",
        "textfield",
        "Session",
        "Up to 200 characters: the session a memory is written in. On a read it filters nothing; use "
        "searchOptions.sessionId.",
    ),
]
Reinforce = Annotated[
    bool,
    _field(
        "Write",
        "checkbox",
        "Reinforce",
        "remember: a memory that is there already is counted and dated as said again, and does not fade; what is new "
        "is stored as ever.",
    ),
]
WantsReceipt = Annotated[
    bool,
    _field(
        "Write",
        "checkbox",
        "Receipt",
        "remember, of one memory: also say at which place its own rarest words find it, and what stands near it. Not "
        "given: up to ten a second in a server, none in a run, where it would take time.",
    ),
]
Candidates = Annotated[
    list[SkipValidation[MemoryItem]],  # as in Memories
    BeforeValidator(json_text),
    _field(
        "Write",
        "json",
        "Candidates",
        "propose: up to 100 objects as in memories, for a person to decide about. Of a correction, metadata.agentDid "
        "and metadata.verdict (120 characters each) say what the agent did and what it was told.",
        min_length=1,
        max_length=CANDIDATES,
    ),
]
ReviewId = Annotated[
    ShortText, _field("Write", "textfield", "Review id", "resolve: the review, as propose and reviews name it.")
]
Resolve = Annotated[
    Resolution,
    _field(
        "Write",
        "select",
        "Resolution",
        "resolve: add makes the candidate a memory; merge adds its text to memoryId, update puts it in the place of "
        "that text, delete forgets memoryId; ignore does nothing.",
    ),
]
PromoteToGlobal = Annotated[
    bool,
    _field("Write", "checkbox", "Promote to global", "resolve: with add, the memory is for every project and session."),
]
Reason = Annotated[
    Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)],
    _field("Write", "textfield", "Reason", "resolve: why, up to 500 characters; kept with the review."),
]
MaxResults = Annotated[
    Number, _field("Read", "number", "Results", "recall, search: how many, 1-1000 (20).", ge=1, le=1000)
]
MaxTokens = Annotated[
    Number,
    _field(
        "Read",
        "number",
        "Pack budget",
        "context_pack: the pack never takes more tokens, 50-200000 (2500).",
        ge=50,
        le=200_000,
    ),
]
MaxTokensPerChunk = Annotated[
    Number,
    _field("Write", "number", "Chunk size", "chunk: the most tokens in a chunk, 20-8000 (400).", ge=20, le=8_000),
]
IdempotencyKey = Annotated[
    ShortText,
    _field(
        "Write",
        "textfield",
        "Idempotency key",
        "remember, chunk: up to 200 characters. A retry with the same key makes one memory and answers "
        "replayed; the same key "
        "with other content is a conflict. Kept for ever.",
    ),
]
DryRun = Annotated[
    bool,
    _field("Write", "checkbox", "Dry run", "All actions that change something: say what would happen, change nothing."),
]
OnSecret = Annotated[
    Literal["refuse", "redact"],
    _field(
        "Write",
        "select",
        "On secrets",
        "remember, update, chunk, import: what becomes of a text that looks like it holds a password, key or token. "
        "refuse (when not given): nothing of it is stored. redact: [redacted:<kind>] is stored in its place.",
    ),
]
ToolCallId = Annotated[
    ShortText,
    _field(
        "Write",
        "textfield",
        "Tool call id",
        "All actions that change something: the id of the agent's tool call, kept with the change for history and "
        "events.",
    ),
]
Explain = Annotated[
    bool, _field("Read", "checkbox", "Explain", "recall, search, context_pack: also the parts that make up each score.")
]
Details = Annotated[
    MemoryDetails,
    BeforeValidator(json_text),
    _field(
        "Write",
        "json",
        "Memory details",
        "remember, update, chunk: "
        "{title, memoryType, tags, confidence 0-1, importance 0-1, category, source agent|human|crawl|"
        "import, scope global|project|session, supersedes, relatedUrls, pinned, createdAt, metadata}. "
        "An update changes only what is given; null clears.",
    ),
]
Options = Annotated[
    SearchOptions,
    BeforeValidator(json_text),
    _field(
        "Read",
        "json",
        "Search options",
        "recall, search, context_pack: "
        "{limit 1-1000, includeArchived, minScore 0-1, memoryTypes, tags, category, projectId, "
        "projectIds, sessionId, since, until, fullContent, contentLength (1000), cursor, ranking "
        "default|tfidf|recent}.",
    ),
]
DecayOptions = Annotated[
    DecayConfig,
    BeforeValidator(json_text),
    _field(
        "Upkeep",
        "json",
        "Decay",
        "recall, search, context_pack, prune: "
        "{enabled, halfLifeDays (30), minImportance 0-1 (0.1), pruneThreshold 0-1 (0.05), "
        "maxMemoriesPerUser}. Memories fade by half each half-life since they were last read or changed.",
    ),
]
IdleDays = Annotated[
    Number,
    _field(
        "Upkeep",
        "number",
        "Idle days",
        "lifecycle: a rule unused for so many days is idle, 1-3650 (30).",
        ge=1,
        le=3_650,
    ),
]
Limit = Annotated[
    Number,
    _field("Upkeep", "number", "Limit", "lifecycle: how many rules of each kind to name, 1-1000 (20).", ge=1, le=1_000),
]
BriefSizes = Annotated[
    BriefOptions,
    BeforeValidator(json_text),
    _field(
        "Read",
        "json",
        "Brief limits",
        "brief: {rules 0-200 (20), ruleCharacters (4000), digest 0-200 (10), digestCharacters (3000), eachCharacters "
        "(240)}; 0 turns a block off.",
    ),
]
Format = Annotated[
    Literal["line", "markdown", "json"],
    _field(
        "Read",
        "select",
        "Format",
        "stats: line also gives the counts as one line for a status bar. context_pack: markdown (when not given), or "
        "json: the pack as JSON, in contextJson.",
    ),
]
ExportPath = Annotated[
    Annotated[str, StringConstraints(max_length=1_000)],
    _field(
        "Transfer",
        "textfield",
        "Export to file",
        "export: a file below the folder that the run was started in. Only in runs on your own machine; without it the "
        "export is the record EXPORT of the run's default key-value store.",
    ),
]
ImportPath = Annotated[
    Annotated[str, StringConstraints(max_length=1_000)],
    _field(
        "Transfer",
        "textfield",
        "Import from file",
        "import: an export, a folder of exports, or the store folder of the original Actor (memory-<id>.json), below "
        "the folder that the run was started in. Only in runs on your own machine; at Apify use sourceStore.",
    ),
]
SourceStore = Annotated[
    Annotated[str, AfterValidator(_store_on_apify)],
    Field(
        title="Import from store",
        description="import: the id of a key-value store on Apify that holds an export (the default store of the run "
        "that exported) or the memories of the original Actor. It is only read.",
        json_schema_extra={
            "section": "Transfer",
            "editor": "resourcePicker",
            "resourceType": "keyValueStore",
            "resourcePermissions": ["READ"],
        },
    ),
]

Changes = Annotated[
    ChangeFilter,
    BeforeValidator(json_text),
    _field(
        "Upkeep",
        "json",
        "Changes",
        "events, revert: which changes, {writer, source agent|human|crawl|import, channel console|api|rest|mcp|stdio, "
        "toolCallId, since, until}; all that is given must hold. revert needs at least one of them, or memoryId.",
    ),
]
Apply = Annotated[
    bool,
    _field("Upkeep", "checkbox", "Apply", "revert: carry out the plan; without it only the plan is shown."),
]

INPUT_FIELDS: Final[dict[str, Any]] = {
    "memoryStoreId": MemoryStoreId,
    "content": Content,
    "memoryDetails": Details,
    "url": Url,
    "projectId": ProjectId,
    "sessionId": SessionId,
    "idempotencyKey": IdempotencyKey,
    "memories": Memories,
    "reinforce": Reinforce,
    "receipt": WantsReceipt,
    "candidates": Candidates,
    "reviewId": ReviewId,
    "resolution": Resolve,
    "promoteToGlobal": PromoteToGlobal,
    "reason": Reason,
    "maxTokensPerChunk": MaxTokensPerChunk,
    "dryRun": DryRun,
    "onSecret": OnSecret,
    "toolCallId": ToolCallId,
    "query": Query,
    "maxResults": MaxResults,
    "maxTokens": MaxTokens,
    "searchOptions": Options,
    "explain": Explain,
    "memoryId": MemoryId,
    "memoryIds": MemoryIds,
    "documentId": DocumentId,
    "revision": Revision,
    "ifRevision": IfRevision,
    "confirm": Confirm,
    "asOf": AsOf,
    "status": Status,
    "limits": BriefSizes,
    "format": Format,
    "decayConfig": DecayOptions,
    "changes": Changes,
    "apply": Apply,
    "idleDays": IdleDays,
    "limit": Limit,
    "repair": Repair,
    "exportPath": ExportPath,
    "importPath": ImportPath,
    "sourceStore": SourceStore,
}
"""All fields but `action`, in the order of Apify Console; every request model draws on these."""

"""Every field of INPUT, once: its type, bounds, title and description. REST, MCP and the schemas derive from here."""

import re
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SkipValidation,
    StringConstraints,
    model_validator,
)
from pydantic.alias_generators import to_camel

from ..models import instant
from ..models.vocabulary import MemoryType, Source
from ..text.url import normalize
from .common.coerce import blank_as_null, json_text, no_boolean, unique_texts, without_blank

CONTENT_LENGTH: Final = 200_000
QUERY_LENGTH: Final = 10_000
DEFAULT_RESULTS: Final = 20
DEFAULT_PACK_TOKENS: Final = 2_500
DEFAULT_CHUNK_TOKENS: Final = 400
DEFAULT_CONTENT_LENGTH: Final = 1_000
BULK_ITEMS: Final = 1_000
BULK_BYTES: Final = 8_000_000
IDS: Final = 100
_STORE_LENGTH: Final = 130

Json: TypeAlias = dict[str, Any]


Number = Annotated[int, BeforeValidator(no_boolean)]
Ratio = Annotated[float, BeforeValidator(no_boolean), Field(ge=0, le=1, allow_inf_nan=False)]
ShortText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, max_length=50)]
Tags = Annotated[list[Tag], BeforeValidator(json_text), AfterValidator(unique_texts), Field(max_length=50)]
Instant = Annotated[str, StringConstraints(max_length=60), AfterValidator(instant.parse)]
LastInstant = Annotated[str, StringConstraints(max_length=60), AfterValidator(instant.parse_end)]
WebAddress = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4_000), AfterValidator(normalize)]
Texts = Annotated[list[ShortText], BeforeValidator(json_text), Field(max_length=IDS)]


class Model(BaseModel):
    """A part of a request: camelCase on the wire, closed, immutable."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _blank_is_absent(cls, given: Any) -> Any:
        """Wrappers fill in what they do not need: a null or an empty text counts as not given."""
        return without_blank(given)


class MemoryDetails(Model):
    """What is known about a memory beside its text. Without defaults here: what is not given is not touched."""

    @model_validator(mode="before")
    @classmethod
    def _blank_is_absent(cls, given: Any) -> Any:
        """An empty text counts as null, which clears a field on an update."""
        return blank_as_null(given)

    title: Annotated[
        str | None, Field(max_length=300, description="Short title; else made from the first line or url.")
    ] = None
    memory_type: Annotated[MemoryType | None, Field(description="What kind of knowledge this is (general).")] = None
    tags: Annotated[
        Tags | None, Field(description="Up to 50 tags of up to 50 characters; an update replaces them.")
    ] = None
    confidence: Annotated[
        Ratio | None, Field(description="How sure this is, 0-1 (0.8). From 0.9 on it never fades.")
    ] = None
    importance: Annotated[
        Ratio | None, Field(description="How much it matters, 0-1 (0.5). From 0.9 on it never fades.")
    ] = None
    category: Annotated[ShortText | None, Field(description="A word of your own to filter by.")] = None
    source: Annotated[Source | None, Field(description="Who says so (agent).")] = None
    related_urls: Annotated[
        Annotated[list[WebAddress], BeforeValidator(json_text), Field(max_length=50)] | None,
        Field(description="Up to 50 further addresses; an update replaces them."),
    ] = None
    pinned: Annotated[bool | None, Field(description="true keeps it from ever fading.")] = None
    created_at: Annotated[
        Instant | None, Field(description="When the fact is from (ISO 8601); now when not given.")
    ] = None
    metadata: Annotated[
        Annotated[Json, BeforeValidator(json_text)] | None,
        Field(description="Any JSON object of your own; an update merges it, null removes a key."),
    ] = None


class MemoryItem(Model):
    """One memory of a bulk write."""

    content: Annotated[str, Field(max_length=CONTENT_LENGTH, description="The text to remember.")]
    url: Annotated[WebAddress | None, Field(description="The page it is about.")] = None
    project_id: Annotated[ShortText | None, Field(description="The project it belongs to.")] = None
    session_id: Annotated[ShortText | None, Field(description="The session it was written in.")] = None
    idempotency_key: Annotated[ShortText | None, Field(description="Makes a retry safe.")] = None
    memory_details: Annotated[
        Annotated[MemoryDetails, BeforeValidator(json_text)] | None, Field(description="As memoryDetails at the root.")
    ] = None


class SearchOptions(Model):
    """Narrows and shapes a read."""

    limit: Annotated[Number | None, Field(ge=1, le=1000, description="As maxResults; the one that is not 20 wins.")] = (
        None
    )
    include_archived: Annotated[bool, Field(description="Also what prune has archived.")] = False
    min_score: Annotated[Ratio | None, Field(description="Leave out results that score less, 0-1.")] = None
    memory_types: Annotated[
        Annotated[list[MemoryType], BeforeValidator(json_text)] | None, Field(description="Only these types.")
    ] = None
    tags: Annotated[Tags | None, Field(description="Only memories with at least one of these tags.")] = None
    category: Annotated[ShortText | None, Field(description="Only this category.")] = None
    project_id: Annotated[ShortText | None, Field(description="As projectId at the root.")] = None
    project_ids: Annotated[Texts | None, Field(description="Several projects at once.")] = None
    session_id: Annotated[ShortText | None, Field(description="Only memories written in this session.")] = None
    since: Annotated[Instant | None, Field(description="Only memories changed at or after this instant.")] = None
    until: Annotated[
        LastInstant | None, Field(description="Only memories changed at or before this instant, or on this day.")
    ] = None
    full_content: Annotated[bool, Field(description="Whole contents instead of excerpts.")] = False
    content_length: Annotated[
        int, Field(ge=1, le=CONTENT_LENGTH, description="Excerpt length in characters (1000).")
    ] = DEFAULT_CONTENT_LENGTH
    cursor: Annotated[str | None, Field(max_length=2_000, description="nextCursor of the page before.")] = None
    ranking: Annotated[
        Literal["default", "tfidf", "recent"],
        Field(description="default, tfidf (classic TF-IDF cosine) or recent (newest match first)."),
    ] = "default"


class DecayConfig(Model):
    """How memories fade in this call."""

    enabled: Annotated[bool | None, Field(description="On or off; else on at Apify and off locally.")] = None
    half_life_days: Annotated[
        float,
        BeforeValidator(no_boolean),
        Field(gt=0, le=36_500, allow_inf_nan=False, description="Days to half (30)."),
    ] = 30.0
    min_importance: Annotated[Ratio, Field(description="Ranking never uses less than this (0.1).")] = 0.1
    prune_threshold: Annotated[Ratio, Field(description="Archived and hidden at or below this (0.05).")] = 0.05
    max_memories_per_user: Annotated[
        int | None,
        Field(ge=1, le=10_000_000, description="With enabled: true, prune archives the weakest above this number."),
    ] = None


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
    Literal["active", "archived", "forgotten", "all"],
    _field(
        "Read",
        "select",
        "Status",
        "list: active (when not given), archived, forgotten, or all. "
        "export: the same; when not given, all but forgotten ones.",
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
        "update, forget: do it only while the memory is still at this revision, as get named it; else conflict and "
        "nothing changes.",
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
        "import, relatedUrls, pinned, createdAt, metadata}. An update changes only what is given; null clears.",
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

INPUT_FIELDS: Final[dict[str, Any]] = {
    "memoryStoreId": MemoryStoreId,
    "content": Content,
    "memoryDetails": Details,
    "url": Url,
    "projectId": ProjectId,
    "sessionId": SessionId,
    "idempotencyKey": IdempotencyKey,
    "memories": Memories,
    "maxTokensPerChunk": MaxTokensPerChunk,
    "dryRun": DryRun,
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
    "decayConfig": DecayOptions,
    "repair": Repair,
    "exportPath": ExportPath,
    "importPath": ImportPath,
    "sourceStore": SourceStore,
}
"""All fields but `action`, in the order of Apify Console; every request model draws on these."""

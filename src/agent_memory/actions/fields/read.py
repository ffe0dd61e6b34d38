"""The fields of actions that read, or that point at what is there."""

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator

from ..common.coerce import json_text
from ..objects import IDS, BriefOptions, Instant, Number, SearchOptions, ShortText
from .declare import in_section

QUERY_LENGTH: Final = 10_000
DEFAULT_RESULTS: Final = 20
DEFAULT_PACK_TOKENS: Final = 2_500

_field = in_section("Read")

Query = Annotated[
    str,
    _field(
        "textfield",
        "Query",
        "search (required), recall, context_pack: what you want to know, in plain words, identifiers or an error "
        "text; up to 10,000 characters, the rest is cut off.",
    ),
]
MemoryId = Annotated[
    ShortText, _field("textfield", "Memory id", "One memory, by the id that remember, search or list answered.")
]
MemoryIds = Annotated[
    list[ShortText],
    BeforeValidator(json_text),
    _field("stringList", "Memory ids", "get, forget: up to 100 ids at once.", max_length=IDS),
]
DocumentId = Annotated[
    ShortText,
    _field("textfield", "Document id", "forget: all chunks of the document that chunk answered with this id."),
]
Revision = Annotated[
    ShortText,
    _field(
        "textfield",
        "Revision",
        "restore: the revision to bring back, as history names it, such as 2.fb522cc0; without it what was "
        "forgotten or archived comes back as it was.",
    ),
]
Status = Annotated[
    Literal["active", "archived", "forgotten", "all", "pending", "settled"],
    _field(
        "select",
        "Status",
        "list: active (when not given), archived, forgotten, or all. export: the same; when not given, all but "
        "forgotten ones and reviews. reviews: pending (when not given), settled, or all.",
    ),
]
AsOf = Annotated[
    Instant,
    _field(
        "textfield",
        "As of",
        "recall, search, context_pack, stats: the store as it stood at this instant (ISO 8601); what was "
        "forgotten since stays hidden.",
    ),
]
MaxResults = Annotated[Number, _field("number", "Results", "recall, search: how many, 1-1000 (20).", ge=1, le=1000)]
MaxTokens = Annotated[
    Number,
    _field(
        "number", "Pack budget", "context_pack: the pack never takes more tokens, 50-200000 (2500).", ge=50, le=200_000
    ),
]
Explain = Annotated[
    bool, _field("checkbox", "Explain", "recall, search, context_pack: also the parts that make up each score.")
]
Options = Annotated[
    SearchOptions,
    BeforeValidator(json_text),
    _field(
        "json",
        "Search options",
        "recall, search, context_pack: {limit 1-1000, includeArchived, minScore 0-1, memoryTypes, tags, "
        "category, projectId, projectIds, sessionId, since, until, fullContent, contentLength (1000), cursor, "
        "ranking default|tfidf|recent}.",
    ),
]
BriefSizes = Annotated[
    BriefOptions,
    BeforeValidator(json_text),
    _field(
        "json",
        "Brief limits",
        "brief: {rules 0-200 (20), ruleCharacters (4000), digest 0-200 (10), digestCharacters (3000), "
        "eachCharacters (240)}; 0 turns a block off.",
    ),
]
Format = Annotated[
    Literal["line", "markdown", "json"],
    _field(
        "select",
        "Format",
        "stats: line also gives the counts as one line for a status bar. context_pack: markdown (when not "
        "given), or json: the pack as JSON, in contextJson.",
    ),
]

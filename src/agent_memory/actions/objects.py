"""The objects inside INPUT, and the kinds of values that fields are made of."""

from dataclasses import replace
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from ..lifecycle.briefing import BriefLimits
from ..models import instant
from ..models.vocabulary import Channel, MemoryType, Scope, Source
from ..text.url import normalize
from .common.coerce import blank_as_null, json_text, no_boolean, unique_texts, without_blank

CONTENT_LENGTH: Final = 200_000
DEFAULT_CONTENT_LENGTH: Final = 1_000
IDS: Final = 100

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
    scope: Annotated[
        Scope | None,
        Field(description="For whom it exists: global, project (its projectId) or session (its sessionId)."),
    ] = None
    supersedes: Annotated[
        ShortText | None,
        Field(
            description="Id (remember: or idempotencyKey) of an older memory that this one replaces; that ranks behind."
        ),
    ] = None
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


class ChangeFilter(Model):
    """Which changes; all that is given must hold."""

    writer: Annotated[
        ShortText | None, Field(description="Who wrote: a run, a token or a client, as history says.")
    ] = None
    source: Annotated[Source | None, Field(description="What the memory said then of where it came from.")] = None
    channel: Annotated[Channel | None, Field(description="The way in of the change.")] = None
    tool_call_id: Annotated[ShortText | None, Field(description="The tool call that made it.")] = None
    since: Annotated[Instant | None, Field(description="Made at or after this instant (ISO 8601).")] = None
    until: Annotated[LastInstant | None, Field(description="Made at or before it; a day counts to its end.")] = None


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


class BriefOptions(Model):
    """How much a brief shows; what is not given is as the settings say."""

    rules: Annotated[Number | None, Field(ge=0, le=200, description="Standing rules at most (20); 0 for none.")] = None
    rule_characters: Annotated[Number | None, Field(ge=0, le=40_000, description="In all (4000).")] = None
    digest: Annotated[Number | None, Field(ge=0, le=200, description="Other memories at most (10); 0 for none.")] = None
    digest_characters: Annotated[Number | None, Field(ge=0, le=40_000, description="In all (3000).")] = None
    each_characters: Annotated[Number | None, Field(ge=20, le=4_000, description="A memory at most (240).")] = None

    def over(self, limits: BriefLimits) -> BriefLimits:
        """`limits` with what is given here in their place."""
        return replace(limits, **self.model_dump(exclude_none=True))


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

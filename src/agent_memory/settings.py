"""Every setting from the environment, described where it is declared; read once, in main."""

import json
import os
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    InstanceOf,
    ValidationError,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from .lifecycle.briefing import DEFAULT_LIMITS, RULE_TYPES, BriefLimits
from .lifecycle.policy import Policy
from .models.vocabulary import MemoryType
from .setting_names import refuse_misspelt
from .setting_values import (
    TokenEntry,
    checked_rate,
    each,
    parse_tokens,
    to_brief_limits,
    to_database,
    to_memory_types,
    to_upper,
    to_words,
)
from .store.database import Database

LOOPBACK: Final = "127.0.0.1"
EVERY_ADDRESS: Final = "0.0.0.0"  # noqa: S104  # on Apify, where the platform stands before the server
_LOOPBACKS: Final = (LOOPBACK, "::1", "localhost")
_CREDENTIALS: Final = ("AGENT_MEMORY_TOKENS", "AGENT_MEMORY_STORAGE")
_SHOWN: Final = 40
_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[1-9][0-9]{0,4})?")
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[1-9][0-9]{0,4})?")


class Mode(StrEnum):
    """What a process does; auto is decided by what started it."""

    BATCH = "batch"
    SERVER = "server"
    MCP = "mcp"
    AUTO = "auto"


class Settings(BaseSettings):
    """What the environment decides; a request never changes it."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True)

    mode: Annotated[
        Mode,
        Field(
            validation_alias=AliasChoices("AGENT_MEMORY_MODE", "ACTOR_MODE"),
            description="batch (one action, then exit), server (HTTP), mcp (MCP on stdin and stdout), or auto: "
            "server in an Apify Standby run, else batch.",
        ),
    ] = Mode.AUTO

    decay_enabled: Annotated[
        bool | None,
        Field(
            validation_alias="DECAY_ENABLED",
            description="Whether memories fade when a request does not say; unset: on at Apify, off elsewhere.",
        ),
    ] = None

    strict_scopes: Annotated[
        bool,
        Field(
            validation_alias="AGENT_MEMORY_STRICT_SCOPES",
            description="Whether a memory without a scope exists only for callers who name its session, else its "
            "project; unset: projectId is a filter and sessionId a note.",
        ),
    ] = False

    rule_types: Annotated[
        frozenset[MemoryType],
        NoDecode,
        BeforeValidator(to_memory_types),
        Field(
            validation_alias="AGENT_MEMORY_RULE_TYPES",
            description="The memory types that a person can make standing rules, separated by commas; unset: rule and "
            "preference.",
        ),
    ] = RULE_TYPES

    brief_limits: Annotated[
        InstanceOf[BriefLimits],
        NoDecode,
        BeforeValidator(to_brief_limits),
        Field(
            validation_alias="AGENT_MEMORY_BRIEF",
            description='What brief shows when a request does not say, as JSON: {"rules": 20, "rule_characters": 4000, '
            '"digest": 10, "digest_characters": 3000, "each_characters": 240}; 0 turns a block off.',
        ),
    ] = DEFAULT_LIMITS

    storage: Annotated[
        InstanceOf[Database] | None,
        NoDecode,
        BeforeValidator(to_database),
        Field(
            validation_alias="AGENT_MEMORY_STORAGE",
            description="The database that holds memory stores: sqlite:///path/to/file.db or "
            "postgresql://user:password@host:5432/database; unset: Apify's storage, local files elsewhere.",
        ),
    ] = None

    host: Annotated[
        str | None,
        Field(
            validation_alias="AGENT_MEMORY_HOST",
            description="The address that the server listens on; unset: every address at Apify, 127.0.0.1 elsewhere. "
            "Without tokens only a loopback address is allowed off Apify.",
        ),
    ] = None

    port: Annotated[
        int,
        Field(
            ge=0,
            le=65_535,
            validation_alias="ACTOR_WEB_SERVER_PORT",
            description="The port that the server listens on; 0 takes a free one.",
        ),
    ] = 4321

    hosts: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(to_words),
        each(_HOST, "host names such as memory.example.com, or with a port, memory.example.com:8443"),
        Field(
            validation_alias="AGENT_MEMORY_HOSTS",
            description="Host names under which the server is reached, separated by commas, beside loopback names, "
            "the address it listens on and Apify's own URLs.",
        ),
    ] = ()

    origins: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(to_words),
        each(_ORIGIN, "origins such as https://app.example.com"),
        Field(
            validation_alias="AGENT_MEMORY_ORIGINS",
            description="Web pages that may call the server from a browser, as origins separated by commas.",
        ),
    ] = ()

    tokens: Annotated[
        tuple[TokenEntry, ...],
        NoDecode,
        BeforeValidator(parse_tokens),
        Field(
            validation_alias="AGENT_MEMORY_TOKENS",
            description="Who may call the server: a JSON array of {name, sha256, stores, right}, as `agent-memory "
            "token` makes them.",
        ),
    ] = ()

    tokens_file: Annotated[
        Path | None,
        Field(
            validation_alias="AGENT_MEMORY_TOKENS_FILE",
            description="A file that holds such an array; read at start, together with AGENT_MEMORY_TOKENS.",
        ),
    ] = None

    rate_limit: Annotated[
        str,
        AfterValidator(checked_rate),
        Field(
            validation_alias="AGENT_MEMORY_RATE_LIMIT",
            description="How many requests each token may send, such as 100/second or 5000/hour; counted in each "
            "process.",
        ),
    ] = "100/second"

    request_seconds: Annotated[
        float,
        Field(
            gt=0,
            le=3_600,
            validation_alias="AGENT_MEMORY_REQUEST_SECONDS",
            description="How long the headers, and then the body, of a request may take to arrive.",
        ),
    ] = 20.0

    tools: Annotated[
        Literal["core", "all", "original"],
        Field(
            validation_alias="AGENT_MEMORY_TOOLS",
            description="Which MCP tools are offered: core, all, or original (named as the original service's).",
        ),
    ] = "core"

    tool_decisions: Annotated[
        bool,
        Field(
            validation_alias="AGENT_MEMORY_TOOL_DECISIONS",
            description="Whether approve and resolve are MCP tools too, with tools all: for a client in which a person "
            "confirms each call. Over HTTP the token must have the right to approve.",
        ),
    ] = False

    answers: Annotated[
        Literal["short", "full"],
        Field(
            validation_alias="AGENT_MEMORY_ANSWERS",
            description="How MCP tools answer: short (without what is empty, usual or known) or full, as over REST.",
        ),
    ] = "short"

    default_store: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            validation_alias="AGENT_MEMORY_STORE",
            description="The memoryStoreId that MCP tools use when a call names none; a server loads it at start.",
        ),
    ] = None

    default_project: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            validation_alias="AGENT_MEMORY_PROJECT",
            description="The projectId that MCP tools use when a call names none.",
        ),
    ] = None

    memory_mbytes: Annotated[
        int | None,
        Field(
            validation_alias="ACTOR_MEMORY_MBYTES",
            description="How much memory the run has; it bounds what a server keeps of its stores.",
        ),
    ] = None

    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] | None,
        BeforeValidator(to_upper),
        Field(
            validation_alias="APIFY_LOG_LEVEL",
            description="How much the SDK logs; it reads this itself.",
        ),
    ] = None

    at_home: Annotated[
        bool,
        Field(validation_alias="APIFY_IS_AT_HOME", description="Whether this is a run on Apify."),
    ] = False

    started_by: Annotated[
        str | None,
        Field(
            validation_alias="APIFY_META_ORIGIN",
            description="What started the run, as Apify says: STANDBY for a warm server.",
        ),
    ] = None

    run_id: Annotated[
        str | None,
        Field(
            validation_alias=AliasChoices("ACTOR_RUN_ID", "APIFY_ACTOR_RUN_ID"),
            description="The id of the run on Apify; it signs what callers without a token write.",
        ),
    ] = None

    web_server_url: Annotated[
        str | None,
        Field(validation_alias="ACTOR_WEB_SERVER_URL", description="The run's own URL at Apify."),
    ] = None

    standby_url: Annotated[
        str | None,
        Field(validation_alias="ACTOR_STANDBY_URL", description="The URL of the Actor's Standby at Apify."),
    ] = None

    @property
    def chosen_mode(self) -> Mode:
        """The mode, with auto decided."""
        if self.mode is not Mode.AUTO:
            return self.mode
        return Mode.SERVER if self.started_by == "STANDBY" else Mode.BATCH

    @property
    def address(self) -> str:
        """The address to listen on."""
        return self.host or (EVERY_ADDRESS if self.at_home else LOOPBACK)

    @property
    def decay_on(self) -> bool:
        """Whether memories fade when a request does not say."""
        return self.at_home if self.decay_enabled is None else self.decay_enabled

    @property
    def policy(self) -> Policy:
        """What actions go by."""
        return Policy(
            strict_scopes=self.strict_scopes,
            rule_types=self.rule_types,
            brief_limits=self.brief_limits,
            tool_decisions=self.tool_decisions,
        )

    @property
    def writer(self) -> str:
        """What signs the revisions of callers who have no token."""
        return self.run_id or "local"


def read_settings(**given: Any) -> Settings:
    """The settings of this process; `given` ones, by the names of their variables, come first.

    Wrong ones end it with a line for each, which repeats no credentials.
    """
    refuse_misspelt(os.environ, _names())
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise SystemExit("\n".join(map(_told, error.errors()))) from None
    return settings if settings.tokens_file is None else _with_tokens_of(settings.tokens_file, settings)


def _names() -> set[str]:
    """The names of all variables that are read."""
    aliases = (field.validation_alias for field in Settings.model_fields.values())
    choices = (alias.choices if isinstance(alias, AliasChoices) else (alias,) for alias in aliases)
    return {name for names in choices for name in names if isinstance(name, str)}


def _told(problem: Mapping[str, Any]) -> str:
    """What is wrong with one setting, and what came where that is no credential."""
    from .text.plain_words import reason

    name, came = str(problem["loc"][0]), str(problem["input"])
    said = problem["type"] == "value_error" or name in _CREDENTIALS
    return f"{name}: {reason(problem)}{'' if said else f', not {came[:_SHOWN]!r}'}."


def _with_tokens_of(file: Path, settings: Settings) -> Settings:
    name = "AGENT_MEMORY_TOKENS_FILE"
    try:
        entries = parse_tokens(file.read_text("utf-8"))
        tokens = parse_tokens(json.dumps([entry.model_dump() for entry in (*settings.tokens, *entries)]))
    except OSError as error:
        raise SystemExit(f"{name}: {file} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise SystemExit(f"{name}: {error}") from None
    return settings.model_copy(update={"tokens": tokens})


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches `address`."""
    return address in _LOOPBACKS or bool(re.fullmatch(r"127\.\d{1,3}\.\d{1,3}\.\d{1,3}", address))

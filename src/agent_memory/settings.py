"""Every setting from the environment, described where it is declared; read once, in main."""

import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from .lifecycle.briefing import DEFAULT_LIMITS, RULE_TYPES, BriefLimits
from .lifecycle.policy import Policy
from .models.vocabulary import MemoryType
from .store.database import Database, parse_database

LOOPBACK: Final = "127.0.0.1"
EVERY_ADDRESS: Final = "0.0.0.0"  # noqa: S104  # on Apify, where the platform stands before the server
_LOOPBACKS: Final = (LOOPBACK, "::1", "localhost")
_RATE: Final = re.compile(r"([1-9][0-9]{0,6})/(second|minute|hour)")
_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[1-9][0-9]{0,4})?")
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[1-9][0-9]{0,4})?")


class Mode(StrEnum):
    """What a process does."""

    BATCH = "batch"
    SERVER = "server"
    MCP = "mcp"


class TokenEntry(BaseModel):
    """A bearer token that the server knows: its hash and what it may do; never the token itself."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,59}$")]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    stores: Annotated[tuple[Annotated[str, StringConstraints(min_length=1, max_length=200)], ...], Field(min_length=1)]
    right: Literal["read", "write", "approve"] = "read"


TOKENS: Final = TypeAdapter(tuple[TokenEntry, ...])


def _database(text: str | None) -> Database | None:
    return None if text is None else parse_database(text)


def _words(text: Any) -> Any:
    """The words of a list that is separated by commas."""
    return tuple(word for word in re.split(r"[,\s]+", text.lower()) if word) if isinstance(text, str) else text


def _each(pattern: re.Pattern[str], allowed: str) -> AfterValidator:
    def check(words: tuple[str, ...]) -> tuple[str, ...]:
        for word in words:
            if not pattern.fullmatch(word):
                message = f"{word[:100]!r} is not understood. Use {allowed}, separated by commas."
                raise ValueError(message)
        return words

    return AfterValidator(check)


def _rate(text: str) -> str:
    if not _RATE.fullmatch(text):
        message = f"{text[:40]!r} is not understood. Use a number for each second, minute or hour, such as 100/second."
        raise ValueError(message)
    return text


def parse_tokens(given: Any) -> Any:
    """The entries of a JSON array; no message repeats what came.

    Raises:
        ValueError: it is no such array, or two entries share a name.
    """
    if not isinstance(given, str):
        return given
    try:
        entries = TOKENS.validate_python(json.loads(given))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in problem["loc"])
        message = f"entry {where}: {problem['msg']}. `agent-memory token --help` says what an entry is."
        raise ValueError(message) from None
    except ValueError:
        message = "must be a JSON array of {name, sha256, stores, right}. `agent-memory token` makes an entry."
        raise ValueError(message) from None
    if not entries:
        message = "holds no token, which would leave the server open. Make one with `agent-memory token`, or unset it."
        raise ValueError(message)
    names = [entry.name for entry in entries]
    if len(set(names)) < len(names):
        message = "two entries have the same name; revisions are signed with it, so each needs one of its own."
        raise ValueError(message)
    return entries


class Settings(BaseSettings):
    """What the environment decides; a request never changes it."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True)

    mode: Annotated[
        Mode | Literal["auto"],
        Field(
            validation_alias=AliasChoices("AGENT_MEMORY_MODE", "ACTOR_MODE"),
            description="batch (one action, then exit), server (HTTP), mcp (MCP on stdin and stdout), or auto: "
            "server in an Apify Standby run, else batch.",
        ),
    ] = "auto"

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
        BeforeValidator(_words),
        Field(
            validation_alias="AGENT_MEMORY_RULE_TYPES",
            description="The memory types that a person can make standing rules, separated by commas; unset: rule and "
            "preference.",
        ),
    ] = RULE_TYPES

    brief_limits: Annotated[
        BriefLimits,
        Field(
            validation_alias="AGENT_MEMORY_BRIEF",
            description='What brief shows when a request does not say, as JSON: {"rules": 20, "rule_characters": 4000, '
            '"digest": 10, "digest_characters": 3000, "each_characters": 240}; 0 turns a block off.',
        ),
    ] = DEFAULT_LIMITS

    storage: Annotated[
        InstanceOf[Database] | None,
        NoDecode,
        BeforeValidator(_database),
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
        BeforeValidator(_words),
        _each(_HOST, "host names such as memory.example.com, or with a port, memory.example.com:8443"),
        Field(
            validation_alias="AGENT_MEMORY_HOSTS",
            description="Host names under which the server is reached, separated by commas, beside loopback names, "
            "the address it listens on and Apify's own URLs.",
        ),
    ] = ()

    origins: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(_words),
        _each(_ORIGIN, "origins such as https://app.example.com"),
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
        AfterValidator(_rate),
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
        if isinstance(self.mode, Mode):
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
    try:
        settings = Settings(**given)
    except SettingsError as error:
        name = str(error).split('"')[1] if '"' in str(error) else "A setting"
        raise SystemExit(f"{name}: is no valid JSON. {_meaning(name)}") from None
    except ValidationError as error:
        lines = [f"{problem['loc'][0]}: {problem['msg'].removeprefix('Value error, ')}" for problem in error.errors()]
        raise SystemExit("\n".join(lines)) from None
    return settings if settings.tokens_file is None else _with_tokens_of(settings.tokens_file, settings)


def _meaning(field: str) -> str:
    """What the setting stored as `field` is, as it is described where it is declared."""
    known = Settings.model_fields.get(field)
    return f"{known.validation_alias}: {known.description}" if known else ""


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

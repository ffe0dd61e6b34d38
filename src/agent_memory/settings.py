"""Every setting from the environment, described where it is declared; read once, in main."""

from typing import Annotated

from pydantic import BeforeValidator, Field, InstanceOf, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from .lifecycle.briefing import DEFAULT_LIMITS, RULE_TYPES, BriefLimits
from .lifecycle.policy import Policy
from .models.vocabulary import MemoryType
from .store.database import Database, parse_database


def _database(text: str | None) -> Database | None:
    return None if text is None else parse_database(text)


def _words(given: str | frozenset[str]) -> frozenset[str]:
    return frozenset(word.strip() for word in given.split(",")) if isinstance(given, str) else given


class Settings(BaseSettings):
    """What the environment decides; a request never changes it."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True)

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

    @property
    def policy(self) -> Policy:
        """What actions go by."""
        return Policy(strict_scopes=self.strict_scopes, rule_types=self.rule_types, brief_limits=self.brief_limits)


def read_settings() -> Settings:
    """The settings of this process; wrong ones end it with a line for each, which repeats no credentials."""
    try:
        return Settings()
    except ValidationError as error:
        lines = [f"{problem['loc'][0]}: {problem['msg'].removeprefix('Value error, ')}" for problem in error.errors()]
        raise SystemExit("\n".join(lines)) from None

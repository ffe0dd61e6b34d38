"""The closed word lists of the product, each word with its meaning beside it."""

from enum import StrEnum
from typing import Self


class Word(StrEnum):
    """A word of a closed list that carries its own one-line meaning."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> Self:
        """Make the word `value`, explained by `meaning`."""
        word = str.__new__(cls, value)
        word._value_ = value
        word.meaning = meaning
        return word


class MemoryType(Word):
    """What kind of knowledge a memory is."""

    GENERAL = "general", "Anything that fits no other type."
    INTEGRATION_NOTE = "integration_note", "How two systems were made to work together."
    API_QUIRK = "api_quirk", "Surprising behaviour of an API, with the way around it."
    AUTH_FLOW = "auth_flow", "How to sign in somewhere: the steps, never the secret itself."
    SELECTOR = "selector", "A CSS or XPath selector that finds something on a page."
    BREAKING_CHANGE = "breaking_change", "A change that breaks what worked before."
    PROJECT_BINDING = "project_binding", "What ties a project to a repository, account, site or tool."
    PREFERENCE = "preference", "How a person or a team wants things done."
    RULE = "rule", "Something that must always, or must never, be done."
    FACT = "fact", "A statement about the world that can be checked."
    DECISION = "decision", "What was decided, and why."
    TASK_LEARNING = "task_learning", "What was learned while doing a task."
    BUG_FIX = "bug_fix", "A fault, its cause and its repair."
    WORKFLOW = "workflow", "The steps of a job that is done again and again."
    ANTI_PATTERN = "anti_pattern", "What looks right and turned out wrong."
    REASONING = "reasoning", "Why a conclusion was reached, for later review."
    HANDOFF = "handoff", "What the next session or the next agent has to know."
    CHECKPOINT = "checkpoint", "Where a long job stands."


class Source(Word):
    """Who a memory says it comes from, as claimed by the caller."""

    AGENT = "agent", "Written by an AI agent."
    HUMAN = "human", "Written by a person."
    CRAWL = "crawl", "Taken from a crawled page."
    IMPORT = "import", "Brought over from another system."


class Channel(Word):
    """The way a memory really came in, seen by the product itself."""

    CONSOLE = "console", "A run started by a person in Apify Console or at a terminal."
    API = "api", "A run started by a program, a schedule or a tool server."
    REST = "rest", "A request to the HTTP server."
    MCP = "mcp", "A tool call over HTTP."
    STDIO = "stdio", "A tool call of an agent that started this service as a program of its own."


class Trust(Word):
    """How far text may be trusted; callers can only lower it."""

    HIGH = "high", "A person at a console or at a terminal."
    NORMAL = "normal", "An agent."
    LOW = "low", "A crawled page or an import."


class Scope(Word):
    """For whom a memory exists at all, when its writer says so."""

    GLOBAL = "global", "For every caller."
    PROJECT = "project", "Only for callers who name its projectId."
    SESSION = "session", "Only for callers who name its sessionId."


class State(Word):
    """Whether a memory is shown."""

    ACTIVE = "active", "Found by every read."
    ARCHIVED = "archived", "Faded and set aside by prune; found with includeArchived."
    FORGOTTEN = "forgotten", "Hidden from every read; its content is kept until it is purged."
    PURGED = "purged", "Removed for good: no content is left, nothing can be restored."
    PROPOSED = "proposed", "No memory yet: waits in the review queue for a person's decision."
    SETTLED = "settled", "Left the review queue without becoming a memory of its own."

    @property
    def hidden(self) -> bool:
        """Whether no read may show a memory in this state."""
        return self not in (State.ACTIVE, State.ARCHIVED)

    @property
    def queued(self) -> bool:
        """Whether this is a matter of the review queue, and no memory."""
        return self in (State.PROPOSED, State.SETTLED)


class Resolution(Word):
    """What a person decides about a proposal."""

    ADD = "add", "It becomes a memory."
    MERGE = "merge", "What it says more is added to a memory."
    UPDATE = "update", "It takes the place of what a memory says."
    DELETE = "delete", "The memory that it speaks against is forgotten."
    IGNORE = "ignore", "Nothing comes of it."

    @property
    def changes_another(self) -> bool:
        """Whether it is about a memory that is there, which has to be named."""
        return self in (Resolution.MERGE, Resolution.UPDATE, Resolution.DELETE)

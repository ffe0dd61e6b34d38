"""What an action is, and what it is given to work with."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from typing_extensions import TypedDict

from ..lifecycle.policy import DEFAULT_POLICY, Policy
from ..models.instant import to_text
from ..models.vocabulary import Channel
from ..store.kv import KeyValue
from ..store.memory_store import MemoryStore
from .fields.store import MemoryStoreId
from .fields.write import ToolCallId
from .objects import Model

if TYPE_CHECKING:
    from ..store.files import Files

R_contra = TypeVar("R_contra", bound=BaseModel, contravariant=True)
R = TypeVar("R", bound=BaseModel)


class Request(Model):
    """What every action is asked with; unused fields are dropped before this is built."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True, defer_build=True)

    memory_store_id: MemoryStoreId


class WriteRequest(Request):
    """A request that changes a store: every text in it passes the gate against secrets."""

    tool_call_id: ToolCallId | None = None


class Result(TypedDict):
    """What every action answers beside its own fields."""

    message: str
    warnings: list[str]


class Progress(Protocol):
    """Told how far a long job is."""

    def __call__(self, done: int, total: int, what: str) -> Awaitable[None]:
        """Say that `done` of `total` are through."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Where export may write and import may read, beside the memory store.

    `open_records` opens the run's default key-value store, `open_source` one on Apify by its id. `files` is None
    wherever a request may name no paths: everywhere but in a batch run on the caller's own machine.
    """

    open_records: Callable[[], Awaitable[KeyValue]]
    open_source: Callable[[str], Awaitable[KeyValue]]
    files: "Files | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the outside gives a handler: the opened store, clock, ids, and how the request came in.

    `new_id` returns 32 hexadecimal digits; `decay_on` is what holds when a request does not say; `tool_call_id` names
    the call of an agent's tool, where that was said; `may_approve` tells that the caller may make rules stand.
    """

    store: MemoryStore
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    channel: Channel
    writer: str
    decay_on: bool
    progress: Progress
    exchange: Exchange
    tool_call_id: str | None = None
    may_approve: bool = False
    policy: Policy = DEFAULT_POLICY

    def now(self) -> str:
        """The present instant."""
        return to_text(self.clock())


class Handle(Protocol[R_contra]):
    """Carries out one action."""

    def __call__(self, request: R_contra, context: Context) -> Awaitable[Mapping[str, Any]]:
        """Answer `request`; raises a MemoryServiceError for what the caller can mend."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Generic[R]):
    """A row of the registry; transports, schemas and docs derive from it.

    `result` is the TypedDict that `handle` returns; `example` is an INPUT that runs as it stands. `when` tells an agent
    in which situation to take this action; `tool` is whether agents are offered it: what is for a person is not, unless
    a setting says so.
    """

    name: str
    summary: str
    request: type[R]
    result: type
    handle: Handle[R]
    read_only: bool
    destructive: bool
    idempotent: bool
    example: Mapping[str, Any]
    aliases: tuple[str, ...] = ()
    when: str = ""
    tool: bool = True

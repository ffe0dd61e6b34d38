"""What every warm way in shares: carry out one action for one caller."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from ..actions.base import Context, Exchange, Progress
from ..actions.registry import find
from ..actions.run import run_action
from ..lifecycle.policy import DEFAULT_POLICY, Policy
from ..models.vocabulary import Channel
from ..store.memory_store import MemoryStore
from .caller import Caller, Right
from .surroundings import clock, new_id

if TYPE_CHECKING:
    from ..store.kv import KeyValue


async def silent(done: int, total: int, what: str) -> None:
    """A progress that nobody watches."""


_AGENTS: Final = frozenset((Channel.MCP, Channel.STDIO))
"""Ways in that no person uses, whatever the token may do: a tool call makes no rule stand unless a setting says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Opened stores and what else a request needs; one for a process, used by many requests at once.

    `open_store` opens the memory store of an id; `open_records` the run's default key-value store, `open_source` one on
    Apify. The others are settings, as `Context` has them.
    """

    open_store: Callable[[str], Awaitable[MemoryStore]]
    open_records: "Callable[[], Awaitable[KeyValue]]"
    open_source: "Callable[[str], Awaitable[KeyValue]]"
    decay_on: bool
    policy: Policy = DEFAULT_POLICY
    clock: Callable[[], datetime] = clock
    new_id: Callable[[], str] = new_id

    def find(self, name: str) -> str:
        """The name of the action called `name`, perhaps by an alias; raises NotFoundError when there is none."""
        return find(name).name

    async def ask(
        self, name: str, payload: Mapping[str, Any], caller: Caller, *, progress: Progress = silent
    ) -> dict[str, Any]:
        """The body that answers the action `name` on `payload`.

        Raises:
            MemoryServiceError: whatever the caller can mend; anything else that is raised is a bug.
        """
        action = find(name)
        right = Right.READ if action.read_only else Right.WRITE
        decides = caller.channel not in _AGENTS or (self.policy.tool_decisions and not action.tool)

        async def open_context(store_id: str) -> Context:
            caller.require(store_id, right)
            return Context(
                store=await self.open_store(store_id),
                clock=self.clock,
                new_id=self.new_id,
                channel=caller.channel,
                writer=caller.name,
                decay_on=self.decay_on,
                may_approve=caller.right >= Right.APPROVE and decides,
                policy=self.policy,
                progress=progress,
                exchange=self._exchange(caller),
            )

        return await run_action(name, payload, open_context)

    def _exchange(self, caller: Caller) -> Exchange:
        """No files of this machine; and what all callers share only for those who see all stores anyway."""

        async def open_records() -> "KeyValue":
            caller.require_everywhere("An export into the server's default key-value store")
            return await self.open_records()

        async def open_source(store_id: str) -> "KeyValue":
            caller.require_everywhere("sourceStore")
            return await self.open_source(store_id)

        return Exchange(open_records=open_records, open_source=open_source, files=None)

"""One action for one caller, whatever the way in."""

from dataclasses import dataclass, field, replace

import pytest

from agent_memory.actions.registry import all_actions
from agent_memory.errors import ForbiddenError, InvalidRequestError, NotFoundError
from agent_memory.lifecycle.policy import Policy
from agent_memory.models.vocabulary import Channel
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.transports.caller import Caller, Right
from agent_memory.transports.service import Service
from agent_memory.transports.surroundings import clock, new_id

ANA = Caller(name="ana", channel=Channel.API, right=Right.WRITE, stores=("acme~*",))
READER = Caller(name="rob", channel=Channel.API, right=Right.READ)
OWNER = Caller(name="local", channel=Channel.API)


@dataclass
class Storage:
    """Stores in memory, and which of them were opened."""

    stores: dict[str, KeyValue] = field(default_factory=dict[str, KeyValue])
    opened: list[str] = field(default_factory=list[str])

    async def open(self, store_id: str) -> MemoryStore:
        self.opened.append(store_id)
        kv = self.stores.setdefault(store_id, InMemoryKeyValue())
        return MemoryStore(store_id=store_id, kv=kv, now=clock, new_id=new_id)

    async def records(self) -> KeyValue:
        self.opened.append("records")
        return InMemoryKeyValue()

    async def source(self, store_id: str) -> KeyValue:
        self.opened.append(store_id)
        return InMemoryKeyValue()


@pytest.fixture
def storage() -> Storage:
    return Storage()


@pytest.fixture
def service(storage: Storage) -> Service:
    return Service(open_store=storage.open, open_records=storage.records, open_source=storage.source, decay_on=False)


async def test_what_one_request_writes_the_next_finds_under_its_writers_name(service: Service) -> None:
    written = await service.ask("remember", {"memoryStoreId": "acme~n", "content": "The door code changed."}, ANA)
    found = await service.ask("search", {"memoryStoreId": "acme~n", "query": "door code"}, READER)
    history = await service.ask("history", {"memoryStoreId": "acme~n", "memoryId": written["memory"]["id"]}, READER)

    assert found["memories"][0]["id"] == written["memory"]["id"]
    assert [line["by"] for line in history["revisions"]] == ["ana"]


async def test_a_store_out_of_reach_is_not_even_opened(service: Service, storage: Storage) -> None:
    with pytest.raises(ForbiddenError):
        await service.ask("stats", {"memoryStoreId": "other"}, ANA)

    assert storage.opened == []


CHANGING = [action.name for action in all_actions() if not action.read_only]


@pytest.mark.parametrize("name", CHANGING)
async def test_a_reader_changes_nothing(service: Service, storage: Storage, name: str) -> None:
    example = next(action.example for action in all_actions() if action.name == name)

    with pytest.raises(ForbiddenError, match="right to write"):
        await service.ask(name, {**example, "memoryStoreId": "acme~n"}, READER)

    assert storage.opened == []


@pytest.mark.parametrize(
    ("channel", "setting", "right", "may"),
    [
        (Channel.REST, False, Right.APPROVE, True),
        (Channel.REST, True, Right.WRITE, False),
        (Channel.MCP, False, Right.APPROVE, False),
        (Channel.MCP, True, Right.APPROVE, True),
        (Channel.MCP, True, Right.WRITE, False),
        (Channel.STDIO, False, Right.APPROVE, False),
        (Channel.STDIO, True, Right.APPROVE, True),
    ],
)
async def test_a_tool_call_decides_only_when_a_setting_says_so(
    service: Service, channel: Channel, right: Right, *, setting: bool, may: bool
) -> None:
    service = replace(service, policy=Policy(tool_decisions=setting))
    caller = Caller(name="eve", channel=channel, right=right)
    rule = {"memoryStoreId": "n", "content": "Use tabs.", "memoryDetails": {"memoryType": "rule"}}
    memory = (await service.ask("remember", rule, OWNER))["memory"]
    queued = await service.ask("propose", {"memoryStoreId": "n", "candidates": [{"content": "Use spaces."}]}, OWNER)
    review = {"reviewId": queued["results"][0]["reviewId"], "resolution": "ignore"}

    for action, fields in (("approve", {"memoryId": memory["id"]}), ("resolve", review)):
        payload = {"memoryStoreId": "n", **fields}
        if may:
            assert (await service.ask(action, payload, caller))["changed"] is True
        else:
            with pytest.raises(ForbiddenError, match="Only a person"):
                await service.ask(action, payload, caller)


async def test_a_tool_that_may_decide_changes_no_rule_by_the_way(service: Service) -> None:
    service = replace(service, policy=Policy(tool_decisions=True))
    agent = Caller(name="eve", channel=Channel.MCP, right=Right.APPROVE)
    rule = {"memoryStoreId": "n", "content": "Use tabs.", "memoryDetails": {"memoryType": "rule"}}
    memory_id = (await service.ask("remember", rule, agent))["memory"]["id"]
    await service.ask("approve", {"memoryStoreId": "n", "memoryId": memory_id}, agent)
    await service.ask("update", {"memoryStoreId": "n", "memoryId": memory_id, "content": "Use spaces."}, agent)

    assert (await service.ask("brief", {"memoryStoreId": "n"}, agent))["rules"] == []


async def test_a_request_that_is_no_request_is_refused_before_anything_is_opened(
    service: Service, storage: Storage
) -> None:
    with pytest.raises(InvalidRequestError):
        await service.ask("search", {"memoryStoreId": "acme~n", "qeury": "door"}, OWNER)
    with pytest.raises(NotFoundError):
        await service.ask("serch", {"memoryStoreId": "acme~n"}, OWNER)

    assert storage.opened == []


@pytest.mark.parametrize(
    ("name", "fields"), [("export", {}), ("import", {"sourceStore": "someone~store"})], ids=["export", "import"]
)
async def test_what_callers_share_takes_a_caller_for_all_stores(
    service: Service, storage: Storage, name: str, fields: dict[str, str]
) -> None:
    payload = {"memoryStoreId": "acme~n", **fields}

    with pytest.raises(ForbiddenError, match="token for all stores"):
        await service.ask(name, payload, ANA)
    assert set(storage.opened) <= {"acme~n"}
    assert (await service.ask("export", {"memoryStoreId": "acme~n"}, OWNER))["ok"]


@pytest.mark.parametrize(("name", "fields"), [("export", {"exportPath": "x"}), ("import", {"importPath": "."})])
async def test_no_request_reaches_the_files_of_the_server(service: Service, name: str, fields: dict[str, str]) -> None:
    with pytest.raises(InvalidRequestError, match="your own machine"):
        await service.ask(name, {"memoryStoreId": "acme~n", **fields}, OWNER)

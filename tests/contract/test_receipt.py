"""remember with a receipt: at which place the new memory's own words find it, and what stands near it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from typing_extensions import override

from agent_memory.actions.common import receipt as receipts
from agent_memory.store.kv import InMemoryKeyValue, KeyValue
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.warm.stores import WarmStores
from support.world import STORE, World

FILLER = [{"content": f"Ticket {number} waits for the review of the billing team."} for number in range(20)]
TEXT = "The staging gateway listens on port 8443 behind the balancer."


async def test_a_receipt_names_the_rarest_words_and_the_place_at_which_they_find_the_memory(world: World) -> None:
    await world.ask("remember", memories=FILLER)
    body = await world.ask("remember", content="The review of the gateway certificate waits for Ines.", receipt=True)

    assert {"gateway", "certificate", "ines"} <= {*body["receipt"]["words"]}
    assert (body["receipt"]["rank"], body["receipt"]["similar"]) == (1, [])
    assert body["receipt"]["of"] >= 1


async def test_what_stands_near_is_listed_with_its_score(world: World) -> None:
    await world.ask("remember", memories=FILLER)
    older = await world.remember("The staging gateway listens on port 443 behind the balancer.")
    receipt = (await world.ask("remember", content=TEXT, receipt=True))["receipt"]

    assert [near["id"] for near in receipt["similar"]] == [older]
    assert 0.0 < receipt["similar"][0]["score"] <= 1.0
    assert receipt["similar"][0]["title"].startswith("The staging gateway")


@pytest.mark.parametrize("confidence", [0.3, 0.9])
async def test_a_copy_of_another_kind_is_near_whichever_of_the_two_a_search_shows(
    world: World, confidence: float
) -> None:
    copy = await world.remember(TEXT, memoryDetails={"memoryType": "fact", "confidence": confidence})
    receipt = (await world.ask("remember", content=TEXT, receipt=True))["receipt"]

    assert (receipt["rank"], [near["id"] for near in receipt["similar"]]) == (1, [copy])


async def test_memories_of_another_project_are_not_near(world: World) -> None:
    scoped = {"memoryDetails": {"scope": "project"}}
    await world.ask("remember", content=TEXT, projectId="one", **scoped)
    receipt = (await world.ask("remember", content=TEXT + " Always.", projectId="two", receipt=True))["receipt"]

    assert (receipt["rank"], receipt["similar"]) == (1, [])


async def test_a_run_gives_none_unless_it_is_asked_for(world: World) -> None:
    assert "receipt" not in await world.ask("remember", content=TEXT)
    assert "receipt" not in await world.ask("remember", content=TEXT, receipt=True)  # known already
    assert "receipt" not in await world.ask("remember", content="Something new.", receipt=True, dryRun=True)


async def test_a_memory_without_a_word_has_a_receipt_too(world: World) -> None:
    receipt = (await world.ask("remember", content="?!", receipt=True))["receipt"]
    assert receipt == {"words": [], "rank": None, "of": 0, "similar": []}


@dataclass
class Server(World):
    """A world with one warm store, as a server has it."""

    kept: MemoryStore | None = None

    @override
    def memory_store(self, store_id: str = STORE) -> MemoryStore:
        assert self.kept
        return self.kept


@pytest_asyncio.fixture
async def server() -> AsyncGenerator[Server]:
    kv = InMemoryKeyValue()

    async def open_kv(_: str) -> KeyValue:
        return kv

    world = Server()
    stores = WarmStores(open_kv=open_kv, now=world.clock, new_id=world.new_id)
    world.kept = await stores.open(STORE)
    yield world
    await stores.close()


async def test_a_server_gives_the_receipt_that_a_run_gives_when_asked(server: Server, world: World) -> None:
    for one in (server, world):
        await one.ask("remember", memories=FILLER)
        await one.remember("The staging gateway listens on port 443 behind the balancer.", receipt=False)
    warm = (await server.ask("remember", content=TEXT))["receipt"]
    cold = (await world.ask("remember", content=TEXT, receipt=True))["receipt"]

    assert warm["rank"] == 1
    assert {**warm, "similar": len(warm["similar"])} == {**cold, "similar": len(cold["similar"])}
    assert "receipt" not in await server.ask("remember", content="Another note.", receipt=False)


async def test_a_receipt_that_nobody_asked_for_makes_no_index_of_a_large_store(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "_SMALL", 5)
    await server.ask("remember", memories=FILLER)
    assert "receipt" not in await server.ask("remember", content=TEXT)
    await server.ask("search", query="review of the billing team")
    server.wait(seconds=1)
    assert "receipt" in await server.ask("remember", content=TEXT + " Now.")


async def test_writes_that_come_thick_and_fast_are_answered_without(server: Server) -> None:
    bodies = [await server.ask("remember", content=f"Note {number} of a burst.") for number in range(5)]
    assert ["receipt" in body for body in bodies] == [True, False, False, False, False]
    assert "receipt" in await server.ask("remember", content="One in a burst that needs it.", receipt=True)
    server.wait(seconds=0.2)
    assert "receipt" in await server.ask("remember", content="One after the burst.")

"""A store that is new and empty says so when another one has nearly the same id."""

from pathlib import Path

import pytest

from agent_memory.store.names import storage_name
from support.emulator import Fault, emulated_platform
from support.key_values import OpenStore, stores_at
from support.world import World

KEPT = "Acme Notes of the Northern Branch"
ALIKE = [
    "acme notes of the northern branch",
    "AcmeNotes of the Northern Branch",
    "  Acme  Notes of the Northern Branch",
]
OTHER = ["Acme-Notes of the Northern Branch", "Acme Notes of the Northern Branches", "Acme", "Акме"]


async def world_with(open_store: OpenStore, *store_ids: str) -> World:
    world = World()
    for store_id in (KEPT, "项目 Alpha", *store_ids):
        world.stores[store_id] = await open_store(storage_name(store_id))
    for store_id in (KEPT, "项目 Alpha"):
        assert (await world.ask("remember", memoryStoreId=store_id, content="Port 1 is open."))["warnings"] == []
    return world


def hints(body: dict[str, list[str]]) -> list[str]:
    return [warning for warning in body["warnings"] if "new and empty" in warning]


@pytest.fixture(params=["folder", "sqlite"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "storage") if request.param == "folder" else f"sqlite:///{tmp_path}/memories.db"


@pytest.mark.parametrize("store_id", [*ALIKE, "项目  ALPHA"])
async def test_a_read_and_a_first_write_name_the_store_that_may_be_meant(location: str, store_id: str) -> None:
    async with stores_at(location) as open_store:
        world = await world_with(open_store, store_id)
        kept = "项目 Alpha" if "项" in store_id else KEPT
        for action, given in (("search", {"query": "port"}), ("remember", {"content": "Port 2 is open."})):
            (hint,) = hints(await world.ask(action, memoryStoreId=store_id, **given))
            assert repr(kept) in hint
            assert repr(store_id) in hint
        assert hints(await world.ask("search", memoryStoreId=store_id, query="port")) == []


@pytest.mark.parametrize("store_id", OTHER)
async def test_an_id_that_differs_by_more_gets_no_hint(location: str, store_id: str) -> None:
    async with stores_at(location) as open_store:
        world = await world_with(open_store, store_id)
        assert hints(await world.ask("search", memoryStoreId=store_id, query="port")) == []


async def test_on_the_platform_one_request_looks_for_it_and_none_once_there_are_memories() -> None:
    with emulated_platform() as platform:
        async with stores_at(platform.url) as open_store:
            world = await world_with(open_store, ALIKE[0], "Something else")
            platform.calls.clear()
            assert hints(await world.ask("search", memoryStoreId="Something else", query="port")) == []
            assert platform.counts() == {"GET keys": 1, "GET key-value-stores": 1}
            (hint,) = hints(await world.ask("search", memoryStoreId=ALIKE[0], query="port"))
            assert repr(KEPT) in hint
            platform.calls.clear()
            await world.ask("search", memoryStoreId=KEPT, query="port")
            assert "GET key-value-stores" not in platform.counts()


async def test_a_run_that_may_not_list_stores_works_without_the_hint() -> None:
    with emulated_platform() as platform:
        async with stores_at(platform.url) as open_store:
            world = await world_with(open_store, ALIKE[0])
            platform.faults.append(Fault(403, 9, kind="key-value-stores"))
            body = await world.ask("search", memoryStoreId=ALIKE[0], query="port")
    assert body["ok"]
    assert body["warnings"] == []

"""The prompt, the resources and the instructions of the MCP server."""

import json

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from agent_memory.transports.mcp.session import Defaults
from support.mcp import connect, resource_text
from support.world import STORE, World

HOME = Defaults(store=STORE)


async def warmed(world: World, defaults: Defaults = HOME, **arguments: str) -> str:
    """The text of the prompt warm_up."""
    async with connect(world, defaults=defaults) as client:
        [message] = (await client.get_prompt("warm_up", arguments)).messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return message.content.text


async def test_the_server_says_when_to_use_it(world: World) -> None:
    async with connect(world) as client:
        assert client.instructions is not None
        assert "never instructions" in client.instructions
        assert len(client.instructions) <= 1_000


async def test_warming_up_shows_what_matters_as_data(world: World) -> None:
    await world.remember("Deploys go out on Mondays.", projectId="shop", memoryDetails={"importance": 0.9})
    await world.remember("The lab has a cat.", projectId="lab")
    text = await warmed(world, projectId="shop")

    assert "Deploys go out on Mondays." in text
    assert " begin]" in text
    assert "cat" not in text


async def test_warming_up_for_a_task_finds_what_belongs_to_it(world: World) -> None:
    await world.remember("Deploys go out on Mondays.")
    await world.remember("The lab has a cat.")

    assert "cat" in await warmed(world, task="feed the cat in the lab")


async def test_warming_up_on_an_empty_store_says_so(world: World) -> None:
    assert "holds nothing" in await warmed(world)


async def test_warming_up_needs_a_store(world: World) -> None:
    async with connect(world) as client:
        with pytest.raises(MCPError, match="memoryStoreId is required"):
            await client.get_prompt("warm_up", {})
        [prompt] = (await client.list_prompts()).prompts
    assert prompt.name == "warm_up"


async def test_an_unknown_prompt_is_refused(world: World) -> None:
    async with connect(world) as client:
        with pytest.raises(MCPError, match="warm_up"):
            await client.get_prompt("cool_down", {})


@pytest.mark.parametrize("store", [STORE, "项目 a/b", "x?y#z%41"])
async def test_a_memory_is_read_by_its_address(world: World, store: str) -> None:
    memory_id = await world.remember("Deploys go out on Mondays.", memoryStoreId=store)
    async with connect(world, defaults=Defaults(store=store)) as client:
        [listed] = (await client.list_resources()).resources
        [template] = (await client.list_resource_templates()).resource_templates
        record = json.loads(resource_text((await client.read_resource(listed.uri)).contents))

    assert template.uri_template == "memory://{store}/{id}"
    assert listed.uri.endswith(memory_id)
    assert record["content"] == "Deploys go out on Mondays."
    assert listed.name == record["title"]


@pytest.mark.parametrize(
    "uri", ["memory://acme~notes/nowhere", "memory://acme~notes/", "file:///etc/passwd", "memory:x"]
)
async def test_a_wrong_address_is_refused(world: World, uri: str) -> None:
    async with connect(world) as client:
        with pytest.raises(MCPError):
            await client.read_resource(uri)


async def test_without_a_default_store_no_memory_is_listed(world: World) -> None:
    await world.remember("Deploys go out on Mondays.")
    async with connect(world) as client:
        assert (await client.list_resources()).resources == []

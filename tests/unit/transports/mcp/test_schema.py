"""What tools look like to the clients that read them, and what they cost."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest
from mcp_types import ListToolsResult, Tool

from agent_memory.actions.fields import INPUT_FIELDS
from agent_memory.actions.registry import NAMES, find
from agent_memory.transports.mcp import schema as mcp_schema
from agent_memory.transports.mcp.calls import tools_of
from agent_memory.transports.mcp.session import TOOLSETS, Defaults, Session
from agent_memory.transports.mcp.tools import names_of
from support.tokens import count_tokens

COMBINATORS = {"anyOf", "oneOf", "allOf", "not", "if", "$ref", "$defs", "const", "format"}
DEAREST = {"core": 1_400, "all": 5_000, "original": 1_400}


async def nobody(*_: Any, **__: Any) -> dict[str, Any]:
    raise NotImplementedError


def tools(toolset: Any, **defaults: str) -> list[Tool]:
    return tools_of(Session(ask=nobody, tools=toolset, defaults=Defaults(**defaults)))


def below(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """`schema` and every schema inside it."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else ())):
        yield from below(inner)


EVERY = [pytest.param(tool, id=f"{toolset}-{tool.name}") for toolset in TOOLSETS for tool in tools(toolset)]


@pytest.mark.parametrize("tool", EVERY)
def test_tool_schemas_are_plain_enough_for_every_client(tool: Tool) -> None:
    assert tool.output_schema is not None
    for schema in (*below(tool.input_schema), *below(tool.output_schema)):
        assert isinstance(schema["type"], str)
        assert COMBINATORS.isdisjoint(schema)
    for root in (tool.input_schema, tool.output_schema):
        jsonschema.Draft202012Validator.check_schema(root)
        assert root["type"] == "object"
        assert set(root.get("required", ())) <= set(root["properties"])
    for schema in below(tool.input_schema):
        assert schema["type"] != "object" or "properties" in schema
        assert schema["type"] != "array" or "type" in schema["items"]
        assert len(schema.get("description", "")) <= 500


@pytest.mark.parametrize("tool", EVERY)
def test_names_and_descriptions_fit_every_client(tool: Tool) -> None:
    assert tool.name.replace("_", "").isalnum()
    assert len(tool.name) <= 40
    assert tool.description is not None
    assert " Use it " in tool.description
    assert len(tool.description) <= 500


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_the_list_of_tools_costs_an_agent_little(toolset: str) -> None:
    shown = ListToolsResult(tools=tools(toolset)).model_dump_json(by_alias=True, exclude_none=True)

    assert count_tokens(shown) <= DEAREST[toolset]


def test_a_setting_for_the_store_makes_it_optional() -> None:
    [with_it] = [tool for tool in tools("core", store="acme~notes") if tool.name == "search"]
    [without] = [tool for tool in tools("core") if tool.name == "search"]

    assert with_it.input_schema["required"] == ["query"]
    assert without.input_schema["required"] == ["memoryStoreId", "query"]


def test_every_name_in_the_tables_is_a_field_or_an_action() -> None:
    fields = {*mcp_schema.HINTS, *mcp_schema.LEFT_OUT, *mcp_schema.PARTS}
    actions = {*mcp_schema.KEPT, *mcp_schema.DROPPED, *mcp_schema.MORE_PARTS, *mcp_schema.ANSWERS, *mcp_schema.REQUIRED}

    assert fields <= set(INPUT_FIELDS)
    assert actions <= set(NAMES)
    for table in (mcp_schema.KEPT, mcp_schema.DROPPED, mcp_schema.REQUIRED):
        for action, names in table.items():
            assert set(names) <= {field.alias for field in find(action).request.model_fields.values()}
    for action, names in mcp_schema.ANSWERS.items():
        assert set(names) <= set(find(action).result.__annotations__)


@pytest.mark.parametrize("name", names_of("all"))
def test_every_part_that_a_tool_names_is_there(name: str) -> None:
    [tool] = [tool for tool in tools("all") if tool.name == name]
    for field, parts in mcp_schema.PARTS.items():
        if field in tool.input_schema["properties"]:
            shown = tool.input_schema["properties"][field]
            assert set(parts) <= set(shown.get("items", shown)["properties"])

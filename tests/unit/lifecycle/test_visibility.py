"""Which memories a read may look at."""

from dataclasses import replace
from typing import Any

import pytest

from agent_memory.lifecycle.visibility import Filter, fold_tags
from agent_memory.models.vocabulary import MemoryType
from support.revisions import make_memory

MEMORY = replace(
    make_memory(at="2026-03-02T00:00:00.000Z"),
    project_id="shop",
    session_id="s-1",
    memory_type=MemoryType.RULE,
    tags=("Red", "blue"),
    category="Ops",
)


@pytest.mark.parametrize(
    ("limits", "admitted"),
    [
        ({}, True),
        ({"projects": frozenset({"shop", "api"})}, True),
        ({"projects": frozenset({"api"})}, False),
        ({"projects": frozenset({"Shop"})}, False),
        ({"session_id": "s-1"}, True),
        ({"session_id": "s-2"}, False),
        ({"memory_types": frozenset({"rule", "fact"})}, True),
        ({"memory_types": frozenset({"fact"})}, False),
        ({"tags": fold_tags(["RED"])}, True),
        ({"tags": fold_tags(["green", "blue"])}, True),
        ({"tags": fold_tags(["green"])}, False),
        ({"category": "ops"}, True),
        ({"category": "sales"}, False),
        ({"since": "2026-03-02T00:00:00.000Z"}, True),
        ({"since": "2026-03-02T00:00:00.001Z"}, False),
        ({"until": "2026-03-02T00:00:00.000Z"}, True),
        ({"until": "2026-03-01T23:59:59.999Z"}, False),
        ({"tags": fold_tags(["red"]), "category": "sales"}, False),
    ],
)
def test_every_limit_must_be_met(limits: dict[str, Any], admitted: bool) -> None:
    assert Filter(**limits).admits(MEMORY) is admitted


def test_a_memory_of_no_project_is_everybodys() -> None:
    everybodys = replace(MEMORY, project_id=None)

    assert Filter(projects=frozenset({"api"})).admits(everybodys)
    assert Filter().admits(everybodys)


def test_tags_are_compared_without_case_in_any_script() -> None:
    assert fold_tags(["Straße", "ΣΊΣΥΦΟΣ", "Red"]) == {"strasse", "σίσυφοσ", "red"}
    assert fold_tags(None) == frozenset()

"""Metadata merges as RFC 7396 says; the table is the one of its appendix A, for objects."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.lifecycle.merge import merge_patch

LEAF = st.none() | st.booleans() | st.integers(0, 3) | st.lists(st.integers(0, 3), max_size=2)
OBJECTS = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(LEAF, lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=6),
)


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
        ({"a": 1}, {"a": {"b": None}}, {"a": {}}),
        ({"a": 1}, {}, {"a": 1}),
    ],
)
def test_a_patch_gives_what_the_standard_says(
    target: dict[str, Any], patch: dict[str, Any], result: dict[str, Any]
) -> None:
    assert merge_patch(target, patch) == result


@given(OBJECTS, OBJECTS)
def test_merging_twice_is_merging_once_and_changes_neither_side(target: dict[str, Any], patch: dict[str, Any]) -> None:
    before = copy.deepcopy((target, patch))

    once = merge_patch(target, patch)

    assert merge_patch(once, patch) == once
    assert (target, patch) == before


@given(OBJECTS)
def test_a_patch_of_nulls_removes_everything(target: dict[str, Any]) -> None:
    assert merge_patch(target, dict.fromkeys(target)) == {}

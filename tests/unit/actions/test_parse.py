"""From a payload to a request, or one clear error."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.actions.parse import parse
from agent_memory.actions.registry import ALIASES, NAMES, all_actions, find
from agent_memory.errors import MemoryServiceError, NotFoundError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["content", "memories", "memoryDetails", "searchOptions", "decayConfig", "query", "url", "memoryId", "memoryIds",
     "maxResults", "maxTokens", "maxTokensPerChunk", "dryRun", "explain", "projectId", "sessionId", "idempotencyKey"]
)  # fmt: skip


def refusal(name: str, payload: dict[str, Any]) -> MemoryServiceError | None:
    """Why `payload` is no request of the action `name`; None when it is one."""
    try:
        parse(find(name).request, payload)
    except MemoryServiceError as error:
        return error
    return None


@settings(deadline=None)
@given(st.sampled_from(NAMES), st.dictionaries(FIELDS, JSON, max_size=4))
def test_any_json_gives_a_request_or_an_error_of_ours(name: str, fields: dict[str, Any]) -> None:
    problem = refusal(name, {"memoryStoreId": "a", **fields})

    if problem is not None:
        assert problem.code in ("invalid_request", "too_large")
        assert problem.message.encode()


@settings(deadline=None)
@given(st.sampled_from(["memoryDetails", "searchOptions", "decayConfig"]), st.text(max_size=40))
def test_any_text_in_place_of_an_object_is_understood_or_refused(field: str, text: str) -> None:
    for name in ("remember", "search", "prune"):
        problem = refusal(name, {"memoryStoreId": "a", "content": "x", "query": "x", field: text})
        assert problem is None or field in problem.message or "input" in problem.message


def test_every_example_of_the_registry_is_a_request_of_its_action() -> None:
    for action in all_actions():
        assert action.example["action"] == action.name
        assert parse(action.request, action.example).memory_store_id == action.example["memoryStoreId"]


def test_every_row_of_the_registry_is_complete() -> None:
    assert [action.name for action in all_actions()] == list(NAMES)
    for action in all_actions():
        assert action.summary.endswith(".")
        assert not (action.read_only and action.destructive)
        assert all(ALIASES[alias] == action.name for alias in action.aliases)
    assert {alias for action in all_actions() for alias in action.aliases} == set(ALIASES)


@pytest.mark.parametrize("name", ["", "__init__", "base", "../x", "remember ", "REMEMBER"])
def test_only_known_names_are_found(name: str) -> None:
    with pytest.raises(NotFoundError, match="Use one of"):
        find(name)


def test_a_name_that_is_nearly_one_is_guessed() -> None:
    with pytest.raises(NotFoundError, match=r"'serch'. Did you mean search\? Use one of"):
        find("serch")
    with pytest.raises(NotFoundError, match=r"'qqq'. Use one of"):
        find("qqq")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("query", 5, "query: should be a text, not 5."),
        ("maxResults", "many", "maxResults: should be a whole number, not 'many'."),
        ("maxResults", 1.5, "maxResults: should be a whole number, not 1.5."),
        ("explain", "maybe", "explain: should be true or false, not 'maybe'."),
        ("searchOptions", {"tags": "a"}, "searchOptions.tags: should be a list such as […], not a text of length 1."),
        ("searchOptions", 5, "searchOptions: should be an object such as {…}, not 5."),
        ("searchOptions", {"minScore": 3}, "searchOptions.minScore: should be at most 1, not 3."),
        ("searchOptions", {"minScore": -1}, "searchOptions.minScore: should be at least 0, not -1."),
        ("searchOptions", {"minScore": "high"}, "searchOptions.minScore: should be a number, not 'high'."),
    ],
)
def test_a_wrong_value_is_refused_in_plain_words(field: str, value: Any, said: str) -> None:
    problem = refusal("search", {"memoryStoreId": "a", "query": "x", field: value})

    assert problem is not None
    assert problem.message == said


def test_a_request_cannot_be_changed() -> None:
    request = parse(find("stats").request, {"memoryStoreId": "a"})

    with pytest.raises(ValueError, match="frozen"):
        request.memory_store_id = "b"

"""JSON from strangers."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory.errors import InvalidRequestError
from agent_memory.transports.http.strict_json import read_object

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda below: st.lists(below, max_size=5) | st.dictionaries(TEXTS, below, max_size=5),
    max_leaves=10,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure
@given(st.dictionaries(TEXTS, PLAIN, max_size=5), st.booleans())
def test_what_json_can_say_is_read_as_it_was_meant(value: dict[str, Any], ascii_only: bool) -> None:
    assert read_object(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "it is empty"),
        (b" ", "expecting value at line 1, column 2"),
        (b"{", "expecting property name"),
        (b'{"a": 1} x', "extra data"),
        (b'{"a": "\xff"}', "byte 7 is no UTF-8; send it in UTF-8"),
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "the key 'c' comes twice"),
        (b'{"a": NaN}', "NaN is no JSON"),
        (b'{"a": [-Infinity]}', "-Infinity is no JSON"),
        (b'{"a": 1e999}', "out of range"),
        (b'{"a": ' + b"9" * 20 + b"}", "more than 19 digits"),
        (b'{"a": -' + b"9" * 100_000 + b"}", "more than 19 digits"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair"),
        (b'{"\\udc00": 1}', "half of a surrogate pair"),
        (b'{"a": "\t"}', "invalid control character"),
        (b'{"a": ' + b"[" * 70 + b"]" * 70 + b"}", "nested deeper than 64"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested deeper than 64"),
        (b'{"a": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, "nested deeper than 64"),
    ],
    ids=lambda value: f"{len(value)} {value!r}"[:30],
)
def test_what_could_be_taken_in_two_ways_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        read_object(body)

    assert why in refused.value.message
    assert refused.value.message.endswith("Nothing was stored.")


@pytest.mark.parametrize("body", [b"[]", b"1", b"1.5", b'"a"', b"null", b"true"])
def test_a_body_is_an_object(body: bytes) -> None:
    with pytest.raises(InvalidRequestError, match="must be a JSON object"):
        read_object(body)


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert read_object(b'{"a": "\\ud83d\\ude00"}') == {"a": "😀"}


def test_many_objects_side_by_side_are_not_deep() -> None:
    assert len(read_object(json.dumps({"a": [[{}]] * 1000}).encode())["a"]) == 1000


def test_a_byte_order_mark_says_nothing_else() -> None:
    assert read_object(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}

"""Understands values that a tool wrapper sent as text."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast


def json_text(value: Any) -> Any:
    """An array or object that came as JSON text, read; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def without(given: Mapping[str, Any], empty: Sequence[Any]) -> dict[str, Any]:
    """`given` without the fields whose value is one of `empty`."""
    return {name: value for name, value in given.items() if value not in empty}


def without_blank(given: Any) -> Any:
    """An object without its nulls and empty texts; anything else as it is."""
    return without(cast("dict[str, Any]", given), (None, "")) if isinstance(given, dict) else given


def blank_as_null(given: Any) -> Any:
    """An object with null for its empty texts; anything else as it is."""
    if not isinstance(given, dict):
        return given
    return {name: None if value == "" else value for name, value in cast("dict[str, Any]", given).items()}


def unique_texts(values: list[str]) -> list[str]:
    """`values` without blanks and repetitions, in their order."""
    return [value for value in dict.fromkeys(values) if value]

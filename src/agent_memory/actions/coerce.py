"""Understands values that a tool wrapper sent as text."""

import json
from typing import Any


def json_text(value: Any) -> Any:
    """An array or object that came as JSON text, read; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def unique_texts(values: list[str]) -> list[str]:
    """`values` without blanks and repetitions, in their order."""
    return [value for value in dict.fromkeys(values) if value]

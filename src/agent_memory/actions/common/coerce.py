"""Understands values that a tool wrapper sent as text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

DEPTH: Final = 40
_TOO_DEEP: Final = f"is nested deeper than {DEPTH} levels"


def json_text(value: Any) -> Any:
    """An array or object that came as JSON text, read; anything else as it is.

    Raises:
        ValueError: it is no JSON that can be stored.
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return check_json(json.loads(value))
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        message = f"is text that starts like JSON but cannot be read ({error})"
        raise ValueError(message) from None


def no_boolean(value: Any) -> Any:
    """`value`, unless it is true or false: those are no numbers.

    Raises:
        ValueError: it is one of them.
    """
    if isinstance(value, bool):
        message = f"should be a number, not {str(value).lower()}"
        raise ValueError(message)  # noqa: TRY004  # pydantic turns ValueError into an answer
    return value


def check_json(value: Any) -> Any:
    """`value`, when it can be stored and sent: finite numbers, whole characters, up to 40 levels.

    Raises:
        ValueError: it cannot; the message says why.
    """
    level: list[Any] = [value]
    for _ in range(DEPTH):
        level = [below for node in level for below in _children(node)]
        if not level:
            break
    else:
        raise ValueError(_TOO_DEEP)
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        message = "holds half of a surrogate pair; repair the encoding of the text"
        raise ValueError(message) from None
    except ValueError:
        message = "holds NaN or Infinity, which are no JSON; use a number or null"
        raise ValueError(message) from None
    return value


def _children(node: Any) -> Iterable[Any]:
    if isinstance(node, dict):
        return cast("dict[str, Any]", node).values()
    return cast("list[Any]", node) if isinstance(node, list) else ()


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

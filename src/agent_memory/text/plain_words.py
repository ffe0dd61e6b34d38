"""What is wrong with a value and which name was meant, in words that need no knowledge of a library."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

_OBJECT: Final = "should be an object such as {{…}}"
_NUMBER: Final = "should be a number"
_WHOLE: Final = "should be a whole number"
_BOOLEAN: Final = "should be true or false"
_REASONS: Final[Mapping[str, str]] = MappingProxyType({
    "string_type": "should be a text",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "bool_type": _BOOLEAN,
    "bool_parsing": _BOOLEAN,
    "list_type": "should be a list such as […]",
    "tuple_type": "should be a list such as […]",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dict_type": _OBJECT,
    "too_long": "should have at most {max_length:,} items",
    "too_short": "should have at least {min_length:,} items",
    "string_too_long": "should have at most {max_length:,} characters",
    "string_too_short": "should have at least {min_length:,} characters",
    "less_than_equal": "should be at most {le}",
    "less_than": "should be below {lt}",
    "greater_than_equal": "should be at least {ge}",
    "greater_than": "should be above {gt}",
})  # fmt: skip


def reason(problem: Mapping[str, Any]) -> str:
    """What the value should be, from one entry of a `ValidationError`'s `errors()`; no full stop at the end."""
    known = _REASONS.get(problem["type"])
    if known:
        return known.format(**problem.get("ctx", {}))
    said = problem["msg"].removeprefix("Value error, ").removeprefix("Input ").removesuffix(".")
    said = said.replace(" after validation", "")
    return f"{said[:1].lower()}{said[1:]}"


def kind_of(value: Any) -> str:
    """What `value`, which JSON can say, is called."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return "a text"
    return "null" if value is None else "true or false" if isinstance(value, bool) else "a number"


def closest(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is most like `name`; None where none is close."""
    import difflib  # only a refusal needs it, every start would pay for it

    return next(iter(difflib.get_close_matches(name, list(known), 1, 0.6)), None)


def guess(name: str, known: Iterable[str]) -> str:
    """` Did you mean …?` where one of `known` is close to `name`, else nothing."""
    close = closest(name, known)
    return f" Did you mean {close}?" if close else ""

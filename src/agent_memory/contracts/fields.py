"""The fields of INPUT as plain JSON Schema, from the registry and the field definitions."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter

from ..actions.common.schema import Schema, inline
from ..actions.fields import INPUT_FIELDS
from ..actions.registry import all_actions


def field_schemas() -> dict[str, Schema]:
    """Each field's schema with `used_by` (the names of actions) and, where requests have one, its default."""
    schemas: dict[str, Schema] = {}
    for name, annotation in INPUT_FIELDS.items():
        schema = inline(TypeAdapter(annotation).json_schema(by_alias=True))
        defaults, users = _uses(name)
        schema["used_by"] = users
        schema.pop("default", None)
        if defaults:
            schema["default"] = defaults[0]
        schemas[name] = schema
    return schemas


def required_by(name: str) -> list[str]:
    """The actions that cannot do without the field `name`."""
    return [
        action.name
        for action in all_actions()
        if any(field.alias == name and field.is_required() for field in action.request.model_fields.values())
    ]


def type_name(schema: Mapping[str, Any]) -> str:
    """The type and bounds of a field in words, for a person."""
    if "enum" in schema:
        return "one of " + ", ".join(str(word) for word in schema["enum"])
    kind = str(schema.get("type", "any"))
    if kind == "array":
        kind = f"array of {type_name(schema.get('items', {}))}"
    low = next((schema[key] for key in ("minimum", "exclusiveMinimum", "minLength", "minItems") if key in schema), None)
    high = next((schema[key] for key in ("maximum", "maxLength", "maxItems") if key in schema), None)
    unit = {"string": " characters", "array": " items"}.get(str(schema.get("type")), "")
    if low is not None and high is not None:
        return f"{kind}, {low:,} to {high:,}{unit}"
    return f"{kind}, up to {high:,}{unit}" if high is not None else kind


def _uses(name: str) -> tuple[list[Any], list[str]]:
    """The scalar defaults that requests give the field, and the actions that use it."""
    defaults: list[Any] = []
    users: list[str] = []
    for action in all_actions():
        for field in action.request.model_fields.values():
            if field.alias == name:
                users.append(action.name)
                if isinstance(field.default, int | str) and not isinstance(field.default, BaseModel):
                    defaults.append(field.default)
    return defaults, users

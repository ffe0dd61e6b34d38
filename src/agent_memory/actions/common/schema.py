"""JSON Schema of fields and results in the plain form that every reader of schemas understands."""

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

Schema: TypeAlias = dict[str, Any]


def inline(schema: Schema) -> Schema:
    """`schema` with its references replaced by what they point to, and `null` dropped from unions."""
    return cast("Schema", _plain(schema, schema.get("$defs", {})))


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("Schema", node)
    if "$ref" in schema:
        target = definitions[str(schema["$ref"]).rsplit("/", 1)[1]]
        return _plain({**target, **{key: value for key, value in schema.items() if key != "$ref"}}, definitions)
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if kind.get("type") != "null"]
        rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
        return _plain({**kinds[0], **rest}, definitions)
    return {
        key: _plain(value, definitions) for key, value in schema.items() if key not in ("$defs", "additionalProperties")
    }

"""What an agent is told of an action: its arguments and its answer as small, plain JSON Schemas.

An agent pays for every word of them in each of its turns. So a tool names the fields that an agent needs, in few words;
whatever else the action understands is accepted all the same.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter
from typing_extensions import is_typeddict

from ...actions.base import Action, Result
from ...actions.common.schema import Schema, inline
from ...actions.fields import INPUT_FIELDS

HINTS: Final[Mapping[str, str]] = {
    "memoryStoreId": "",
    "content": "",
    "url": "",
    "projectId": "",
    "sessionId": "",
    "query": "A question, or an exact name or error",
    "maxResults": "",
    "maxTokens": "",
    "maxTokensPerChunk": "",
    "memories": "Several at once",
    "candidates": "Up to 100; memoryDetails {memoryType, metadata {agentDid, verdict}} may say more",
    "reviewId": "",
    "resolution": "merge, update and delete change memoryId",
    "promoteToGlobal": "With add",
    "reason": "",
    "memoryId": "",
    "memoryIds": "",
    "documentId": "",
    "revision": "As history names it",
    "confirm": "DELETE <memoryId>",
    "status": "",
    "memoryDetails": "",
    "searchOptions": "",
    "decayConfig": "",
    "dryRun": "Only say what would happen",
    "apply": "Carry out the plan",
    "changes": "",
    "repair": "Also mend",
    "receipt": "Say what is like it",
    "sourceStore": "Key-value store at Apify to read",
}
"""What a tool says of a field instead of the field's own description: nothing where the name says it."""

LEFT_OUT: Final = frozenset(
    (
        *("asOf", "decayConfig", "dryRun", "explain", "exportPath", "format", "idempotencyKey", "ifRevision"),
        *("importPath", "limits", "onSecret", "reinforce", "sessionId", "toolCallId"),
    )
)
"""Fields that no tool names but those in `KEPT`."""
KEPT: Final[Mapping[str, frozenset[str]]] = {
    "prune": frozenset(("decayConfig", "dryRun")),
    "purge": frozenset(("dryRun",)),
    "import": frozenset(("dryRun",)),
}
DROPPED: Final[Mapping[str, frozenset[str]]] = {
    "recall": frozenset(("searchOptions",)),
    "search": frozenset(("url",)),
    "context_pack": frozenset(("searchOptions",)),
    "events": frozenset(("searchOptions",)),
}
"""Fields that do little in an action, so that its tool does not name them."""
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "memoryDetails": ("title", "memoryType", "tags", "confidence", "importance"),
    "searchOptions": ("tags", "cursor"),
    "decayConfig": ("enabled", "halfLifeDays", "pruneThreshold"),
    "changes": ("writer", "source", "since", "until"),
    "memories": ("content",),
    "candidates": ("content", "memoryDetails"),
}
"""Of an object inside a request, what every tool names."""
MORE_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "remember": ("pinned",),
    "search": ("memoryTypes", "since", "until", "fullContent"),
    "list": ("memoryTypes", "since", "until"),
}
"""Of such an object, what the tool of one action names besides."""
ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "remember": ("memory", "results"),
    "context_pack": ("contextMarkdown",),
    "brief": ("markdown",),
    "forget": ("memoryIds",),
    "search": ("verdict", "memories"),
}
"""The fields of an answer that a program looks for, where they are not simply its objects."""
REQUIRED: Final[Mapping[str, tuple[str, ...]]] = {"search": ("query",)}
"""Fields that an action asks for only when it is carried out, with a better message than that they are missing."""
_TYPE_WORDS_AT: Final = "remember"
_BOUNDS: Final = ("minimum", "maximum")
_TYPES: Final[Mapping[Any, str]] = {str: "string", bool: "boolean", int: "integer", float: "number"}


def input_schema(action: Action[Any], *, store_given: bool) -> Schema:
    """The arguments of `action`; `memoryStoreId` is required unless a setting gives it."""
    fields = {f.alias or n: f.is_required() for n, f in action.request.model_fields.items()}
    shown = [name for name in INPUT_FIELDS if name in fields and _is_shown(name, action.name)]
    asked = {name for name, must in fields.items() if must} | {*REQUIRED.get(action.name, ())}
    required = [name for name in shown if name in asked and not (store_given and name == "memoryStoreId")]
    properties = {name: field_schema(name, action.name) for name in shown}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def output_schema(action: Action[Any]) -> Schema:
    """What of an answer a program looks for; an answer holds more."""
    kinds = {n: _kind(hint) for n, hint in get_type_hints(action.result).items() if n not in Result.__annotations__}
    many = [name for name, kind in kinds.items() if kind.get("items", kind)["type"] == "object"]
    names = ANSWERS.get(action.name) or many or [name for name, kind in kinds.items() if kind["type"] == "array"]
    properties = {"ok": {"type": "boolean"}, **{name: kinds[name] for name in names}}
    return {"type": "object", "properties": properties, "required": ["ok"]}


def _is_shown(name: str, action: str) -> bool:
    return name not in DROPPED.get(action, ()) and (name not in LEFT_OUT or name in KEPT.get(action, ()))


def field_schema(place: str, action: str = "") -> Schema:
    """The field at `place` (`query`, or `searchOptions.category`) as a tool of `action` shows it."""
    name, _, part = place.partition(".")
    schema = inline(TypeAdapter(INPUT_FIELDS[name]).json_schema(by_alias=True))
    hint = HINTS.get(place, "" if part else str(schema.get("description", "")).split(". ")[0])
    parts = frozenset((*PARTS.get(name, ()), *MORE_PARTS.get(action, ())))
    shown = schema["properties"][part] if part else schema
    return {**_plain(shown, parts, words=action == _TYPE_WORDS_AT), **({"description": hint} if hint else {})}


def _plain(schema: Schema, parts: frozenset[str], *, words: bool, name: str = "") -> Schema:
    """`schema` without titles, descriptions and the limits of texts; the answer to a wrong value names those."""
    plain: Schema = {"type": schema["type"], **{key: schema[key] for key in _BOUNDS if key in schema}}
    if "enum" in schema and (words or not name.startswith("memoryType")):
        plain["enum"] = schema["enum"]
    if schema["type"] == "object":
        known: Mapping[str, Schema] = schema.get("properties", {})
        plain["properties"] = {k: _plain(v, parts, words=words, name=k) for k, v in known.items() if k in parts}
        if required := [key for key in schema.get("required", ()) if key in plain["properties"]]:
            plain["required"] = required
    if schema["type"] == "array":
        plain["items"] = _plain(schema.get("items", {"type": "string"}), parts, words=words, name=name)
    return plain


def _kind(annotation: Any) -> Schema:
    """The type of a result's field: for what lies inside it, only that it is an object."""
    options = [kind for kind in _options(annotation) if kind is not type(None)]
    first = options[0]
    if get_origin(first) is list:
        inner = _kind(get_args(first)[0])
        return {"type": "array", "items": {"type": inner["type"]}}
    return {"type": _TYPES.get(first, "object")}


def _options(annotation: Any) -> Iterator[Any]:
    arguments = get_args(annotation)
    if not arguments or get_origin(annotation) in (list, dict) or is_typeddict(annotation):
        yield annotation
        return
    for argument in arguments:
        yield from _options(argument)

"""The files of .actor/: what Apify Console and the platform are told."""

from typing import Any, Final

from .. import __version__
from ..actions.common.schema import Schema
from ..actions.registry import ALIASES, all_actions, find
from .fields import field_schemas
from .openapi import openapi

_TITLE: Final = "Agent Memory"
_SUMMARY: Final = (
    "Long-term memory for AI agents: remember facts, decisions and quirks in one session, find the right ones "
    "in the next."
)
_SECTIONS: Final = {
    "Write": "remember, update and chunk",
    "Read": "recall, search, context_pack, get and forget",
    "Upkeep": "prune, and how memories fade",
    "Transfer": "export and import",
}
_DESCRIPTION_LENGTH: Final = 450
_KEPT: Final = (
    *("title", "description", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "enum"),
    *("resourceType", "resourcePermissions"),
)
_EDITORS: Final = {
    "string": "textfield",
    "integer": "number",
    "number": "number",
    "boolean": "checkbox",
    "object": "json",
    "array": "json",
}


def actor_json() -> Schema:
    """The Actor's definition."""
    return {
        "actorSpecification": 1,
        "name": "agent-memory",
        "title": _TITLE,
        "description": _SUMMARY,
        "version": ".".join(__version__.split(".")[:2]),
        "buildTag": "latest",
        "dockerfile": "../Dockerfile",
        "readme": "../README.md",
        "input": "./input_schema.json",
        "output": "./output_schema.json",
        "storages": {"dataset": "./dataset_schema.json"},
        "usesStandbyMode": True,
        "webServerSchema": "./openapi.json",
        "webServerMcpPath": "/mcp",
        "minMemoryMbytes": 256,
        "maxMemoryMbytes": 4096,
        "defaultMemoryMbytes": 512,
    }


def input_schema() -> Schema:
    """INPUT in the dialect of Apify Console."""
    properties: dict[str, Schema] = {"action": _action_field()}
    opened: set[str] = set()
    example = find("remember").example
    for name, schema in sorted(field_schemas().items(), key=_section_order):
        entry = _property(schema)
        section = schema["section"]
        if section and section not in opened:
            opened.add(section)
            entry |= {"sectionCaption": section, "sectionDescription": _SECTIONS[section]}
        if name in example:
            entry["prefill"] = example[name]
        if "default" in schema:
            entry["default"] = schema["default"]
        properties[name] = entry
    return {
        "title": _TITLE,
        "description": f"{_SUMMARY} One run carries out one action.",
        "type": "object",
        "schemaVersion": 1,
        "properties": properties,
        "required": ["action", "memoryStoreId"],
    }


def output_schema() -> Schema:
    """Where a run's answer is."""
    links = {
        "answer": ("Answer", "The whole answer, as JSON.", "{{links.apiDefaultKeyValueStoreUrl}}/records/OUTPUT"),
        "row": ("Dataset row", "The same as one dataset row.", "{{links.apiDefaultDatasetUrl}}/items"),
        "memories": (
            "Memories",
            "The memories of the answer, one a row.",
            "{{links.apiDefaultDatasetUrl}}/items?view=memories",
        ),
        "store": (
            "Your memory stores",
            "The key-value stores of your account; storeName in the answer says which one.",
            "https://console.apify.com/storage?tab=keyValueStores",
        ),
    }
    return {
        "actorOutputSchemaVersion": 1,
        "title": f"{_TITLE}: answer",
        "properties": {
            name: {"type": "string", "title": title, "description": description, "template": template}
            for name, (title, description, template) in links.items()
        },
    }


def dataset_schema() -> Schema:
    """The two views of the row in Console."""
    result = {
        "action": "text",
        "ok": "boolean",
        "memoryStoreId": "text",
        "message": "text",
        "count": "number",
        "total": "number",
        "verdict": "text",
        "warnings": "array",
        "tookMs": "number",
        "error": "object",
    }
    memory = {
        "score": "number",
        "memoryType": "text",
        "title": "text",
        "content": "text",
        "tags": "array",
        "url": "link",
        "projectId": "text",
        "confidence": "number",
        "updatedAt": "text",
        "id": "text",
    }
    return {
        "actorSpecification": 1,
        "fields": {},
        "views": {
            "result": _view("Result", "What the run did.", result),
            "memories": _view("Memories", "The memories in the answer, one a row.", memory, "memories"),
        },
    }


def _view(title: str, description: str, columns: dict[str, str], unwind: str | None = None) -> Schema:
    transformation: Schema = {"fields": list(columns)}
    if unwind:
        transformation["unwind"] = [unwind]
    shown = {name: {"label": _label(name), "format": kind} for name, kind in columns.items()}
    return {
        "title": title,
        "description": description,
        "transformation": transformation,
        "display": {"component": "table", "properties": shown},
    }


def _action_field() -> Schema:
    names = [action.name for action in all_actions()]
    summaries = {action.name: action.summary for action in all_actions()}
    words = [*names, *ALIASES]
    return {
        "title": "Action",
        "type": "string",
        "description": "What to do. Start with remember; later search (a question), recall (by page and "
        "task) or context_pack "
        "(one text for a prompt). get, update, forget work on ids; stats counts, prune archives faded "
        "memories, chunk splits a document.",
        "editor": "select",
        "enum": words,
        "enumTitles": [f"{word}: {summaries[ALIASES.get(word, word)]}" for word in words],
        "prefill": "remember",
    }


def _section_order(item: tuple[str, Schema]) -> int:
    section = item[1]["section"]
    return 0 if section is None else 1 + list(_SECTIONS).index(section)


def _property(schema: Schema) -> Schema:
    entry = _nested(schema, str(schema["title"]))
    entry["editor"] = schema["editor"]
    if len(entry["description"]) > _DESCRIPTION_LENGTH:
        message = f"{schema['title']}: the description has over {_DESCRIPTION_LENGTH} characters"
        raise ValueError(message)
    return entry


def _nested(schema: Schema, name: str) -> Schema:
    """A property and what lies below it; each with a title and a description, as the dialect demands."""
    entry: Schema = {"title": schema.get("title") or _label(name), "type": schema["type"]}
    entry |= {key: schema[key] for key in _KEPT if key in schema}
    entry["title"] = entry["title"] if isinstance(entry["title"], str) else _label(name)
    entry.setdefault("description", entry["title"])
    entry["editor"] = _EDITORS[schema["type"]] if "enum" not in schema else "select"
    if schema["type"] == "string" and "enum" not in schema:
        entry["editor"] = "textfield"
    if "properties" in schema:
        entry["properties"] = {key: _nested(value, key) for key, value in schema["properties"].items()}
    if schema["type"] == "array":
        entry["items"] = _items(schema.get("items", {"type": "string"}))
    return entry


def _items(schema: Schema) -> Schema:
    items: Schema = {"type": schema["type"]}
    if "properties" in schema:
        items["properties"] = {key: _nested(value, key) for key, value in schema["properties"].items()}
        items["required"] = schema.get("required", [])
    return items


def _label(name: str) -> str:
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in name)
    return words[:1].upper() + words[1:]


def files() -> dict[str, Any]:
    """Path and content of each file of .actor/."""
    return {
        ".actor/actor.json": actor_json(),
        ".actor/input_schema.json": input_schema(),
        ".actor/output_schema.json": output_schema(),
        ".actor/dataset_schema.json": dataset_schema(),
        ".actor/openapi.json": openapi(),
    }

"""docs/actions.md: every action, its fields, its answer and an example."""

import json
from collections.abc import Iterator
from typing import Any, get_type_hints

from ..actions.base import Action, Result
from ..actions.common.schema import inline
from ..actions.registry import all_actions
from ..models.vocabulary import MemoryType, Source, State, Trust, Word
from .fields import field_schemas, required_by, type_name

_NESTED = ("memoryDetails", "searchOptions", "decayConfig")


def actions_md() -> str:
    """The whole page."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    schemas = field_schemas()
    yield "# Actions"
    yield ""
    yield "Generated from the registry; change the code, then run `make contracts`."
    yield ""
    yield "| action | what it does | changes the store |"
    yield "|---|---|---|"
    for action in all_actions():
        changes = "no" if action.read_only else "yes"
        yield f"| [{action.name}](#{action.name}) | {action.summary} | {changes} |"
    yield ""
    yield "Every answer also carries `action`, `ok`, `memoryStoreId`, `storeName`, `message`, `warnings` and `tookMs`."
    for action in all_actions():
        yield from _action(action, schemas)
    for name in _NESTED:
        yield from _object(name, schemas[name])
    for title, words in (("Memory types", MemoryType), ("Sources", Source), ("Trust", Trust), ("States", State)):
        yield from _words(title, words)


def _action(action: Action[Any], schemas: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield ""
    yield f"## {action.name}"
    yield ""
    alias = f" Alias: {', '.join(f'`{name}`' for name in action.aliases)}." if action.aliases else ""
    yield f"{action.summary}{alias}"
    yield ""
    yield "| field | type | default | meaning |"
    yield "|---|---|---|---|"
    for name, schema in schemas.items():
        if action.name in schema["used_by"]:
            default = "required" if action.name in required_by(name) else _default(schema)
            yield f"| `{name}` | {type_name(schema)} | {default} | {_cell(schema['description'])} |"
    yield ""
    names = (name for name in get_type_hints(action.result) if name not in Result.__annotations__)
    yield f"Answers: {', '.join(f'`{name}`' for name in names)}."
    yield ""
    yield "```json"
    yield json.dumps(action.example, indent=2, ensure_ascii=False)
    yield "```"


def _cell(text: str) -> str:
    """`text` for the cell of a table."""
    return text.replace("|", "\\|")


def _default(schema: dict[str, Any]) -> str:
    return f"`{json.dumps(schema['default'])}`" if "default" in schema else ""


def _object(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield f"## {name}"
    yield ""
    yield "| field | type | meaning |"
    yield "|---|---|---|"
    for key, value in inline(schema)["properties"].items():
        kind = "see [Memory types](#memory-types)" if key == "memoryType" else type_name(value)
        yield f"| `{key}` | {kind} | {_cell(value.get('description', ''))} |"


def _words(title: str, words: type[Word]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    yield "| word | meaning |"
    yield "|---|---|"
    for word in words:
        yield f"| `{word.value}` | {word.meaning} |"

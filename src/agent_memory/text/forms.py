"""The two forms of a pack: Markdown for a model to read, and JSON for a program that builds its own prompt."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .render import OPENING, Entry, close_fence, compact_entry, escaped, open_fence, visible


@dataclass(frozen=True, slots=True)
class Form:
    """How a pack is written: `opening`, each entry with its number from 1 on, then `closing`, with nothing between.

    `entry` takes an entry, its number and the nonce. `opening` takes the nonce, the heading and the query; `empty` the
    heading, the reason and a hint, and gives texts for a pack without entries, the fullest first.
    """

    opening: Callable[[str, str, str | None], str]
    entry: Callable[[Entry, int, str], str]
    closing: Callable[[str], str]
    empty: Callable[[str, str, str], Sequence[str]]


def _markdown_opening(nonce: str, heading: str, query: str | None) -> str:
    return f"{visible(heading)}\n\n{open_fence(nonce, query)}"


def _markdown_closing(nonce: str) -> str:
    return "\n" + close_fence(nonce)


def _markdown_empty(heading: str, reason: str, hint: str) -> Sequence[str]:
    title = visible(heading) + "\n\n"
    return title + reason + hint, reason + hint, reason, "Empty."


def _json_opening(_nonce: str, heading: str, query: str | None) -> str:
    asked = f'"query":{_json(query)},' if query else ""
    return f'{{"heading":{_json(heading)},"notice":{_json(_NOTICE)},{asked}"memories":['


def _json_entry(entry: Entry, number: int, _nonce: str) -> str:
    facts: dict[str, Any] = {
        "id": entry.id,
        "memoryType": entry.memory_type,
        "source": entry.source,
        "trust": entry.trust,
        "ageDays": int(entry.age_days),
        "updatedAt": entry.updated_at,
        **({"echo": True} if entry.echo else {}),
        "title": entry.title,
        "tags": list(entry.tags),
        "url": entry.url,
        "content": entry.content,
    }
    return f"{',' if number > 1 else ''}\n{_json(facts)}"


def _json_closing(_nonce: str) -> str:
    return "\n]}\n"


def _json_empty(heading: str, reason: str, hint: str) -> Sequence[str]:
    return _json({"heading": heading, "memories": [], "reason": reason + hint}), '{"memories":[]}'


def _json(value: Any) -> str:
    """`value` as JSON in which nothing is hidden: what hides or reorders text is written as an escape."""
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


_NOTICE: Final = OPENING.replace("Lines that start with `|`", "The texts of `memories`")
MARKDOWN: Final = Form(_markdown_opening, compact_entry, _markdown_closing, _markdown_empty)
JSON: Final = Form(_json_opening, _json_entry, _json_closing, _json_empty)
FORMS: Final = {"markdown": MARKDOWN, "json": JSON}

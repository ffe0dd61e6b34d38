"""The two forms of a pack: Markdown for a model to read, and JSON for a program that builds its own prompt."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .compact import facts_of, frame_line, stored_lines
from .render import OPENING, Entry, close_fence, escaped, open_fence, visible


@dataclass(frozen=True, slots=True)
class Form:
    """How a pack is written: `opening`, each block, then `closing`, with nothing between.

    A block holds entries of the same `facts`: a `head`, which takes these, its first and last number and the nonce,
    then each `entry`, which takes its number, if it is not alone, with `between` between them. `opening` takes the
    nonce, the heading and the query; `empty` the heading, the reason and a hint, and gives texts for a pack without
    entries, the fullest first.
    """

    opening: Callable[[str, str, str | None], str]
    facts: Callable[[Entry], str]
    head: Callable[[str, int, int, str], str]
    entry: Callable[[Entry, int | None], str]
    between: str
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
    return f'{{"heading":{_json(heading)},"notice":{_json(NOTICE)},{asked}"memories":['


def _json_facts(_entry: Entry) -> str:
    return ""


def _json_head(_facts: str, _first: int, _last: int, _nonce: str) -> str:
    return ""


def _json_entry(entry: Entry, _number: int | None) -> str:
    facts: dict[str, Any] = {
        "id": entry.id,
        "memoryType": entry.memory_type,
        "source": entry.source,
        "trust": entry.trust,
        "ageDays": int(entry.age_days),
        "updatedAt": entry.updated_at,
        **({"outdated": entry.outdated} if entry.outdated else {}),
        **({"echo": True} if entry.echo else {}),
        "title": entry.title,
        "tags": list(entry.tags),
        "url": entry.url,
        "content": entry.content,
        **({"contentTruncated": True} if entry.truncated else {}),
    }
    return f"\n{_json(facts)}"


def _json_closing(_nonce: str) -> str:
    return "\n]}\n"


def _json_empty(heading: str, reason: str, hint: str) -> Sequence[str]:
    return _json({"heading": heading, "memories": [], "reason": reason + hint}), '{"memories":[]}'


def _json(value: Any) -> str:
    """`value` as JSON in which nothing is hidden: what hides or reorders text is written as an escape."""
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


NOTICE: Final = OPENING.replace("Lines that start with `|`", "The texts of `memories`")
MARKDOWN: Final = Form(
    opening=_markdown_opening,
    facts=facts_of,
    head=frame_line,
    entry=stored_lines,
    between="",
    closing=_markdown_closing,
    empty=_markdown_empty,
)
JSON: Final = Form(
    opening=_json_opening,
    facts=_json_facts,
    head=_json_head,
    entry=_json_entry,
    between=",",
    closing=_json_closing,
    empty=_json_empty,
)
FORMS: Final = {"markdown": MARKDOWN, "json": JSON}

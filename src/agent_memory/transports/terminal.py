"""Shows an answer to a person at a terminal."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

_ROWS: Final = 20
_WIDTH: Final = 88
_COUNTED: Final = ("byType", "byProject", "bySource", "byTag", "counts", "sizeBytes")


def show(body: Mapping[str, Any]) -> None:
    """Print the message, then what there is to look at; whether anybody reads it changes nothing."""
    try:
        _show(body)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # Python flushes it as it ends


def _show(body: Mapping[str, Any]) -> None:
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:
        reconfigure(errors="backslashreplace")  # a terminal that lacks a character must not end the run
    if not body["ok"]:
        _print(f"Failed ({body['error']['code']}): {body['error']['message']}")
        return
    _print(body["message"])
    if why := body.get("why"):
        _print(why)
    for warning in body["warnings"]:
        _print(f"Note: {warning}")
    for headings, rows in _tables(body):
        _table(headings, rows)
    if pack := body.get("contextMarkdown") or body.get("markdown"):
        _print(f"\n{pack}")


def _tables(body: Mapping[str, Any]) -> Iterator[tuple[Sequence[str], Sequence[Sequence[Any]]]]:
    """Headings and rows of what `body` holds."""
    memory: Mapping[str, Any] = body.get("memory", {})
    yield ("field", "value"), [(name, _cell(value)) for name, value in memory.items() if value not in (None, [], {})]
    yield ("score", "type", "updated", "memory"), [_memory_row(memory) for memory in body.get("memories", ())]
    chunks: Sequence[Mapping[str, Any]] = body.get("chunks", ())
    yield (
        ("chunk", "status", "tokens", "heading"),
        [tuple(_pick(c, "index", "status", "tokens", "heading")) for c in chunks],
    )
    faded: Sequence[Mapping[str, Any]] = body.get("archived", ()) if body.get("action") == "prune" else ()
    yield ("retained", "archived", "id"), [tuple(_pick(memory, "retained", "title", "id")) for memory in faded]
    revisions: Sequence[Mapping[str, Any]] = body.get("revisions", ()) if body.get("action") == "history" else ()
    yield ("revision", "at", "by", "state"), [tuple(_pick(line, "revision", "at", "by", "state")) for line in revisions]
    findings: Sequence[Mapping[str, Any]] = body.get("findings", ())
    yield ("finding", "about", "detail"), [tuple(_pick(finding, "kind", "about", "detail")) for finding in findings]
    events: Sequence[Mapping[str, Any]] = body.get("events", ())
    yield ("at", "change", "by", "memory"), [tuple(_pick(e, "at", "change", "writer", "memoryId")) for e in events]
    plan: Sequence[Mapping[str, Any]] = body.get("plan", ())
    yield ("becomes", "fields", "memory"), [tuple(_pick(step, "change", "fields", "memoryId")) for step in plan]
    for name, what in (("skipped", "reason"), ("recurrence", "count"), ("idle", "days")):
        lines: Sequence[Mapping[str, Any]] = body.get(name, ())
        yield (name, what), [(line.get("title", line["memoryId"]), _cell(line[what])) for line in lines]
    yield ("status", "held against", "review"), [_review_row(review) for review in body.get("reviews", ())]
    failed = [result for result in body.get("results", ()) if not result["ok"]]
    yield ("failed", "why"), [(str(result["index"]), result["error"]["message"]) for result in failed]
    yield ("not found",), [(memory_id,) for memory_id in body.get("notFound", ())]
    for name in _COUNTED:
        yield (name, "count"), list(body.get(name, {}).items())


def _pick(row: Mapping[str, Any], *names: str) -> Iterator[Any]:
    return (_cell(row[name]) for name in names)


def _cell(value: Any) -> str:
    """`value` as a person reads it."""
    if isinstance(value, list):
        return ", ".join(map(_cell, cast("list[Any]", value)))
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _memory_row(memory: Mapping[str, Any]) -> tuple[Any, ...]:
    score = memory.get("score")
    title, content = memory["title"], _short(memory.get("content", ""))
    known = content.startswith(title.removesuffix("…"))
    return (
        "" if score is None else f"{score:.2f}",
        memory["memoryType"],
        memory["updatedAt"][:10],
        "\n".join(part for part in ("" if known else title, content, memory["id"]) if part),
    )


def _review_row(review: Mapping[str, Any]) -> tuple[Any, ...]:
    """Status, the memories to hold the candidate against, and the candidate with the id that resolve takes."""
    kinds = ("duplicates", "supersedesCandidates", "promotionCandidates")
    against = [f"{found['why']}: {found['title']}" for kind in kinds for found in review[kind]]
    return review["status"], "\n".join(against), f"{_short(review['candidate']['content'])}\n{review['id']}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def _table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A table on a terminal, lines of cells between tabs elsewhere; at most 20 rows."""
    if not rows:
        return
    left_out = len(rows) - _ROWS
    if sys.stdout.isatty():
        _rich_table(headings, rows[:_ROWS])
    else:
        for row in (headings, *rows[:_ROWS]):
            _print("\t".join(str(cell).replace("\n", " | ") for cell in row))
    if left_out > 0:
        _print(f"… and {left_out} more in OUTPUT")


def _rich_table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich.console import Console  # a twentieth of a second that only a terminal needs
    from rich.table import Column, Table
    from rich.text import Text

    table = Table(*(Column(heading, overflow="fold") for heading in headings))  # an id that was cut is of no use
    for row in rows:
        table.add_row(*(Text(_printable(str(cell))) for cell in row))
    Console().print(table)


def _print(text: str) -> None:
    sys.stdout.write(_printable(text) + "\n")


def _printable(text: str) -> str:
    """Stored text must not steer a terminal: control characters are shown, not sent."""
    return "".join(c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)

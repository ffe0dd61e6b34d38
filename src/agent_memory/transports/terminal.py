"""Shows an answer to a person at a terminal."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

_ROWS: Final = 20
_WIDTH: Final = 88
_COUNTED: Final = ("byType", "byProject", "bySource", "byTag", "counts", "sizeBytes")


def show(body: Mapping[str, Any]) -> None:
    """Print the message, then what there is to look at: memories, chunks, counts or the pack."""
    if not body["ok"]:
        _print(f"Failed ({body['error']['code']}): {body['error']['message']}")
        return
    _print(body["message"])
    for warning in body["warnings"]:
        _print(f"Note: {warning}")
    if memory := body.get("memory"):
        _table(("field", "value"), [(name, value) for name, value in memory.items() if value not in (None, [], {})])
    if memories := body.get("memories"):
        _table(("score", "type", "updated", "memory", "id"), [_memory_row(m) for m in memories])
    if chunks := body.get("chunks"):
        _table(
            ("chunk", "status", "tokens", "heading"),
            [(c["index"], c["status"], c["tokens"], c["heading"]) for c in chunks],
        )
    for archived in body.get("archived", ()) if isinstance(body.get("archived"), list) else ():
        _print(f"  {archived['retained']:.3f}  {archived['title']}")
    for name in _COUNTED:
        if counted := body.get(name):
            _table((name, "count"), list(counted.items()))
    if pack := body.get("contextMarkdown"):
        _print(f"\n{pack}")


def _memory_row(memory: Mapping[str, Any]) -> tuple[Any, ...]:
    score = memory.get("score")
    return (
        "" if score is None else f"{score:.2f}",
        memory["memoryType"],
        memory["updatedAt"][:10],
        f"{memory['title']}\n{_short(memory.get('content', ''))}",
        memory["id"],
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def _table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A table on a terminal, tab-separated lines elsewhere; at most 20 rows."""
    left_out = len(rows) - _ROWS
    if sys.stdout.isatty():
        _rich_table(headings, rows[:_ROWS])
    else:
        for row in rows[:_ROWS]:
            _print("\t".join(str(cell).replace("\n", " | ") for cell in row))
    if left_out > 0:
        _print(f"… and {left_out} more in OUTPUT")


def _rich_table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich.console import Console  # a twentieth of a second that only a terminal needs
    from rich.table import Table
    from rich.text import Text

    table = Table(*headings)
    for row in rows:
        table.add_row(*(Text(_printable(str(cell))) for cell in row))
    Console().print(table)


def _print(text: str) -> None:
    sys.stdout.write(_printable(text) + "\n")


def _printable(text: str) -> str:
    """Stored text must not steer a terminal: control characters are shown, not sent."""
    return "".join(c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)

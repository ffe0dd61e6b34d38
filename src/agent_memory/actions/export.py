"""export: every memory with its whole history, as lines of JSON to keep or to take elsewhere."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NotRequired

from ..errors import InvalidRequestError
from ..models.vocabulary import State
from ..store.export_line import history_of
from ..store.kv import KeyValue
from ..store.transfer import export_lines, pieces
from .base import Action, Context, Request, Result
from .common.wording import how_many
from .fields.read import Status
from .fields.transfer import ExportPath

RECORD: Final = "EXPORT"
_RECORDS = re.compile(r"EXPORT(?:-\d+)?")
_LIVING: Final = frozenset({State.ACTIVE, State.ARCHIVED, State.PURGED})


class ExportRequest(Request):
    """Which memories, and perhaps the file to write them to."""

    status: Status | None = None
    export_path: ExportPath | None = None


class ExportResult(Result):
    """What was written, and where: records of the run's default key-value store, or a file.

    `counts` are memories by state; of purged ones it is only said that they are.
    """

    counts: dict[str, int]
    revisions: int
    bytes: int
    records: list[str]
    path: NotRequired[str]


async def export(request: ExportRequest, context: Context) -> ExportResult:
    """Write the memories in the order in which they were first stored, the oldest revision of each first."""
    if request.export_path and context.exchange.files is None:
        raise InvalidRequestError(
            "exportPath is for runs on your own machine. Leave it out here; the export is then the record "
            f"{RECORD} of the run's default key-value store.",
            field="exportPath",
        )
    states = _states(request.status)
    snapshot = await context.store.load(access=False)
    heads = [head for head in snapshot.heads.values() if head.state in states]
    lines = export_lines(snapshot, states)
    result = ExportResult(
        counts=dict(sorted(Counter(head.state.value for head in heads).items())),
        revisions=sum(len(history_of(head, snapshot.revisions[head.memory.id])) for head in heads),
        bytes=0,
        records=[],
        message="",
        warnings=snapshot.warnings(),
    )
    if request.export_path and context.exchange.files:
        result["path"] = request.export_path
        result["bytes"] = context.exchange.files.write(request.export_path, lines)
        where = request.export_path
    else:
        result["records"], result["bytes"] = await _write_records(lines, await context.exchange.open_records())
        where = f"{' and '.join(result['records']) or 'no record'} of the run's default key-value store"
        if context.exchange.files and result["records"]:
            result["warnings"].append("The next local run empties that store. Copy the record, or give exportPath.")
    gone = [head.state for head in snapshot.heads.values() if head.state not in states and request.status is None]
    if left := gone.count(State.FORGOTTEN):
        result["warnings"].append(f"Forgotten and left out: {how_many(left)}. status: all takes them along.")
    if left := len(gone) - gone.count(State.FORGOTTEN):
        result["warnings"].append(f"Reviews left out: {left}. status: all takes them along.")
    result["message"] = f"Exported {how_many(len(heads))} of {context.store.store_id} to {where}."
    return result


def _states(status: str | None) -> frozenset[State]:
    if status is None:
        return _LIVING
    if status in ("pending", "settled"):
        message = (
            f"status {status} is for reviews. Use active, archived, forgotten or all here; all takes reviews along."
        )
        raise InvalidRequestError(message, field="status")
    return frozenset(State) if status == "all" else frozenset({State(status)})


async def _write_records(lines: Iterable[bytes], records: KeyValue) -> tuple[list[str], int]:
    """Write EXPORT, EXPORT-2 and so on; what an earlier export has left behind them is deleted."""
    names: list[str] = []
    size = 0
    for number, piece in enumerate(pieces(lines), 1):
        names.append(RECORD if number == 1 else f"{RECORD}-{number}")
        await records.set(names[-1], piece)
        size += len(piece)
    for left in [key async for key in records.list_keys(RECORD) if _RECORDS.fullmatch(key) and key not in names]:
        await records.delete(left)
    return names, size


ACTION = Action(
    name="export",
    summary="Write every memory with its history as lines of JSON, to keep or to import elsewhere.",
    when="Use it for a backup or a move.",
    request=ExportRequest,
    result=ExportResult,
    handle=export,
    read_only=True,
    destructive=False,
    idempotent=True,
    example={"action": "export", "memoryStoreId": "acme~site-memory-agent"},
)

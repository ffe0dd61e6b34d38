"""The gate against secrets at the door: every text of a request that would be stored passes it, on every way in."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel

from ...errors import SecretRefusedError
from ...safety.secrets import find_secret, redact
from ...safety.structures import names_beside
from ..parse import BULK

M = TypeVar("M", bound=BaseModel)

_POINTERS: Final = frozenset(
    (
        "memoryId",
        "memoryIds",
        "documentId",
        "revision",
        "ifRevision",
        "confirm",
        "importPath",
        "sourceStore",
        "exportPath",
    )
)
"""What says where something is, and is not stored; a memory with a secret in its id must still be purged."""
_PLACES: Final = frozenset(("memoryStoreId", "projectId", "sessionId"))
_PAIR: Final = 2
_NAMES: Final = frozenset(
    ("memoryStoreId", "projectId", "sessionId", "idempotencyKey", "toolCallId", "id", "documentId", "keys", "by")
)
"""What tells one thing from another: redacted, two of them would be the same."""


def screen(request: M, *, redacting: bool, at: str = "") -> M:
    """`request` as it may be stored; `at` names its place in a larger request.

    The items of `memories` and `candidates` are left to their action, so that one of them does not stop the others.

    Raises:
        SecretRefusedError: a text looks like a secret, and either is not to be redacted or is a name.
    """
    changes: dict[str, Any] = {}
    fields = type(request).model_fields
    stored_elsewhere = _PLACES if "memory_store_id" in fields and _points(fields) else ()
    for name, field in fields.items():
        alias = field.alias or name
        if alias in _POINTERS or alias in BULK or alias in stored_elsewhere:
            continue
        given = getattr(request, name)
        path = f"{at}.{alias}" if at else alias
        kept = _screen(given, path, redacting=redacting and alias not in _NAMES)
        if kept is not given:
            changes[name] = kept
    return request.model_copy(update=changes) if changes else request


def _points(fields: Collection[str]) -> bool:
    """Whether a request speaks of memories that are there: then store, project and session only say where."""
    return "on_secret" not in fields or "memory_id" in fields


def screen_record(record: Mapping[str, Any], *, redacting: bool) -> dict[str, Any]:
    """`record`, a JSON object that is to be imported, as it may be stored; raises as `screen`."""
    return {
        name: _screen(value, name, redacting=redacting and name not in _NAMES, beside=(name,))
        for name, value in record.items()
    }


def secret_in(body: Mapping[str, Any]) -> tuple[str, str] | None:
    """The kind and the field of a secret in the body of a stored revision; None when nothing looks like one."""
    try:
        screen_record({"by": body["by"], "toolCallId": body.get("toolCallId")}, redacting=False)
        screen_record(body["origin"], redacting=False)
        screen_record(body["memory"], redacting=False)
        screen_record(body.get("settlement", {}), redacting=False)
    except SecretRefusedError as refusal:
        return refusal.details["kind"], refusal.details["field"]
    return None


def _screen(value: Any, path: str, *, redacting: bool, beside: tuple[str, ...] = ()) -> Any:
    """`value`, the same object when nothing had to be redacted. `beside` are the names that it stands under."""
    if type(value) is int and beside:
        kept = _screen_text(str(value), path, redacting=redacting, beside=beside)
        return value if kept == str(value) else kept
    if type(value) is str:
        return _screen_text(value, path, redacting=redacting, beside=beside)
    if isinstance(value, BaseModel):
        return screen(value, redacting=redacting, at=path)
    if isinstance(value, Mapping):
        table = cast("Mapping[str, Any]", value)
        kept: Any = {
            _screen_text(key, path, redacting=redacting): _screen(
                below, path, redacting=redacting, beside=names_beside(key, table, beside)
            )
            for key, below in table.items()
        }
        return table if all(key in kept and kept[key] is below for key, below in table.items()) else kept
    if isinstance(value, list | tuple):
        items = cast("list[Any] | tuple[Any, ...]", value)
        named = len(items) == _PAIR and all(type(item) is str for item in items)  # ["X-Api-Key", "..."]
        screened = [
            _screen(item, path, redacting=redacting, beside=(*beside, items[0]) if named and at else beside)
            for at, item in enumerate(items)
        ]
        same = all(new is old for new, old in zip(screened, items, strict=True))
        return items if same else [*screened]
    return value


def _screen_text(text: str, path: str, *, redacting: bool, beside: tuple[str, ...] = ()) -> str:
    found = find_secret(text)
    kind = found.kind if found else next(_kinds_under(beside, text), None)
    if kind is None:
        return text
    if not redacting:
        raise SecretRefusedError(
            f"{path} holds what looks like a secret ({kind}). Nothing of it was stored. Leave the secret out and say "
            'where it is kept, or send onSecret "redact" to store [redacted:<kind>] instead. Ids are never redacted.',
            field=path,
            kind=kind,
        )
    return redact(text) if found else f"[redacted:{kind}]"


def _kinds_under(names: tuple[str, ...], text: str) -> Iterator[str]:
    """The kinds of secrets that `text` is once it is read under each of `names`."""
    for name in names:
        said = find_secret(f'{{"{name}": {text}}}' if text.isdigit() else f"{name}: {text}")
        if said:
            yield said.kind

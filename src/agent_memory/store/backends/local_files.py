"""The files of a key-value store on a local disk, as the SDK names them: a value, its sidecar, and what was begun."""

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from ..kv import CONTENT_TYPE
from ..leftovers import SIDECAR, Kind, Leftover

_BEGUN: Final = re.compile(r"(?P<name>.*)\.[a-z0-9_]{8}\.tmp", re.DOTALL)
_OF_THE_STORE: Final = SIDECAR.removeprefix(".")


def is_value(name: str) -> bool:
    """Whether a file of this name holds a value."""
    return not name.endswith(_OF_THE_STORE) and not (name.endswith(".tmp") and _BEGUN.fullmatch(name))


def name_of(key: str) -> str:
    """The name of the file that holds the value of `key`."""
    return quote(key, safe="")


def put(folder: Path, key: str, value: bytes) -> None:
    """Write `value` and then its sidecar, each to another file first, so that no reader meets a part of it."""
    name = name_of(key)
    _replace(folder, name, value)
    _replace(folder, f"{name}{SIDECAR}", _sidecar(key, len(value)))


def remove(folder: Path, key: str) -> None:
    """Remove the value of `key` and its sidecar, where they are there."""
    name = name_of(key)
    (folder / name).unlink(missing_ok=True)
    (folder / f"{name}{SIDECAR}").unlink(missing_ok=True)


def scan(folder: Path) -> Iterator[Leftover]:
    """What is in `folder`, if there is one, beside values with a sidecar; what vanishes meanwhile is passed over."""
    names = {path.name for path in (folder.iterdir() if folder.is_dir() else ())} - {_OF_THE_STORE}
    for name in sorted(names):
        try:
            at = (folder / name).stat().st_mtime_ns // 1_000_000
            if begun := _BEGUN.fullmatch(name):
                yield Leftover(Kind.CUT_SHORT, unquote(begun["name"]), name, at, (folder / name).read_bytes())
            elif name.endswith(SIDECAR):
                if (value := name.removesuffix(SIDECAR)) not in names:
                    yield Leftover(Kind.LONE_SIDECAR, unquote(value), name, at)
            elif f"{name}{SIDECAR}" not in names:
                yield Leftover(Kind.NO_SIDECAR, unquote(name), name, at)
        except FileNotFoundError:
            continue


def mend(folder: Path, leftover: Leftover) -> None:
    """Write the sidecar that a value lacks, or remove the file.

    A value is never written again: it might have been deleted or overwritten since it was looked at.
    """
    if leftover.kind is not Kind.NO_SIDECAR:
        (folder / leftover.name).unlink(missing_ok=True)
        return
    size = (folder / leftover.name).stat().st_size
    _replace(folder, f"{leftover.name}{SIDECAR}", _sidecar(leftover.key, size))


def _sidecar(key: str, size: int) -> bytes:
    """What the SDK writes beside a value of `size` bytes."""
    return json.dumps({"key": key, "content_type": CONTENT_TYPE, "size": size}, ensure_ascii=False, indent=2).encode()


def _replace(folder: Path, name: str, content: bytes) -> None:
    file, begun = tempfile.mkstemp(dir=folder, prefix=f"{name}.", suffix=".tmp")
    try:
        with os.fdopen(file, "wb") as open_file:
            open_file.write(content)
        Path(begun).replace(folder / name)
    except BaseException:
        Path(begun).unlink(missing_ok=True)
        raise

"""The files of a key-value store on a local disk, as the SDK names them: a value, its sidecar, and what was begun."""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from .kv import CONTENT_TYPE
from .leftovers import SIDECAR, Kind, Leftover

_BEGUN: Final = re.compile(r"(?P<name>.*)\.[a-z0-9_]{8}\.tmp", re.DOTALL)
_OF_THE_STORE: Final = SIDECAR.removeprefix(".")


def is_value(name: str) -> bool:
    """Whether a file of this name holds a value."""
    return not name.endswith(_OF_THE_STORE) and _BEGUN.fullmatch(name) is None


def scan(folder: Path) -> Iterator[Leftover]:
    """What is in `folder` beside values that have a sidecar; what vanishes meanwhile is passed over."""
    names = {path.name for path in folder.iterdir()} - {_OF_THE_STORE}
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
    sidecar = {"key": leftover.key, "content_type": CONTENT_TYPE, "size": size}
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=folder, prefix=f"{leftover.name}{SIDECAR}.", suffix=".tmp", delete=False
    ) as file:
        json.dump(sidecar, file)
    Path(file.name).replace(folder / f"{leftover.name}{SIDECAR}")

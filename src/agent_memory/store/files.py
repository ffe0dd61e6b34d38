"""The files that a local run may read and write: those below one folder."""

import errno
import tempfile
from collections.abc import AsyncIterator, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import InvalidRequestError, StorageUnavailableError

_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})
_MARK: Final = b'{"agentMemoryExport":'


@dataclass(frozen=True, slots=True)
class FileSource:
    """The files directly in a folder, or a single one, by their names."""

    paths: dict[str, Path]

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        """Their names, as far as they start with `prefix`."""
        for name in sorted(self.paths):
            if name.startswith(prefix):
                yield name

    async def get(self, key: str) -> bytes | None:
        """The bytes of the file called `key`, None when there is none."""
        if key not in self.paths:
            return None
        with _told("importPath", key):
            return self.paths[key].read_bytes()


@dataclass(frozen=True, slots=True)
class Files:
    """Files below `root`; links that lead out of it are outside."""

    root: Path

    def source(self, path: str) -> FileSource:
        """What the file or folder `path` holds.

        Raises:
            InvalidRequestError: it is missing, outside, or may not be read.
        """
        with _told("importPath", path):
            found = self._inside("importPath", path)
            files = sorted(found.iterdir()) if found.is_dir() else [found]
            if not found.exists():
                raise InvalidRequestError(
                    f"importPath: there is no {path!r} in {self.root}. Give a file or folder below it.",
                    brief=_brief("importPath"),
                    field="importPath",
                )
            root = self.root.resolve()
            return FileSource({f.name: f for f in files if f.is_file() and f.resolve().is_relative_to(root)})

    def write(self, path: str, values: Iterable[bytes]) -> int:
        """Write `values` to the file `path`, whole or not at all; an earlier export is replaced. Returns the bytes.

        Raises:
            InvalidRequestError: it is outside, a folder, in a missing folder, or something else than an export.
            StorageUnavailableError: the disk refused.
        """
        with _told("exportPath", path):
            target = self._inside("exportPath", path)
            if target.is_dir() or not target.parent.is_dir():
                raise InvalidRequestError(
                    f"exportPath: {path!r} must be a file in an existing folder below {self.root}. "
                    "Nothing was written.",
                    brief=_brief("exportPath"),
                    field="exportPath",
                )
            if target.exists() and not _is_export(target):
                raise InvalidRequestError(
                    f"exportPath: {path!r} exists and is no export; it was not overwritten. Name another file.",
                    brief=_brief("exportPath"),
                    field="exportPath",
                )
            return _replace(target, values)

    def _inside(self, name: str, path: str) -> Path:
        root = self.root.resolve()
        found = (root / path).resolve() if "\0" not in path else root.parent
        if not found.is_relative_to(root):
            raise InvalidRequestError(
                f"{name}: {path!r} lies outside of {root}, the folder that this run was started in. "
                "Give a path below it.",
                brief=_brief(name),
                field=name,
            )
        return found


def _brief(name: str) -> str:
    return f"{name}: the path cannot be used. The answer says more."


def _is_export(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(len(_MARK))
    return start in (b"", _MARK)


def _replace(target: Path, values: Iterable[bytes]) -> int:
    """Write a file beside `target`, then put it in its place."""
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        beside = Path(file.name)
        try:
            size = sum(file.write(value) for value in values)
            file.close()
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    return size


@contextmanager
def _told(name: str, path: str) -> Generator[None]:
    """Turn what the file system raises into an error for the person who gave the path."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "its links run in a circle"
        if getattr(error, "errno", None) in _DISK:
            message = f"{name}: the disk refused {path!r} ({reason}). Free some space or try again."
            raise StorageUnavailableError(message, brief=_brief(name), field=name) from error
        message = f"{name}: {path!r} cannot be used ({reason}). Check the path and its rights; nothing changed."
        raise InvalidRequestError(message, brief=_brief(name), field=name) from error

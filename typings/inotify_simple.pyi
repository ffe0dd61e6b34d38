"""The part of inotify_simple that is used here; it has no types of its own."""

from os import PathLike
from typing import NamedTuple

class Event(NamedTuple):
    wd: int
    mask: int
    cookie: int
    name: str

class INotify:
    def __init__(self, *, nonblocking: bool = ...) -> None: ...
    def add_watch(self, path: PathLike[str], mask: int) -> int: ...
    def rm_watch(self, wd: int) -> None: ...
    def read(self, timeout: int | None = ...) -> list[Event]: ...
    def close(self) -> None: ...

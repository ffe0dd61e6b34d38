"""Watches the folder of a store on a local disk: a look that finds nothing new costs microseconds."""

import asyncio
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from ..backends.local import key_of, keys_in
from ..backends.local_files import name_of
from ..backends.storage_errors import storage_errors
from .folder_events import PUT, Channel, FolderEvents, tells_all
from .watch import Seen, Watch

_GRAIN_S: Final = 2.5
"""File systems stamp changes with a granularity of up to two seconds."""

Place = tuple[int, int]
"""Device and inode of a folder."""


def watch_folder(folder: Path, events: FolderEvents, monotonic: Callable[[], float]) -> Watch:
    """The best watch that can be had on `folder`, which need not be there yet; `monotonic` counts seconds."""
    channel = events.watch(folder)
    if channel is None and (folder.exists() or not tells_all(folder.parent)):
        return StampWatch(folder, monotonic)
    return EventWatch(folder, events, channel)


class EventWatch:
    """Knows by name what happens in a folder, since the kernel tells."""

    exact: bool = True

    def __init__(self, folder: Path, events: FolderEvents, channel: Channel | None) -> None:
        """`channel` tells of `folder`; None while that is not there."""
        self._folder: Final = folder
        self._events: Final = events
        self._channel = channel
        self._place = _place(folder)
        self._pending: dict[str, list[int]] = {}
        self._own: set[str] = set()
        self._told: AbstractSet[str] = frozenset()
        self._doubt = True

    def quiet(self) -> bool:
        """Whether the kernel has told nothing since the last look."""
        channel = self._follow()
        return channel is not None and not (self._doubt or channel.lost or self._pending)

    def wrote(self, key: str) -> None:
        """The next event of `key` is our own, if it is the only one, and unless the last look has told of it."""
        if key not in self._told:
            self._own.add(key)

    async def look(self, known: AbstractSet[str], *, whole: bool) -> Seen:
        """The keys that something happened to, or all."""
        channel = self._follow()
        lost = self._doubt or channel is None or channel.lost
        pending, self._pending, self._doubt = self._pending.keys(), {}, True
        self._told = pending
        if whole or lost:
            another = channel is None and self._place is not None
            self._begin()
            there: AbstractSet[str] = await _list(self._folder)
            if lost:
                self._told = there
                self._own.clear()
            seen = Seen(there=there, gone=known - there, touched=there if lost else pending, another=another)
        else:
            with storage_errors("the list of keys"):
                there = await asyncio.to_thread(_existing, self._folder, pending)
            seen = Seen(there=there, gone=pending - there, touched=there)
        self._doubt = False
        return seen

    def close(self) -> None:
        """Stop watching; further looks are at everything."""
        if self._channel is not None:
            self._events.release(self._channel)
            self._channel = None

    def _begin(self) -> None:
        """Listen before everything is listed."""
        if self._channel is None:
            self._channel = self._events.watch(self._folder)
            self._place = _place(self._folder)
        else:
            self._channel.lost = False

    def _follow(self) -> Channel | None:
        """Take up what the kernel told; None when it does not tell of the folder that is there now."""
        if self._channel is not None and (self._channel.ended or self._place != _place(self._folder)):
            self.close()
        if self._channel is None:
            return None
        self._events.pump()
        events, self._channel.events = self._channel.events, []
        for name, what in events:
            if (key := key_of(name)) is not None:
                self._pending.setdefault(key, []).append(what)
        for key in [key for key in self._pending if key in self._own]:
            self._own.discard(key)
            if self._pending[key] == [PUT]:
                del self._pending[key]
        if self._channel.ended:
            self.close()
        return self._channel


class StampWatch:
    """Knows by a folder's time of change whether something happened.

    The time does not change when two changes fall into one grain of the file system's clock. So a listing counts only
    when it began a grain after that time was first seen.
    """

    exact: bool = True

    def __init__(self, folder: Path, monotonic: Callable[[], float]) -> None:
        """Nothing was seen yet."""
        self._folder: Final = folder
        self._monotonic: Final = monotonic
        self._stamp: tuple[Place, int] | None = None
        self._stamped_at = self._listed_at = 0.0

    def quiet(self) -> bool:
        """Whether the folder's time is the same, and old enough when all was listed."""
        return _stamp(self._folder) == self._stamp and self._listed_at >= self._stamped_at + _GRAIN_S

    def wrote(self, key: str) -> None:
        """Of no use: the folder's time tells nothing of keys."""

    async def look(self, known: AbstractSet[str], *, whole: bool) -> Seen:  # noqa: ARG002  # every look is whole
        """One listing."""
        before, self._stamp = self._stamp, _stamp(self._folder)
        self._listed_at = self._monotonic()
        if before != self._stamp:
            self._stamped_at = self._listed_at
        another = before is not None and (self._stamp is None or self._stamp[0] != before[0])
        there = await _list(self._folder)
        return Seen(there=there, gone=known - there, touched=None, another=another)

    def close(self) -> None:
        """Nothing was opened."""


def _place(folder: Path) -> Place | None:
    stamp = _stamp(folder)
    return stamp and stamp[0]


def _stamp(folder: Path) -> tuple[Place, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino), found.st_mtime_ns


async def _list(folder: Path) -> set[str]:
    with storage_errors("the list of keys"):
        return set(await asyncio.to_thread(keys_in, folder))


def _existing(folder: Path, keys: AbstractSet[str]) -> set[str]:
    return {key for key in keys if (folder / name_of(key)).exists()}

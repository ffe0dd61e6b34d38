"""What the Linux kernel says of changes in folders (inotify): by any process, in order, before they are acknowledged.

An event is queued before the system call that caused it returns. This holds for the file systems of this machine; one
that other machines write to tells nothing of that.
"""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from inotify_simple import INotify

_LOCAL: Final = frozenset({"btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "ramfs", "tmpfs", "xfs", "zfs"})
_KEPT: Final = 10_000

CLOSE_WRITE: Final = 0x8
MOVED_FROM: Final = 0x40
PUT: Final = 0x80
"""A finished file got this name: how values are written (IN_MOVED_TO)."""
_CREATE: Final = 0x100
_DELETE: Final = 0x200
_OVERFLOW: Final = 0x4000
_IGNORED: Final = 0x8000
_CHANGES: Final = CLOSE_WRITE | MOVED_FROM | PUT | _CREATE | _DELETE


@dataclass(slots=True, eq=False)
class Channel:
    """The events of one folder: a file's name and what happened. `lost`: some are missing; `ended`: none follow."""

    watched: int
    events: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    lost: bool = False
    ended: bool = False


class FolderEvents:
    """The watched folders of this process."""

    def __init__(self) -> None:
        """Nothing is watched."""
        self._kernel: INotify | None = None
        self._channels: dict[int, list[Channel]] = {}

    def watch(self, folder: Path) -> Channel | None:
        """The events of `folder` from now on; None where the kernel does not tell of all of them."""
        if not tells_all(folder):
            return None
        try:
            if self._kernel is None:
                from inotify_simple import INotify

                self._kernel = INotify(nonblocking=True)
            channel = Channel(self._kernel.add_watch(folder, _CHANGES))
        except OSError:  # the folder is gone, or the system allows no more watches
            return None
        self._channels.setdefault(channel.watched, []).append(channel)
        return channel

    def pump(self) -> None:
        """Hand out what the kernel has queued."""
        if self._kernel is None:
            return
        for event in self._kernel.read(timeout=0):
            channels = self._channels.get(event.wd, ())
            if event.mask & _OVERFLOW:
                _set_lost(channel for group in self._channels.values() for channel in group)
            elif event.mask & _IGNORED:
                for channel in self._channels.pop(event.wd, ()):
                    channel.ended = True
            for channel in channels:
                channel.events.append((event.name, event.mask))
                if len(channel.events) > _KEPT:
                    channel.events.clear()
                    channel.lost = True

    def release(self, channel: Channel) -> None:
        """Let go of one folder."""
        group = self._channels.get(channel.watched, [])
        if channel in group:
            group.remove(channel)
            if not group and self._kernel is not None:
                del self._channels[channel.watched]
                with suppress(OSError):  # the folder, and with it the watch, has gone
                    self._kernel.rm_watch(channel.watched)

    def close(self) -> None:
        """Let go of all folders."""
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None
        self._channels.clear()


def _set_lost(channels: Iterable[Channel]) -> None:
    for channel in channels:
        channel.lost = True


def tells_all(folder: Path) -> bool:
    """Whether `folder` is on a file system of which the kernel knows every change."""
    if sys.platform != "linux":
        return False
    try:
        device = folder.stat().st_dev
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    name = f"{os.major(device)}:{os.minor(device)}"
    kinds = {line.partition(" - ")[2].split(" ", 1)[0] for line in mounts if line.split(" ", 3)[2] == name}
    return bool(kinds) and kinds <= _LOCAL

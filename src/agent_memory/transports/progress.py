"""How far a long job is: a bar on a terminal, the status message on the platform; silent for the first 2 seconds."""

import sys
import time
from typing import Final

from apify import Actor

from ..actions.base import Progress

_QUIET_SECONDS: Final = 2.0
_BAR: Final = 30


def make_progress() -> Progress:
    """A progress that starts its clock now."""
    started = time.monotonic()

    async def progress(done: int, total: int, what: str) -> None:
        if time.monotonic() - started < _QUIET_SECONDS:
            return
        if Actor.is_at_home():
            await Actor.set_status_message(f"{done} of {total} {what}")
        elif sys.stderr.isatty():
            filled = _BAR * done // max(total, 1)
            end = "\n" if done >= total else ""
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (_BAR - filled)}] {done} of {total} {what}{end}")
            sys.stderr.flush()

    return progress

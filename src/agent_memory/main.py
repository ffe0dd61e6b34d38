"""The composition root: reads the settings, picks the mode and imports only that transport."""

import asyncio
import gc

from .settings import read_settings
from .store.open import spare_sql_imports


def main() -> None:
    """Run the Actor once."""
    settings = read_settings()
    spare_sql_imports()
    from .transports.batch import run  # only the chosen transport is imported

    gc.freeze()  # what is imported by now stays: the collection at exit need not look at it
    asyncio.run(run(settings))

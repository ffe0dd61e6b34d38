"""The composition root: reads the settings, picks the mode and imports only that transport."""

import asyncio

from .settings import Settings


def main() -> None:
    """Run the Actor once."""
    settings = Settings()
    from .transports.batch import run  # only the chosen transport is imported

    asyncio.run(run(settings))

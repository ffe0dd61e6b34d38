"""What stands behind a warm way in: the Actor, the opened storage and the stores that stay in memory."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from apify import Actor, Configuration

from ..settings import Settings
from ..store.backends.apify import open_records, open_source
from ..store.open import key_value_stores
from ..store.warm.stores import limits_within, warm_stores
from .caller import ALL_STORES
from .service import Service
from .surroundings import clock, new_id

_PLENTY_MB: Final = 4_096
"""Where nobody says how much memory there is."""


@asynccontextmanager
async def open_service(settings: Settings, configuration: Configuration | None = None) -> AsyncGenerator[Service]:
    """The service of this process; what was put off is written, and the Actor ends, when it is closed.

    `configuration` is the SDK's; the process itself is left to whoever called.
    """
    # A server that starts beside batch runs in a folder must not empty the store that holds their INPUT and OUTPUT.
    actor = Actor(configuration=configuration or Configuration(purge_on_start=False), exit_process=False)
    async with AsyncExitStack() as stack:
        # The SDK opens the default store last, which a server can do without: its INPUT may be no JSON, or its folder
        # refuse to be written.
        with suppress(ValueError, OSError):
            await actor.init()
        stack.push_async_exit(actor)
        open_kv = await stack.enter_async_context(key_value_stores(settings.storage))
        # A hint at another store would tell the bearer of a token for one store that the other exists.
        hints = all(ALL_STORES in entry.stores for entry in settings.tokens)
        limits = limits_within((settings.memory_mbytes or _PLENTY_MB) * 1_000_000)
        stores = await stack.enter_async_context(
            warm_stores(open_kv, now=clock, new_id=new_id, limits=limits, hints=hints)
        )
        if settings.default_store:
            await (await stores.open(settings.default_store)).load()
        yield Service(
            open_store=stores.open,
            open_records=open_records,
            open_source=open_source,
            decay_on=settings.decay_on,
            policy=settings.policy,
        )

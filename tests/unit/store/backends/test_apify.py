"""Opening a store of Apify."""

import asyncio

import pytest
from apify import Actor

from agent_memory.errors import StorageUnavailableError
from agent_memory.store.backends import apify


async def test_opening_is_given_up_when_the_storage_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(**_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Actor, "is_at_home", lambda: True)
    monkeypatch.setattr(Actor, "open_key_value_store", wait)
    monkeypatch.setattr(apify, "OPENING_S", 0.01)

    with pytest.raises(StorageUnavailableError, match="mem-notes"):
        await apify.open_key_value("mem-notes")

"""What was purged is in no warm store, also while it is packed or noted late."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import cast

import pytest

from agent_memory.models.vocabulary import State
from agent_memory.store import upkeep
from agent_memory.store.codec import Stored, parse_moved
from agent_memory.store.keys import MANIFEST
from agent_memory.store.kv import InMemoryKeyValue
from support.revisions import after
from support.warm_stores import WORLD, cold, texts, warm, write
from support.world import STORE


class Belated(InMemoryKeyValue):
    """A note of where a segment's rows went is kept back."""

    note: tuple[str, bytes] | None = None

    async def set(self, key: str, value: bytes) -> None:
        if self.note is None and parse_moved(value):
            self.note = key, value
        else:
            await super().set(key, value)


async def test_a_note_that_lands_days_late_points_to_what_was_swept_and_stands_in_no_way() -> None:
    kv = Belated()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a", "b")
        view = await store.load()
        await store.scrub(await store.commit(view, [after(*view.revisions["a"], content="", state=State.PURGED)]))
        for name in ("c", "d", "e"):
            WORLD.now += timedelta(days=1.1)
            await cold(kv).tidy(await cold(kv).load())
            await write(store, name)
        assert kv.note is not None
        name, note = kv.note
        assert name not in kv.values
        await kv.set(name, note)

        for each in (cold(kv), store):
            assert texts(await each.load()) == ["text b", "text c", "text d", "text e"]
        async with warm(kv) as others:
            assert len(texts(await (await others.open(STORE)).load())) == 4
        await cold(kv).tidy(await cold(kv).load())
        assert name not in kv.values


async def test_purged_content_is_not_kept_in_memory() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a", "b")
        await write(store, "c")
        for purger in (cold(kv), store):
            for memory_id in ("a", "c"):
                view = await purger.load()
                group = cast("list[Stored]", view.revisions[memory_id])
                await purger.scrub(
                    await purger.commit(view, [after(*group, content="", state=State.PURGED)]),
                )
                snapshot = await store.load()
                assert {stored.revision.memory.content for stored in snapshot.revisions[memory_id]} == {""}
                assert f"text {memory_id}".encode() not in b"".join(stored.line for stored in snapshot.stored())


class Meddled(InMemoryKeyValue):
    """Somebody does something just before a segment is written; once."""

    meddle: Callable[[], Awaitable[object]] | None = None

    async def set(self, key: str, value: bytes) -> None:
        if self.meddle and key.startswith("segment-"):
            meddle, self.meddle = self.meddle, None
            await meddle()
        await super().set(key, value)


async def test_what_is_purged_while_it_is_packed_stays_purged_and_what_was_put_off_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upkeep, "PACK_FROM", 2)
    kv = Meddled()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        await write(store, "b")

        async def purge() -> None:
            view = await cold(kv).load()
            gone = after(*view.revisions["a"], content="", state=State.PURGED)
            await cold(kv).scrub(await cold(kv).commit(view, [gone]))
            await store.load()
            await kv.delete(MANIFEST)

        kv.meddle = purge

        assert await store.listed() == {"b"}
        await store.tidy(await store.load())
        assert texts(await store.load()) == ["text b"]
        assert not [key for key, value in kv.values.items() if b"text a" in value]

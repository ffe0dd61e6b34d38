"""What a newer version wrote is refused by warm stores as by cold ones."""

import hashlib
from dataclasses import replace

import pytest

from agent_memory.errors import ConflictError
from agent_memory.store.codec import Stored, encode
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.memory_store import MemoryStore
from support.revisions import first
from support.warm_stores import cold, warm, write
from support.world import STORE


async def test_what_a_newer_version_wrote_is_refused_until_it_is_gone_and_no_write_is_called_undone_for_it() -> None:
    kv = InMemoryKeyValue()
    async with warm(kv) as stores:
        store = await stores.open(STORE)
        await write(store, "a")
        view = await store.load()
        key, line = of_a_newer_version(encode(first("b")))
        kv.values[key] = line

        assert "newer version" in (await refusal(store)).message
        assert (await refusal(store)).message == (await refusal(cold(kv))).message
        after_commit = await store.recheck(await store.commit(view, [first("c")]), "c")
        assert after_commit.find("c") is not None

        del kv.values[key]
        assert sorted((await store.load()).heads) == ["a", "c"]


async def refusal(store: MemoryStore) -> ConflictError:
    with pytest.raises(ConflictError) as caught:
        await store.load()
    return caught.value


def of_a_newer_version(stored: Stored) -> tuple[str, bytes]:
    """The key and the line of a revision in a format that this version does not know."""
    line = stored.line.replace(b'"format":1', b'"format":99')
    return str(replace(stored.key, hash=hashlib.sha256(line).hexdigest()[:20])), line

"""When memories were last read: two shards, lossy by contract.

Each entry keeps the last access and the one before, so that a later page of an answer can be ranked as the first one
was, although that one touched what it showed.
"""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from .aside import aside
from .codec import to_json
from .keys import ACCESS_PREFIX, is_access
from .kv import KeyValue

_GRAIN: Final = len("2026-03-01T09")
_KEPT: Final = 2
_SHARD_ENTRIES: Final = 20_000
_LEAST_CHANGES: Final = 10_000

Accesses = Mapping[str, tuple[str, ...]]


class Accessed(dict[str, tuple[str, ...]]):
    """Accesses that one process keeps and changes in place; `changes` are the ids in the order in which they changed.

    So whoever has read them follows with what is new, however many there are.
    """

    def __init__(self, times: Accesses = MappingProxyType({})) -> None:
        """As `times`, with nothing changed yet."""
        super().__init__(times)
        self.changes: list[str] = []

    def note(self, fresh: Accesses) -> None:
        """Take in `fresh` times."""
        self.update(fresh)
        self.changes.extend(fresh)

    @property
    def worn(self) -> bool:
        """Whether the list of changes has grown so long that a new beginning costs less."""
        return len(self.changes) > _LEAST_CHANGES + 2 * len(self)


async def read_access(kv: KeyValue, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The last two instants of access of each memory, the latest first, from the shards among `keys`."""
    found: dict[str, tuple[str, ...]] = {}
    for key in sorted(filter(is_access, keys)):
        for memory_id, times in _parse(await kv.get(key)).items():
            found[memory_id] = latest(*times, *found.get(memory_id, ()))
    return found


def stale(memory_ids: Iterable[str], known: Accesses, now: str) -> list[str]:
    """Those of `memory_ids` last read in another hour than `now`: a busy store is not written all the time."""
    return [i for i in memory_ids if i not in known or known[i][0][:_GRAIN] != now[:_GRAIN]]


async def write_access(kv: KeyValue, shard: int, memory_ids: Iterable[str], known: Accesses, now: str) -> None:
    """Note in `shard` that `memory_ids` were read `now`; what is not `known` any more is dropped from it."""
    await write_times(kv, shard, {i: latest(now, *known.get(i, ())) for i in memory_ids}, known)


async def write_times(kv: KeyValue, shard: int, fresh: Accesses, known: Accesses) -> None:
    """Note in `shard` when memories were read; what is not `known` any more is dropped from it."""
    key = access_key(shard)
    before = await kv.get(key)
    await kv.set(key, await aside(len(known), lambda: _merged(before, fresh, known)))


def _merged(shard: bytes | None, fresh: Accesses, known: Accesses) -> bytes:
    kept = {i: times for i, times in _parse(shard).items() if i in known}
    newest = sorted({**kept, **fresh}.items(), key=lambda entry: entry[1], reverse=True)[:_SHARD_ENTRIES]
    return to_json(dict(newest)).encode()


def access_key(shard: int) -> str:
    """The key of a shard."""
    return f"{ACCESS_PREFIX}{shard}"


def latest(*times: str) -> tuple[str, ...]:
    """What is kept of instants of access: the last two, the latest first."""
    return tuple(sorted(set(times), reverse=True)[:_KEPT])


def _parse(value: bytes | None) -> dict[str, tuple[str, ...]]:
    """The shard in `value`; what is damaged counts as never read."""
    try:
        shard: Any = json.loads(value or b"{}")
        return {str(i): latest(*map(str, times)) for i, times in shard.items() if times}
    except (ValueError, AttributeError, TypeError):
        return {}

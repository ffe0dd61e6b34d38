"""When memories were last read: eight shards, lossy by contract, merged by the later time."""

import json
from collections.abc import Iterable, Mapping
from typing import Final

from .codec import to_json
from .keys import ACCESS_PREFIX
from .kv import KeyValue

_GRAIN: Final = len("2026-03-01T09")


async def read_access(kv: KeyValue, keys: Iterable[str]) -> dict[str, str]:
    """The last access of each memory, from the shards among `keys`."""
    latest: dict[str, str] = {}
    for key in sorted(key for key in keys if key.startswith(ACCESS_PREFIX)):
        for memory_id, at in _parse(await kv.get(key)).items():
            latest[memory_id] = max(at, latest.get(memory_id, ""))
    return latest


def stale(memory_ids: Iterable[str], last_access: Mapping[str, str], now: str) -> list[str]:
    """Those of `memory_ids` last read in another hour than `now`: a busy store is not written all the time."""
    return [i for i in memory_ids if last_access.get(i, "")[:_GRAIN] != now[:_GRAIN]]


async def write_access(kv: KeyValue, shard: int, memory_ids: Iterable[str], known: Iterable[str], now: str) -> None:
    """Note in `shard` that `memory_ids` were read `now`, and drop what is not `known` any more."""
    key = f"{ACCESS_PREFIX}{shard}"
    live = set(known)
    kept = {i: at for i, at in _parse(await kv.get(key)).items() if i in live}
    await kv.set(key, to_json({**kept, **dict.fromkeys(memory_ids, now)}).encode())


def _parse(value: bytes | None) -> dict[str, str]:
    """The shard in `value`; a damaged one counts as empty."""
    try:
        shard = json.loads(value or b"{}")
        return {str(i): str(at) for i, at in shard.items()}
    except (ValueError, AttributeError):
        return {}

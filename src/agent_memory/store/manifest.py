"""`__manifest`, the list of ids that is there for people to read; a cache, never trusted."""

import json
from typing import Final

from .aside import aside
from .codec import to_json
from .keys import MANIFEST, parse_revision_key
from .kv import KeyValue
from .snapshot import Snapshot

MANIFEST_IDS: Final = 10_000


async def read_manifest(kv: KeyValue) -> set[str] | None:
    """The ids in the list; None where it is missing or damaged."""
    try:
        return {str(i) for i in json.loads(await kv.get(MANIFEST) or b"")["memoryIds"]}
    except (KeyError, TypeError, ValueError):
        return None


async def write_manifest(kv: KeyValue, store_id: str, snapshot: Snapshot, at: str) -> None:
    """Write the list anew: the newest ids of `snapshot`, and those that its listing shows of others; `at` is now."""
    await kv.set(MANIFEST, await aside(len(snapshot.heads), lambda: _listing(store_id, snapshot, at)))


def _listing(store_id: str, snapshot: Snapshot, at: str) -> bytes:
    known = [i for i, head in reversed(snapshot.heads.items()) if not head.state.hidden]
    newest = [*sorted(_ids_of_others(snapshot)), *known]
    manifest = {
        "version": 2,
        "memoryStoreId": store_id,
        "memoryIds": newest[:MANIFEST_IDS],
        "truncated": len(newest) > MANIFEST_IDS,
        "updatedAt": at,
    }
    return to_json(manifest).encode()


def _ids_of_others(snapshot: Snapshot) -> set[str]:
    """What others have written since `snapshot`, as far as the listing after the commit tells."""
    keys = map(parse_revision_key, snapshot.listed or ())
    return {key.memory_id for key in keys if key and not key.state.hidden and key.memory_id not in snapshot.heads}

"""A hint where a store is new and empty, and another one has nearly the same id."""

import json
from typing import Any, Final

from ..errors import MemoryServiceError
from .keys import STORE_PREFIX
from .kv import KeyValue, Neighbourhood
from .names import digest_in, names_alike, same_but_for_case_and_spaces, storage_name

_LOOKED_INTO: Final = 5


async def look_alikes(kv: KeyValue, store_id: str) -> list[str]:
    """What to say of stores beside `kv` whose id is `store_id` but for case and spaces.

    Asks for the names beside it, and looks into the first five that may be one. A hint is no reason to fail: what
    cannot be read is passed over.
    """
    if not isinstance(kv, Neighbourhood):
        return []
    mine = storage_name(store_id)
    found: list[str] = []
    try:
        names = [name for name in await kv.names_beside() if name != mine and names_alike(name, mine)]
        for name in names[:_LOOKED_INTO]:
            other = _store_id(await kv.read_beside(name, f"{STORE_PREFIX}{digest_in(name)}"))
            if other and same_but_for_case_and_spaces(other, store_id):
                found.append(other)
    except MemoryServiceError:
        return []
    return [
        f"{store_id!r} is new and empty. There is also {other!r}, which differs only by case or spaces and is "
        "another store. If you meant that one, give its memoryStoreId as it is written there."
        for other in found
    ]


def _store_id(value: bytes | None) -> str | None:
    try:
        owner: Any = json.loads(value or b"{}")
        return str(owner["memoryStoreId"])
    except (KeyError, TypeError, ValueError):
        return None

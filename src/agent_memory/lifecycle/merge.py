"""How an update changes a memory: given fields only, metadata merged, null clears."""

from collections.abc import Mapping
from typing import Any, cast


def merge_patch(target: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """`target` with `patch` merged into it as RFC 7396 says: null removes a key, objects merge, all else replaces."""
    merged = dict(target)
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        elif (below := _object(value)) is not None:
            merged[name] = merge_patch(_object(merged.get(name)) or {}, below)
        else:
            merged[name] = value
    return merged


def _object(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None

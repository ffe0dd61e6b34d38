"""What a client says of a call beside its arguments: the `_meta` of a request."""

from collections.abc import Mapping
from typing import Any, Final

_CALL: Final = frozenset(("toolcallid", "tooluseid"))
_LONGEST: Final = 200


def call_id(meta: Mapping[str, Any] | None) -> str | None:
    """The id that the agent has given its tool call; None when none came, or none that can be kept.

    `toolCallId` or `toolUseId`, whoever's name stands before it (`claudecode/toolUseId`). The request id of JSON-RPC is
    not taken for one: most clients count their requests from 1 in each connection.
    """
    for name, value in (meta or {}).items():
        own = name.rpartition("/")[2].replace("_", "").replace("-", "").casefold()
        if own in _CALL and isinstance(value, str) and 0 < len(value.strip()) <= len(value) <= _LONGEST:
            return value
    return None

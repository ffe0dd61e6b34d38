"""An answer as an agent reads it: without what is empty, usual or known to the caller; dates to the day in lists."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from ...models.memory import CONFIDENCE, IMPORTANCE
from ...text.snippet import cut
from ...text.titles import begins
from ...text.tokens import estimate

BUDGET: Final = 1_200
"""The tokens of a read that asks for no size of its own."""
_SHORTEST: Final = 60
_FRAME_WEIGHT: Final = 0.89
"""How much of their estimate ids, names and dates take at most, with room for texts of more tokens than estimated."""
_DAY: Final = len("2026-03-01")

_BLANK: Final[tuple[Any, ...]] = (None, "", [], {}, False)
_KNOWN: Final = frozenset(("action", "memoryStoreId", "storeName", "query", "count", "scores", "maxTokens", "tookMs"))
"""What the caller has said itself, or can count or read off the rest."""
_DERIVED: Final = frozenset(
    ("site", "channel", "contentHash", "schemaVersion", "contentTruncated", "decayedImportance", "reasons")
) | {"matchedTerms"}
_USUAL: Final[Mapping[str, Any]] = {
    "memoryType": "general",
    "confidence": CONFIDENCE,
    "importance": IMPORTANCE,
    "source": "agent",
    "trust": "normal",
    "state": "active",
}
"""What a memory has when nobody said otherwise."""
_ECHOES: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "remember": {"memory": frozenset(("content", "url"))},
    "update": {"memory": frozenset(("content", "url"))},
    "chunk": {"chunks": frozenset(("content", "start", "end"))},
    "context_pack": {"memoriesUsed": frozenset(("title", "score")), "dropped": frozenset()},
    "brief": {"rules": frozenset(), "digest": frozenset()},
}
"""By action: what repeats the request or a text of the answer, and the fields to leave out of it; none = all."""


_LISTS: Final = ("memories", "memoriesUsed", "chunks", "revisions")


def short(body: Mapping[str, Any]) -> dict[str, Any]:
    """`body`, a successful answer, with fewer fields."""
    echoes = _ECHOES.get(str(body["action"]), {})
    shown: dict[str, Any] = {}
    for name, value in body.items():
        if name in _KNOWN or _is_blank(value) or (name == "hiddenByDecay" and not value):
            continue
        out = echoes.get(name)
        if out is None or out:
            shown[name] = _shorten(name, value, out or frozenset())
    return shown


def fit(shown: Mapping[str, Any], body: Mapping[str, Any], budget: int = BUDGET) -> dict[str, Any]:
    """`shown`, the short form of `body`, with its excerpts cut further until it takes at most `budget` tokens or so.

    Each keeps the same share of its length, and at least 60 characters.
    """
    memories = cast("Sequence[dict[str, Any]]", shown.get("memories", ()))
    needles = [memory.get("matchedTerms", ()) for memory in body.get("memories", ())]
    contents = sum(estimate(memory.get("content", "")) for memory in memories)
    frame = _FRAME_WEIGHT * (estimate(json.dumps(shown, ensure_ascii=False, separators=(",", ":"))) - contents)
    if frame + contents <= budget or not contents:
        return dict(shown)
    share = max(0.0, (budget - frame) / contents)
    shorter = [{**m, "content": _cut(m["content"], share, n)} for m, n in zip(memories, needles, strict=True)]
    return {**shown, "memories": shorter}


def _cut(content: str, share: float, needles: Sequence[str]) -> str:
    return cut(content, max(_SHORTEST, int(len(content) * share)), needles).text


def _shorten(name: str, value: Any, out: frozenset[str]) -> Any:
    if name == "memory":
        return _memory(value, out, listed=False)
    if name in _LISTS and isinstance(value, list):
        return [_memory(item, out, listed="score" in item) for item in cast("Iterable[Mapping[str, Any]]", value)]
    return value


def _memory(memory: Mapping[str, Any], out: frozenset[str], *, listed: bool) -> dict[str, Any]:
    shown = {
        name: value
        for name, value in memory.items()
        if not (name in _DERIVED or name in out or _is_blank(value) or value == _USUAL.get(name, _BLANK))
    }
    if memory.get("createdAt") == memory.get("updatedAt"):
        shown.pop("createdAt", None)
    for name in ("createdAt", "updatedAt"):
        if listed and name in shown:
            shown[name] = shown[name][:_DAY]
    if "tokens" in shown and memory.get("contentTruncated") is False:
        del shown["tokens"]
    if begins(str(memory.get("content", "")), str(memory.get("title", ""))):
        shown.pop("title", None)
    return shown


def _is_blank(value: Any) -> bool:
    """Whether there is nothing in `value`; 0 is a number, not nothing."""
    return any(value == blank and type(value) is type(blank) for blank in _BLANK)

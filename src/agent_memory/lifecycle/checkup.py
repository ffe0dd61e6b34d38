"""What may be wrong with a store, told from what it holds."""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

SKEW_MINUTES: Final = 5
_ORIGINAL: Final = re.compile(r"memory-[A-Za-z0-9_-]{1,64}|archived_memories")
_FILES: Final = {
    "no_sidecar": "has no sidecar, so that other tools do not see it; it is read all the same, a repair writes one",
    "lone_sidecar": "is a sidecar without its value; a repair removes it",
    "cut_short": "is left of a write that was cut short; a repair removes it",
}
_KEPT: Final = "is left of a write that was never acknowledged and holds what stands nowhere else; it is kept"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know: its kind, what it is about, and whether a repair mends it."""

    kind: str
    about: tuple[str, ...]
    detail: str
    mendable: bool = False


def duplicates(groups: Mapping[str, Iterable[str]]) -> list[Finding]:
    """Active memories that say the same, `groups` of ids by what they share: the first one stays."""
    found: list[Finding] = []
    for ids in groups.values():
        first, *others = ids
        if others:
            found.append(
                Finding("duplicate", (first, *others), f"say the same; a repair forgets all but {first}", mendable=True)
            )
    return found


def damage(parts: Iterable[str]) -> list[Finding]:
    """Stored parts that cannot be read; nothing touches them, so that they can be restored from a copy."""
    return [Finding("damaged", (), f"{part}; it is left out and kept as it is") for part in parts]


def misnamed(keys: Iterable[str]) -> list[Finding]:
    """Keys that are none of ours; they are left alone."""
    return [
        Finding(
            "misnamed",
            (key,),
            "looks like an entry of the original Actor; it is ignored and kept, import brings it over"
            if _ORIGINAL.fullmatch(key)
            else "is no key of this product; it is ignored and kept",
        )
        for key in keys
    ]


def orphans(missing: Mapping[str, Iterable[str]]) -> list[Finding]:
    """Memories of which earlier revisions are not there: `missing` hashes by id. Nothing can bring those back."""
    return [
        Finding("orphan", (memory_id,), f"follows revisions that are not stored: {', '.join(sorted(hashes))}")
        for memory_id, hashes in missing.items()
    ]


def unlisted(ids: Iterable[str], listed: Container[str] | None) -> list[Finding]:
    """Memories that `__manifest` does not list, the list being `listed`, None when it is missing or damaged."""
    absent = tuple(i for i in ids if listed is None or i not in listed)
    said = "__manifest is missing or damaged" if listed is None else "not in __manifest"
    detail = f"{said}; it is for people, no answer depends on it, and a repair writes it anew"
    return [Finding("unindexed", absent, detail, mendable=True)] if absent else []


def files(found: Iterable[tuple[str, str, bool]]) -> list[Finding]:
    """Files that a write left when it was cut short: kind, name, and whether nothing of its own is in it."""
    return [Finding(kind, (name,), _FILES[kind] if free else _KEPT, mendable=free) for kind, name, free in found]


def skewed(times: Mapping[str, str], latest: str) -> list[Finding]:
    """Memories written later than `latest`, an instant a little ahead of now: by a clock that runs ahead."""
    return [
        Finding(
            "clock_skew",
            (memory_id,),
            f"was written at {at}, which lies ahead; check the writer's clock",
        )
        for memory_id, at in times.items()
        if at > latest
    ]


def conflicts(rivals: Mapping[str, Iterable[str]]) -> list[Finding]:
    """Memories that two writers changed at once: the losing change is in the history."""
    return [
        Finding("conflict", (memory_id,), f"has concurrent changes {', '.join(names)}; see history, then restore")
        for memory_id, names in rivals.items()
    ]


def leftovers(purged: Iterable[str], covered: int) -> list[Finding]:
    """Content of purged memories that came back by a late write, and keys that also stand in a segment."""
    found = [
        Finding("purged_content", (i,), "is purged, but content of it is stored again", mendable=True) for i in purged
    ]
    if covered:
        found.append(
            Finding("covered", (), f"{covered} keys also stand in a segment; deleted a day after that", mendable=True)
        )
    return found


def stored_secrets(found: Mapping[str, tuple[str, str]]) -> list[Finding]:
    """Memories, by id, that hold what looks like a secret of a kind in a field, be it only in their history."""
    return [
        Finding(
            "stored_secret",
            (memory_id,),
            f"holds what looks like a secret ({kind}) in {field}, now or in its history; change the secret where it is "
            f'used, then purge with confirm "DELETE {memory_id}" and remember the rest anew',
        )
        for memory_id, (kind, field) in found.items()
    ]

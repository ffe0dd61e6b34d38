"""What may be wrong with a store, told from what it holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SKEW_MINUTES = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know: its kind, what it is about, and whether a repair mends it."""

    kind: str
    about: tuple[str, ...]
    detail: str
    mendable: bool = False


def duplicates(groups: Mapping[str, Iterable[str]]) -> list[Finding]:
    """Active memories that say the same, `groups` of ids in commit order by what they share: the first one stays."""
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
    return [Finding("misnamed", (key,), "is no key of this product; it is ignored and kept") for key in keys]


def skewed(times: Mapping[str, str], latest: str) -> list[Finding]:
    """Memories written later than `latest`, an instant a little ahead of now: by a clock that runs ahead."""
    return [
        Finding(
            "clock_skew",
            (memory_id,),
            f"was written at {at}, which lies ahead; check the writer's clock",
            mendable=False,
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

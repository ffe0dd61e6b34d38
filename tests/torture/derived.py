"""Stores that have lost derived keys, or in which those were damaged, answer as before."""

import random
from collections.abc import Callable
from typing import Any

from .checks import GARBAGE, Violation, faces, snapshot_of
from .faults import said
from .loop import finish
from .scenes import Scene
from .steps import NOW, Ask, Calm, Ids, carry_out, our_store

READS = (
    Ask("", "recall", {"query": "port", "maxResults": 100}),
    Ask("", "search", {"query": "port"}),
    Ask("", "list", {"status": "all"}),
    Ask("", "stats", {}),
)


def answers(held: dict[str, bytes]) -> list[dict[str, Any]]:
    """What the reads answer."""
    bodies = [finish(carry_out(ask, Calm(dict(held)), Ids("reader", NOW), our_store, [])) for ask in READS]
    return [said(body) for body in bodies]


def trials(make: Callable[[], Scene], count: int, rng: random.Random) -> int:
    """Raise a Violation where one of `count` random choices of derived keys, deleted or damaged, changes an answer.

    Keys of two kinds are deleted or damaged: the caches (`__manifest`, access shards, the note of whose store it is)
    and the single keys whose revision stands in a segment. Notes of moved segments are only deleted: a damaged one
    cannot be told from a damaged segment, and is reported as one. Segments that others replace are only deleted, too: a
    damaged one is not read at all. Returns how many choices left a key out or spoilt.
    """
    held = dict(make().held)
    finish(carry_out(Ask("", "recall"), Calm(held), Ids("toucher", NOW), our_store, []))
    snapshot, expected = snapshot_of(held), answers(held)
    spoilable = [key for key in held if key.startswith(("__manifest", "access-", "store-"))]
    spoilable += sorted(snapshot.layout.covered)
    derived = [*spoilable, *snapshot.layout.moved, *snapshot.layout.passed_over]
    changed = 0
    for _ in range(count):
        less = dict(held)
        for key in rng.sample(spoilable, rng.randint(0, len(spoilable))):
            less[key] = rng.choice((b"", b"{", b"null", b"[1]", GARBAGE, held[key][:-3]))
        for key in rng.sample(derived, rng.randint(0, len(derived))):
            del less[key]
        changed += less != held
        if faces(snapshot_of(less)) != faces(snapshot) or answers(less) != expected:
            spoilt = sorted(key for key in held if less.get(key) != held[key])
            raise Violation("I6", f"an answer of {make.__name__} depends on {spoilt}")
    return changed

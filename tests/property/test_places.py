"""No scope leaks, no rule stands by nobody's word, and of two who settle a review at once one succeeds."""

import random
from collections.abc import Iterable
from typing import Any

import pytest

from agent_memory.actions import doctor, prune, purge, resolve
from agent_memory.actions import list as listing
from agent_memory.actions.base import Context
from agent_memory.actions.common import queue
from agent_memory.actions.purge import tombstone
from agent_memory.lifecycle import briefing
from agent_memory.models.memory import Memory
from agent_memory.models.revision import Revision
from agent_memory.store.codec import Stored
from agent_memory.store.resolve import Head
from agent_memory.store.snapshot import Snapshot
from torture.places import Leak, lives


def test_ten_thousand_random_calls_tell_nobody_of_what_does_not_exist_for_them() -> None:
    lived = lives(10_000, random.Random(7))  # a repeatable choice of calls

    assert lived.calls >= 10_000
    assert lived.told > 2_000
    assert lived.settled > 100


def anybody(*_: Any) -> bool:
    return True


def as_it_is(memory: Memory, *_: Any) -> Memory:
    return memory


async def at_once(_: Any, __: Any, snapshot: Snapshot, *___: Any) -> Snapshot:
    return snapshot


def without_scope(head: Head, history: Iterable[Stored], _: Any, context: Context) -> Revision:
    return tombstone(head, history, None, context)


PLANTS: dict[str, tuple[Any, str, Any]] = {
    "prune names all": (prune, "may_name", anybody),
    "doctor names all": (doctor, "may_name", anybody),
    "superseded ids are told": (listing, "told", as_it_is),
    "tombstones lose their scope": (purge, "tombstone", without_scope),
    "reviews exist for all": (queue.Review, "within", anybody),
    "nobody claims": (resolve, "claim", at_once),
    "every rule stands": (briefing, "is_approved", anybody),
}
"""Faults: where, what, and what stands in its place."""


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_leak_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTS[name])
    with pytest.raises(Leak):
        lives(12_000, random.Random(8))  # a repeatable choice of calls

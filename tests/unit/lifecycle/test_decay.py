"""How memories fade, by the numbers."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agent_memory.lifecycle.decay import Candidate, Decay, decayed_importance, exempt, faded, plan_prune, retained
from agent_memory.models.instant import to_text
from agent_memory.models.vocabulary import MemoryType, Trust
from support.revisions import make_memory

ON = Decay(enabled=True)
START = "2026-01-01T00:00:00.000Z"


def after_days(days: int) -> str:
    return to_text(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=days))


@pytest.mark.parametrize(
    ("confidence", "days", "kept"),
    [(0.8, 0, 0.8), (0.8, 30, 0.4), (0.8, 60, 0.2), (0.8, 90, 0.1), (0.8, 120, 0.05), (0.5, 15, 0.353553), (0, 9, 0)],
)
def test_confidence_halves_every_thirty_days(confidence: float, days: int, kept: float) -> None:
    memory = replace(make_memory(), confidence=confidence)

    assert retained(memory, START, after_days(days), ON) == pytest.approx(kept, abs=1e-6)


def test_eight_tenths_after_120_days_has_reached_the_threshold() -> None:
    memory = make_memory()
    assert faded(memory, retained(memory, START, after_days(120), ON), ON)
    assert not faded(memory, retained(memory, START, after_days(119), ON), ON)


def test_an_access_ahead_of_now_retains_all_and_not_more() -> None:
    assert retained(make_memory(), after_days(9), START, ON) == 0.8


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, False),
        ({"pinned": True}, True),
        ({"confidence": 0.9}, True),
        ({"confidence": 0.8999}, False),
        ({"importance": 0.9}, True),
        ({"pinned": True, "trust": Trust.LOW}, False),
        ({"confidence": 1.0, "trust": Trust.LOW}, False),
        ({"importance": 1.0, "trust": Trust.HIGH}, True),
    ],
)
def test_what_matters_is_exempt_unless_nobody_vouches_for_it(changes: dict[str, object], expected: bool) -> None:
    assert exempt(replace(make_memory(), **changes)) is expected  # pyright: ignore[reportArgumentType]  # a table of mixed fields


def test_ranking_never_uses_less_than_the_minimum() -> None:
    assert decayed_importance(0.02, ON) == 0.1
    assert decayed_importance(0.3, ON) == 0.3
    assert decayed_importance(0.02, replace(ON, min_importance=0)) == 0.02


def candidate(memory_id: str, kept: float, **changes: object) -> Candidate:
    return Candidate(replace(make_memory(memory_id), **changes), kept)  # pyright: ignore[reportArgumentType]  # as above


def ids(plan: list[Candidate]) -> list[str]:
    return [one.memory.id for one in plan]


def test_a_plan_takes_the_most_faded_first() -> None:
    assert ids(plan_prune([candidate("a", 0.05), candidate("b", 0.5), candidate("c", 0.01)], ON, None)) == ["c", "a"]


def test_a_cap_takes_the_weakest_that_count() -> None:
    candidates = [
        candidate("weak rule", 0.1, memory_type=MemoryType.RULE),
        candidate("weak pin", 0.1, pinned=True),
        candidate("weaker", 0.2),
        candidate("weak", 0.3),
        candidate("strong", 0.8),
    ]

    assert ids(plan_prune(candidates, ON, 1)) == ["weaker", "weak"]
    assert plan_prune(candidates, ON, 3) == []
    assert plan_prune(candidates, ON, None) == []


@pytest.mark.parametrize("kind", [MemoryType.RULE, MemoryType.PREFERENCE])
def test_rules_and_preferences_are_never_archived_unless_they_came_from_a_page(kind: MemoryType) -> None:
    assert ids(plan_prune([candidate("ours", 0.01, memory_type=kind)], ON, 1)) == []
    assert ids(plan_prune([candidate("page", 0.01, memory_type=kind, trust=Trust.LOW)], ON, None)) == ["page"]


def test_without_decay_a_plan_is_empty_whatever_the_cap() -> None:
    off = Decay(enabled=False)
    memory = make_memory()

    assert plan_prune([Candidate(memory, 0.0), candidate("b", 0.0)], off, 1) == []
    assert not faded(memory, 0.0, off)

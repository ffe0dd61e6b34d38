"""Fading only ever goes down with time, and what is hidden is what is archived."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.lifecycle.decay import Candidate, Decay, decayed_importance, exempt, faded, plan_prune, retained
from agent_memory.models.instant import to_text
from agent_memory.models.memory import Memory
from agent_memory.models.vocabulary import MemoryType, Source, Trust

START = datetime(2026, 1, 1, tzinfo=UTC)
RATIO = st.floats(0, 1, allow_nan=False)
DECAYS = st.builds(
    Decay,
    enabled=st.booleans(),
    half_life_days=st.floats(0.01, 36_500),
    min_importance=RATIO,
    prune_threshold=RATIO,
)
DAYS = st.integers(0, 20_000)


def at(days: float) -> str:
    return to_text(START + timedelta(days=days))


@st.composite
def memories(draw: st.DrawFn, memory_id: str = "m") -> Memory:
    source = draw(st.sampled_from(Source))
    return Memory(
        id=memory_id,
        content="x",
        title="x",
        created_at=at(0),
        updated_at=at(draw(DAYS)),
        confidence=draw(RATIO),
        importance=draw(RATIO),
        pinned=draw(st.booleans()),
        source=source,
        trust=draw(st.sampled_from(Trust)),
        memory_type=draw(st.sampled_from([MemoryType.GENERAL, MemoryType.RULE])),
    )


@settings(deadline=None)
@given(memories(), DECAYS, DAYS, DAYS)
def test_what_is_retained_falls_with_age_and_never_rises(memory: Memory, decay: Decay, one: int, other: int) -> None:
    sooner, later = sorted((one, other))
    kept = [retained(memory, memory.updated_at, at(days), decay) for days in (sooner, later)]

    assert 0 <= kept[1] <= kept[0] <= memory.confidence
    assert decayed_importance(kept[1], decay) <= decayed_importance(kept[0], decay)
    assert faded(memory, kept[1], decay) or not faded(memory, kept[0], decay)


@settings(deadline=None)
@given(memories(), DECAYS, DAYS, DAYS)
def test_reading_later_never_makes_a_memory_weaker(memory: Memory, decay: Decay, one: int, other: int) -> None:
    sooner, later = sorted((one, other))
    now = at(40_000)

    assert retained(memory, at(sooner), now, decay) <= retained(memory, at(later), now, decay)


@settings(deadline=None)
@given(RATIO, st.floats(0.1, 1000), st.integers(0, 20))
def test_each_half_life_halves(confidence: float, half_life: float, times: int) -> None:
    memory = Memory(id="m", content="x", title="x", created_at=at(0), updated_at=at(0), confidence=confidence)
    decay = Decay(enabled=True, half_life_days=half_life)
    kept = retained(memory, at(0), to_text(START + timedelta(days=half_life * times)), decay)

    expected = confidence if exempt(memory) else confidence * 0.5**times
    assert abs(kept - expected) <= 1e-6 + expected * 1e-3 / half_life


@settings(deadline=None)
@given(memories(), DECAYS, DAYS)
def test_an_exempt_memory_and_a_store_without_decay_never_fade(memory: Memory, decay: Decay, days: int) -> None:
    kept = retained(memory, memory.updated_at, at(days), decay)

    if exempt(memory) or not decay.enabled:
        assert kept == memory.confidence
        assert not faded(memory, kept, decay)


@settings(deadline=None)
@given(memories())
def test_text_of_low_trust_never_exempts_itself(memory: Memory) -> None:
    if memory.trust is Trust.LOW:
        assert not exempt(memory)


@settings(deadline=None, max_examples=60)
@given(st.data(), DECAYS, st.integers(1, 12), DAYS, st.one_of(st.none(), st.integers(1, 8)))
def test_a_prune_plan_holds_all_that_has_faded_and_a_second_plan_is_empty(
    data: st.DataObject, decay: Decay, count: int, days: int, most: int | None
) -> None:
    candidates = [
        Candidate(memory, retained(memory, memory.updated_at, at(days), decay))
        for memory in (data.draw(memories(f"m{n}")) for n in range(count))
    ]

    plan = plan_prune(candidates, decay, most)
    rest = [candidate for candidate in candidates if candidate not in plan]

    hidden = [candidate for candidate in candidates if faded(candidate.memory, candidate.kept, decay)]
    assert all(candidate in plan for candidate in hidden)
    assert most is not None or len(plan) == len(hidden)
    assert plan_prune(rest, decay, most) == []
    assert len({candidate.memory.id for candidate in plan}) == len(plan)
    beyond = [candidate for candidate in plan if candidate not in hidden]
    assert not [c for c in beyond if exempt(c.memory) or c.memory.memory_type is MemoryType.RULE]


@settings(deadline=None, max_examples=60)
@given(st.data(), DECAYS, st.permutations(range(8)), DAYS)
def test_a_prune_plan_does_not_depend_on_the_order_of_the_memories(
    data: st.DataObject, decay: Decay, order: list[int], days: int
) -> None:
    candidates = [
        Candidate(memory, retained(memory, memory.updated_at, at(days), decay))
        for memory in (data.draw(memories(f"m{n}")) for n in range(8))
    ]

    assert plan_prune([candidates[n] for n in order], decay, 3) == plan_prune(candidates, decay, 3)

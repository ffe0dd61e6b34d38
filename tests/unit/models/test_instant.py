"""Instants as text sort in the order of time."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.models.instant import days_between, parse, to_text

OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


def moment(days: int, seconds: float, zone: timezone) -> datetime:
    return (datetime(1900, 1, 1, tzinfo=UTC) + timedelta(days, seconds)).astimezone(zone)


MOMENTS = st.builds(moment, st.integers(0, 100_000), st.floats(0, 86_399), OFFSETS)


@given(MOMENTS)
def test_an_instant_reads_the_same_in_every_offset(any_moment: datetime) -> None:
    text = to_text(any_moment)

    assert parse(any_moment.isoformat()) == text
    assert parse(text) == text
    assert text.endswith("Z")
    assert len(text) == len("2026-03-01T09:30:00.000Z")


@given(MOMENTS, MOMENTS)
def test_texts_sort_as_the_instants_do(one: datetime, other: datetime) -> None:
    earlier, later = sorted((one, other))

    assert to_text(earlier) <= to_text(later)
    assert days_between(to_text(earlier), to_text(later)) == pytest.approx(
        (later - earlier) / timedelta(days=1), abs=1e-6
    )
    assert days_between(to_text(later), to_text(earlier)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("text", ["2026-03-01", "2026-03-01T00:00", "2026-03-01T00:00:00", "20260301T000000Z"])
def test_without_an_offset_it_is_utc(text: str) -> None:
    assert parse(text) == "2026-03-01T00:00:00.000Z"


@given(st.text(max_size=30))
def test_any_text_is_an_instant_or_refused_with_words(text: str) -> None:
    try:
        instant = parse(text)
    except ValueError as problem:
        told = str(problem)
    else:
        told = "ISO 8601" if instant.endswith("Z") else instant
    assert "ISO 8601" in told


def test_a_naive_clock_is_not_taken_for_utc_by_accident() -> None:
    assert to_text(datetime(2026, 3, 1, 18, 30, tzinfo=timezone(timedelta(hours=9)))) == "2026-03-01T09:30:00.000Z"
    assert to_text(datetime(2026, 3, 1, 9, 30, 0, 999_999, tzinfo=UTC)) == "2026-03-01T09:30:00.999Z"

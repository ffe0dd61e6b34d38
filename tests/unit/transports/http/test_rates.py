"""How often a caller may ask."""

import threading
import time

import pytest

from agent_memory.errors import RateLimitedError
from agent_memory.models.vocabulary import Channel
from agent_memory.transports.caller import Caller
from agent_memory.transports.http.rates import Counts, rate_limit

ANA, BEN = (Caller(name=name, channel=Channel.REST) for name in ("ana", "ben"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The present time, to be set."""
    now = [1_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


def test_each_caller_has_a_count_of_their_own(clock: list[float]) -> None:
    """Who asks too often is told how long to wait; others are not held up."""
    admit = rate_limit("2/minute")
    clock[0] += 5
    for _ in range(2):
        admit(ANA)
    with pytest.raises(RateLimitedError) as refused:
        admit(ANA)
    assert 0 < int(refused.value.details["retryAfter"]) <= 60
    admit(BEN)


def test_a_later_window_lets_in_again(clock: list[float]) -> None:
    """What was counted two windows ago counts no more."""
    admit = rate_limit("2/minute")
    for _ in range(3):
        for _ in range(2):
            admit(ANA)
        with pytest.raises(RateLimitedError):
            admit(ANA)
        clock[0] += 120


def test_past_windows_are_dropped_without_a_thread(clock: list[float]) -> None:
    """Counts do not pile up, and no thread is started for a hit: on a busy server that held up the loop."""
    counts = Counts()
    counts.timer.join()
    threads = threading.enumerate()
    for second in range(50):
        clock[0] += 1
        assert counts.acquire_sliding_window_entry("ana", 10, 1)
        assert threading.enumerate() == threads
        assert len(counts.storage) == len(counts.expirations) <= 3, second

"""How often a caller may ask; counted in this process."""

import math
import time
from collections.abc import Callable

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from ...errors import RateLimitedError
from ..caller import Caller

Admit = Callable[[Caller], None]
"""Counts a request; raises RateLimitedError."""


class Counts(MemoryStorage):
    """Counts for one thread. The library's own start a thread every few hits, to drop what is over."""

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count `amount` more for `key`, whose count is over after `expiry` seconds; drop those that are over."""
        if key not in self.storage:
            now = time.time()
            for old in [known for known, end in self.expirations.items() if end <= now]:
                self.clear(old)
            self.expirations[key] = now + expiry
        self.storage[key] += amount
        return self.storage[key]


def rate_limit(rate: str) -> Admit:
    """At most `rate`, such as 100/second, for each caller."""
    item = parse(rate)
    limiter = SlidingWindowCounterRateLimiter(Counts())

    def admit(caller: Caller) -> None:
        if limiter.hit(item, caller.name):
            return
        window = limiter.get_window_stats(item, caller.name)
        seconds = max(1, math.ceil(window.reset_time - time.time()))
        raise RateLimitedError(
            f"More than {rate.replace('/', ' requests a ')} came from {caller.name}. Wait {seconds} s and try again.",
            retryAfter=seconds,
        )

    return admit

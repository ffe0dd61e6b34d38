"""What a server tells of itself: a line a request and counts, neither with anything that was sent or stored."""

import logging
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.exposition import generate_latest

from .logs import FIELDS

log = logging.getLogger("agent_memory.http")
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Metrics:
    """Requests by route and status, and how long they took."""

    registry: CollectorRegistry
    requests: Counter
    seconds: Histogram

    def expose(self) -> bytes:
        """All figures in the text format of Prometheus."""
        return generate_latest(self.registry)


def new_metrics() -> Metrics:
    """Figures that start at nothing."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    return Metrics(
        registry,
        Counter("agent_memory_requests", "Requests answered.", ("route", "status"), registry=registry),
        Histogram("agent_memory_seconds", "Seconds to an answer.", ("route",), registry=registry, buckets=_BUCKETS),
    )


def note(metrics: Metrics, *, route: str, status: int, seconds: float, caller: str | None) -> None:
    """Count a request and log it; `route` is a route of ours, never the path that came."""
    metrics.requests.labels(route, str(status)).inc()
    metrics.seconds.labels(route).observe(seconds)
    if log.isEnabledFor(logging.INFO):
        fields = {"route": route, "status": status, "ms": round(seconds * 1000, 1), "caller": caller}
        log.info("request", extra={FIELDS: fields})

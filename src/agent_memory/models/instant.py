"""Instants as text: UTC, milliseconds, `Z`. Such texts sort in the order of time."""

import re
from datetime import UTC, datetime

SECONDS_A_DAY = 86_400.0
_DATE = re.compile(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}")


def to_text(moment: datetime) -> str:
    """Write `moment` (aware) as `2026-03-01T09:30:00.000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(text: str) -> str:
    """Read any ISO 8601 date or date-time as an instant; without an offset it is taken as UTC.

    Raises:
        ValueError: `text` is no date.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        return to_text(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        message = (
            f"{text[:60]!r} is no date. Use ISO 8601, such as 2026-03-01, 2026-03-01T09:30:00Z "
            "or 2026-03-01T18:30:00+09:00"
        )
        raise ValueError(message) from None


def parse_end(text: str) -> str:
    """As `parse`, but a date without a time of day means its last millisecond."""
    parsed = parse(text)
    return f"{parsed[:11]}23:59:59.999Z" if _DATE.fullmatch(text.strip()) else parsed


def days_between(earlier: str, later: str) -> float:
    """Days from `earlier` to `later`, 0 when `earlier` lies ahead."""
    seconds = datetime.fromisoformat(later).timestamp() - datetime.fromisoformat(earlier).timestamp()
    return max(0.0, seconds / SECONDS_A_DAY)

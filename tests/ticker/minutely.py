"""A schedule that is due each minute from START on, and looks at it."""

from __future__ import annotations

from typing import Any

from django_repeat import get, service, upsert
from django_repeat.instants import to_ms
from django_repeat.testing import freeze
from tests.ticker.support import at, seconds, ticker

START = at("2026-03-01T10:00:00")
MINUTE, HOUR = 60, 3600


def put(after: float = -1, **fields: Any) -> str:
    """Upsert the schedule ``s``, so many seconds after START."""
    recurrence = {} if "every" in fields or "cron" in fields else {"cron": "* * * * *", "timezone": "UTC"}
    with freeze(seconds(START, after)):
        return upsert("s", task="a.b", **{**recurrence, **fields})


def tick_at(after: float, **changes: Any) -> list[int]:
    """Tick once, so many seconds after START; answer the minutes that fired."""
    with freeze(seconds(START, after)):
        return [minute_of(one.nominal_ms) for one in ticker(**changes).tick().fired]


def minute_of(nominal_ms: int) -> int:
    return (nominal_ms - to_ms(START)) // 60_000


def text_at(after: float) -> str:
    return seconds(START, after).isoformat()


def state(after: float = -1) -> tuple[str, int | None]:
    """Answer the state at that second after START, and the pending nominal time in minutes after it."""
    with freeze(seconds(START, after)):
        entry = get("s")
    return entry.state, None if entry.next is None else minute_of(to_ms(entry.next))


def outcomes() -> list[tuple[str, str, int]]:
    """Answer the run log, oldest first: outcome, reason, count."""
    return [(run["outcome"], run.get("reason", ""), run.get("count", 1)) for run in reversed(service.runs("s"))]

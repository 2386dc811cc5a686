"""One table of missed nominal times, for the pure plan and for the ticker: what each policy makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django_repeat.recurrence import Cron, Every, Recurrence
from tests.ticker.support import at

WAYS: dict[str, dict[str, Any]] = {
    "latest": {},
    "latest, window 10 min": {"window": "10m"},
    "all, window 1 h": {"catch_up": "all", "window": "1h"},
    "all, limit 3": {"catch_up": "all", "limit": 3},
}
NOW = at("2026-06-03T10:07:30")
BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"


@dataclass(frozen=True)
class Missed:
    """A schedule whose ``last`` nominal time was dealt with, and ``due`` more since; per way in WAYS what fires."""

    id: str
    recurrence: Recurrence
    last: datetime
    due: int
    fires: tuple[list[datetime], ...]
    next: datetime
    now: datetime = NOW


def on(day: str, *times: str) -> list[datetime]:
    return [at(f"{day}T{time}:00") for time in times]


def each(*fires: list[datetime]) -> tuple[list[datetime], ...]:
    return fires


JUNE = "2026-06-03"
NIGHT = Cron("30 1 * * *", NEW_YORK)
TABLE: Sequence[Missed] = (
    Missed(
        "every 15 m phase 0",
        Every("15m", phase=0),
        at("2026-06-03T08:00:00"),
        8,
        each(
            on(JUNE, "10:00"),
            on(JUNE, "10:00"),
            on(JUNE, "09:15", "09:30", "09:45", "10:00"),
            on(JUNE, "09:30", "09:45", "10:00"),
        ),
        at("2026-06-03T10:15:00"),
    ),
    Missed(
        "every 15 m phase 5 m",
        Every("15m", phase="5m"),
        at("2026-06-03T08:05:00"),
        8,
        each(
            on(JUNE, "10:05"),
            on(JUNE, "10:05"),
            on(JUNE, "09:20", "09:35", "09:50", "10:05"),
            on(JUNE, "09:35", "09:50", "10:05"),
        ),
        at("2026-06-03T10:20:00"),
    ),
    Missed(
        "daily in Berlin",
        Cron("0 9 * * *", BERLIN),
        at("2026-05-30T07:00:00"),
        4,
        each(
            on(JUNE, "07:00"), [], [],
            [at(f"2026-06-0{day}T07:00:00") for day in (1, 2, 3)],
        ),
        at("2026-06-04T07:00:00"),
    ),
    Missed(
        "a time that New York leaves out",
        Cron("30 2 * * *", NEW_YORK),
        at("2026-03-07T07:30:00"),
        1,
        each(on("2026-03-08", "07:00"), [], [], on("2026-03-08", "07:00")),
        at("2026-03-09T06:30:00"),
        at("2026-03-08T15:00:00"),
    ),
    Missed(
        "a time that New York has twice",
        NIGHT,
        at("2026-10-31T05:30:00"),
        1,
        each(on("2026-11-01", "05:30"), [], on("2026-11-01", "05:30"), on("2026-11-01", "05:30")),
        at("2026-11-02T06:30:00"),
        at("2026-11-01T06:10:00"),
    ),
    Missed(
        "its second coming",
        NIGHT,
        at("2026-11-01T05:30:00"),
        0,
        each([], [], [], []),
        at("2026-11-02T06:30:00"),
        at("2026-11-01T06:35:00"),
    ),
    Missed(
        "each minute",
        Cron("* * * * *", "UTC"),
        at("2026-06-01T00:00:00"),
        3487,
        each(
            on(JUNE, "10:07"),
            on(JUNE, "10:07"),
            on(JUNE, *(f"{minute // 60:02}:{minute % 60:02}" for minute in range(9 * 60 + 8, 10 * 60 + 8))),
            on(JUNE, "10:05", "10:06", "10:07"),
        ),
        at("2026-06-03T10:08:00"),
    ),
    Missed(
        "monthly in São Paulo",
        Cron("0 0 1 * *", "America/Sao_Paulo"),
        at("2026-05-01T03:00:00"),
        1,
        each(on("2026-06-01", "03:00"), [], [], on("2026-06-01", "03:00")),
        at("2026-07-01T03:00:00"),
    ),
)  # fmt: skip

CASES = [
    (f"{row.id}: {way}", row, fields, row.fires[column])
    for row in TABLE
    for column, (way, fields) in enumerate(WAYS.items())
]

"""Generated rules with their meaning, and the rules of recurrence written once more as a slow walk.

Nothing here uses the package: a rule is generated as text together with the sets of values that it names, and
the expected instants come from comparing each minute with the wall clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Rule:
    text: str
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]

    @property
    def wildcard(self) -> bool:
        return any(part.startswith("*") for part in self.text.split()[:2])

    def on(self, day: date) -> bool:
        _, _, dom, _, dow = self.text.split()
        by_date, by_weekday = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        if dom.startswith("*") or dow.startswith("*"):
            return day.month in self.months and by_date and by_weekday
        return day.month in self.months and (by_date or by_weekday)

    def at(self, wall: datetime) -> bool:
        return wall.minute in self.minutes and wall.hour in self.hours and self.on(wall.date())


@st.composite
def members(draw: st.DrawFn, low: int, high: int) -> tuple[str, frozenset[int]]:
    first = draw(st.integers(low, high))
    last = draw(st.integers(first, high))
    step = draw(st.integers(1, high - low))
    return draw(
        st.sampled_from(
            [
                (f"{first}", frozenset({first})),
                (f"{first}", frozenset({first})),
                (f"{first:02d}-{last}", frozenset(range(first, last + 1))),
                (f"{first}-{last}/{step}", frozenset(range(first, last + 1, step))),
                (f"*/{step}", frozenset(range(low, high + 1, step))),
            ]
        )
    )


@st.composite
def fields(draw: st.DrawFn, low: int, high: int, star: int) -> tuple[str, frozenset[int]]:
    if draw(st.integers(0, 9)) < star:
        return "*", frozenset(range(low, high + 1))
    parts = draw(st.lists(members(low, high), min_size=1, max_size=3))
    return ",".join(text for text, _ in parts), frozenset().union(*(values for _, values in parts))


@st.composite
def rules(draw: st.DrawFn, *, open_days: int = 6) -> Rule:
    """Draw a rule; ``open_days`` of ten day, month and weekday fields are plain stars."""
    parts = [
        draw(fields(0, 59, 2)),
        draw(fields(0, 23, 3)),
        draw(fields(1, 31, open_days)),
        draw(fields(1, 12, open_days)),
        draw(fields(0, 6, open_days)),
    ]
    return Rule(" ".join(text for text, _ in parts), *(values for _, values in parts))


def walk(rule: Rule, zone: ZoneInfo, start: datetime, end: datetime) -> list[datetime]:
    """Answer the instants of ``rule`` in (start, end], both whole minutes, in a zone of whole-minute offsets."""
    found = real_minutes(rule, zone, start, end) if rule.wildcard else wall_minutes(rule, zone, start, end)
    return sorted(instant for instant in found if start < instant <= end)


@lru_cache(maxsize=8)
def readings(zone: ZoneInfo, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    """Answer each minute of [start, end] with what the wall clock shows then."""
    count = (end - start) // MINUTE + 1
    return [(instant, instant.astimezone(zone)) for instant in (start + MINUTE * step for step in range(count))]


def real_minutes(rule: Rule, zone: ZoneInfo, start: datetime, end: datetime) -> set[datetime]:
    return {instant for instant, wall in readings(zone, start, end) if rule.at(wall)}


def wall_minutes(rule: Rule, zone: ZoneInfo, start: datetime, end: datetime) -> set[datetime]:
    return {first_instant(wall, zone) for wall in wall_times(rule, start, end)}


def wall_times(rule: Rule, start: datetime, end: datetime) -> Iterator[datetime]:
    """Answer the wall-clock times that ``rule`` names from two days before ``start`` to two days after ``end``."""
    day = (start - timedelta(days=2)).date()
    while day <= (end + timedelta(days=2)).date():
        if rule.on(day):
            for hour in rule.hours:
                for minute in rule.minutes:
                    yield datetime.combine(day, time(hour, minute))
        day += timedelta(days=1)


def first_instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """Answer when the wall clock shows ``wall`` first, or the next minute that it does show."""
    while True:
        readings = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        real = [instant for instant in readings if instant.astimezone(zone).replace(tzinfo=None, fold=0) == wall]
        if real:
            return min(real)
        wall += MINUTE

"""The wall-clock minutes that a rule names, as pure calendar arithmetic without zones.

A minute is a number: days since 1970-01-01 x 1440 + minute of the day, on a calendar without end. The Gregorian
calendar repeats after 400 years, which are whole weeks, so 400 years of day masks say everything.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, Protocol

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import crontext

DAY: Final = 1440
_CYCLE: Final = 146_097
_EPOCH: Final = date(1970, 1, 1).toordinal() - 1
_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_STARTS: Final = (*(date(year, 1, 1).toordinal() - 1 for year in range(1, 401)), _CYCLE)
"""The day in the cycle on which each of its years starts; the cycle starts with year 1, a Monday."""
_KINDS: Final = tuple((first + 1) % 7 + 7 * (following - first == 366) for first, following in pairwise(_STARTS))
"""Each year's weekday of 1 January (0 is Sunday), plus 7 in a leap year."""
_EVERY_SEVENTH: Final = sum(1 << day for day in range(0, 371, 7))


class Minutes(Protocol):
    """Minutes of the wall clock, in order and without end in either direction."""

    def first(self, minute: int, /) -> int:
        """Answer the earliest minute that is not before ``minute``."""

    def last(self, minute: int, /) -> int:
        """Answer the latest minute that is not after ``minute``."""

    def rank(self, minute: int, /) -> int:
        """Answer how many minutes lie before ``minute``, counted from a fixed day: only differences mean something."""


class WallTimes:
    """The minutes of one rule: the same times of the day on every day that matches.

    ``days`` has for each of the 14 kinds of year a bit for each day, 1 January lowest; ``times`` are minutes of the
    day in order.
    """

    __slots__ = ("_days_before", "_masks", "_per_day", "days", "times")

    def __init__(self, days: Sequence[int], times: Sequence[int]) -> None:
        self.days = tuple(days)
        self.times = tuple(times)
        self._masks = tuple(self.days[kind] for kind in _KINDS)
        self._days_before = tuple(accumulate((mask.bit_count() for mask in self._masks), initial=0))
        self._per_day = len(self.times)

    @property
    def empty(self) -> bool:
        """Whether no day of the calendar matches."""
        return not self._days_before[-1]

    def first(self, minute: int) -> int:
        day, time = divmod(minute, DAY)
        in_cycle = (day + _EPOCH) % _CYCLE
        year = date.fromordinal(in_cycle + 1).year - 1
        in_year = in_cycle - _STARTS[year]
        ahead = self._masks[year] >> in_year
        if ahead & 1 and time <= self.times[-1]:
            return day * DAY + self.times[bisect_left(self.times, time)]
        ahead &= -2
        while not ahead:
            day += _STARTS[year + 1] - _STARTS[year] - in_year
            year, in_year = (year + 1) % 400, 0
            ahead = self._masks[year]
        return (day + (ahead & -ahead).bit_length() - 1) * DAY + self.times[0]

    def last(self, minute: int) -> int:
        day, time = divmod(minute, DAY)
        in_cycle = (day + _EPOCH) % _CYCLE
        year = date.fromordinal(in_cycle + 1).year - 1
        in_year = in_cycle - _STARTS[year]
        mask = self._masks[year]
        if mask >> in_year & 1 and time >= self.times[0]:
            return day * DAY + self.times[bisect_right(self.times, time) - 1]
        behind = mask & ((1 << in_year) - 1)
        while not behind:
            day -= in_year + 1
            year = (year - 1) % 400
            in_year = _STARTS[year + 1] - _STARTS[year] - 1
            behind = self._masks[year]
        return (day - in_year + behind.bit_length() - 1) * DAY + self.times[-1]

    def rank(self, minute: int) -> int:
        day, time = divmod(minute, DAY)
        cycle, in_cycle = divmod(day + _EPOCH, _CYCLE)
        year = date.fromordinal(in_cycle + 1).year - 1
        in_year = in_cycle - _STARTS[year]
        mask = self._masks[year]
        days = cycle * self._days_before[-1] + self._days_before[year] + (mask & ((1 << in_year) - 1)).bit_count()
        return days * self._per_day + (bisect_left(self.times, time) if mask >> in_year & 1 else 0)


@lru_cache(maxsize=1024)
def wall_times(text: str) -> tuple[WallTimes, bool]:
    """Answer the minutes of a normalised cron text and whether it is a wildcard rule.

    Raises InvalidSchedule for text that is no rule, and for a rule that no day of the calendar's 400 years matches.
    """
    fields = crontext.parse(text)
    times = WallTimes(
        [_year_mask(kind, fields) for kind in range(14)],
        sorted(hour * 60 + minute for hour in fields.hours for minute in fields.minutes),
    )
    if times.empty:
        raise InvalidSchedule(
            f"cron rule {text!r} never matches: the day-of-month field names no day that its months have"
            f"{'' if fields.weekdays >= frozenset(range(7)) else ' on its weekdays'}; change the day or the month"
        )
    return times, fields.wildcard


def _year_mask(kind: int, fields: crontext.CronFields) -> int:
    """Answer a bit for each day of such a year, 1 January lowest, set where the rule matches the day."""
    leap, weekday = divmod(kind, 7)
    in_months = on_days = start = 0
    days = sum(1 << (day - 1) for day in fields.days)
    for month, length in enumerate(_LENGTHS, start=1):
        whole = (1 << (length + (leap and month == 2))) - 1
        if month in fields.months:
            in_months |= whole << start
            on_days |= (whole & days) << start
        start += whole.bit_length()
    on_weekdays = 0
    for day in fields.weekdays:
        on_weekdays |= _EVERY_SEVENTH << (day - weekday) % 7
    return in_months & (on_days | on_weekdays) if fields.either_day else on_days & on_weekdays

"""The wall-clock minutes of a rule that no exclusion names, as pure calendar arithmetic without zones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import date
from itertools import accumulate
from typing import Final

from django_repeat.recurrence.exclusions import Exclusions
from django_repeat.recurrence.walltimes import DAY, WallTimes, wall_times

_YEAR_2000: Final = (date(2000, 1, 1) - date(1970, 1, 1)).days
_LAST_DAY: Final = (date.max - date(1970, 1, 1)).days


class Remaining:
    """The minutes of ``times`` without the excluded ones, in order and without end in either direction.

    Rules cut the days into ``shares``: no two have a day in common, and each has the same times on all of its days.
    Dates close whole days on top of that. A value that is ``empty`` answers no questions.
    """

    __slots__ = ("_closed", "_closed_before", "_ends", "_starts", "shares")

    def __init__(self, times: WallTimes, exclusions: Exclusions) -> None:
        self.shares = _shares(times, exclusions.rules)
        self._starts = tuple(start for start, _ in exclusions.days)
        self._ends = tuple(end for _, end in exclusions.days)
        self._closed = tuple(self._all(end * DAY) - self._all(start * DAY) for start, end in exclusions.days)
        self._closed_before = tuple(accumulate(self._closed, initial=0))

    @property
    def empty(self) -> bool:
        """Whether nothing remains in the years 2000 to 9999."""
        return not self.shares or self.first(_YEAR_2000 * DAY) >= (_LAST_DAY + 1) * DAY

    def first(self, minute: int) -> int:
        """Answer the earliest minute that is not before ``minute``."""
        while True:
            found = min(share.first(minute) for share in self.shares)
            place = self._place(found // DAY)
            if place is None:
                return found
            minute = self._ends[place] * DAY

    def last(self, minute: int) -> int:
        """Answer the latest minute that is not after ``minute``."""
        while True:
            found = max(share.last(minute) for share in self.shares)
            place = self._place(found // DAY)
            if place is None:
                return found
            minute = self._starts[place] * DAY - 1

    def rank(self, minute: int) -> int:
        """Answer how many minutes lie before ``minute``, counted from a fixed day: only differences mean something."""
        place = self._place(minute // DAY)
        if place is None:
            return self._all(minute) - self._closed_before[bisect_right(self._starts, minute // DAY)]
        return self._all(self._starts[place] * DAY) - self._closed_before[place]

    def share(self, day: int) -> WallTimes | None:
        """Answer the share that a day since 1970 belongs to; None if nothing of it remains."""
        if self._place(day) is None:
            for share in self.shares:
                if share.first(day * DAY) // DAY == day:
                    return share
        return None

    def open_days(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Answer the parts of [start, end), in days since 1970, that no date closes."""
        place = bisect_right(self._ends, start)
        for closed, opened in zip(self._starts[place:], self._ends[place:], strict=True):
            if closed >= end:
                break
            if start < closed:
                yield start, closed
            start = opened
        if start < end:
            yield start, end

    def _all(self, minute: int) -> int:
        return sum(share.rank(minute) for share in self.shares)

    def _place(self, day: int) -> int | None:
        """Answer which range of dates closes a day."""
        place = bisect_right(self._starts, day) - 1
        return place if place >= 0 and day < self._ends[place] else None


def open_minutes(exclusions: Exclusions) -> Remaining:
    """Answer all minutes of the wall clock that are not excluded."""
    every_minute, _ = wall_times("* * * * *")
    return Remaining(every_minute, exclusions)


def _shares(times: WallTimes, rules: tuple[str, ...]) -> tuple[WallTimes, ...]:
    shares = {_mask(times): times.days}
    for rule in rules:
        gone, _ = wall_times(rule)
        shares = _cut(shares, gone)
    return tuple(WallTimes(days, [time for time in range(DAY) if mask >> time & 1]) for mask, days in shares.items())


def _cut(shares: dict[int, tuple[int, ...]], gone: WallTimes) -> dict[int, tuple[int, ...]]:
    """Answer for each mask of times, without empty ones, the days of each kind of year that have it."""
    left: dict[int, tuple[int, ...]] = {}
    kept = ~_mask(gone)
    for mask, days in shares.items():
        on = tuple(one & other for one, other in zip(days, gone.days, strict=True))
        off = tuple(one & ~other for one, other in zip(days, gone.days, strict=True))
        for times, chosen in ((mask & kept, on), (mask, off)):
            if times and any(chosen):
                known = left.get(times, (0,) * len(chosen))
                left[times] = tuple(one | other for one, other in zip(known, chosen, strict=True))
    return left


def _mask(times: WallTimes) -> int:
    return sum(1 << time for time in times.times)

"""The grid of an interval, less exclusions, in milliseconds since 1970.

Within a stretch of constant offset the wall clock runs like the grid, so that all points of a day follow from its
first one (the phase), and a whole day is counted by two bisections, whatever the period.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from django_repeat.recurrence.every import Every
from django_repeat.recurrence.moments import MAX_MS, MIN_MS
from django_repeat.recurrence.remaining import Remaining
from django_repeat.recurrence.walltimes import DAY
from django_repeat.recurrence.zones import SPAN, offsets

LONGEST_SEARCH: Final = 3_000
"""Days that a search looks into, more than lie between two 29ths of February. A row of closed days counts as one, and
days without a point of the grid do not count."""
_MINUTE: Final = 60_000
_DAY_MS: Final = DAY * _MINUTE


class ElapsedTime:
    """The points of a grid at which the wall clock of a zone shows an open minute; both sides of a repeat count.

    A search that finds none in LONGEST_SEARCH days ends with None.
    """

    __slots__ = ("_closed", "_every", "_key", "_opened", "_period", "_points")

    def __init__(self, every: Every, opened: Remaining, key: str) -> None:
        self._every = every
        self._period = every.period_ms
        self._opened = opened
        self._key = key
        self._closed = _DayPoints((), every.period_ms)
        self._points = {share: _DayPoints(share.times, every.period_ms) for share in opened.shares}

    def left_out_ms(self, ms: int) -> int | None:
        """Answer None: an interval knows no wall time."""
        return None

    def after_ms(self, ms: int, anchor: int | None = None) -> int | None:
        """Answer the first point later than ``ms``."""
        origin, point = self._every.origin_ms(anchor), max(ms + 1, MIN_MS)
        for _ in range(LONGEST_SEARCH):
            point += (origin - point) % self._period
            if point > MAX_MS:
                return None
            _, end, offset = self._stretch(point)
            day, time = divmod(point + offset, _DAY_MS)
            opening = self._opened.first((point + offset) // _MINUTE)
            if opening < (day + 1) * DAY:
                ahead = self._on(day).first(self._phase(origin + offset, day), time)
                if ahead is not None and point + ahead - time < end:
                    found = point + ahead - time
                    return found if found <= MAX_MS else None
                opening = (day + 1) * DAY
            point = min(opening * _MINUTE - offset, end)
        return None

    def before_ms(self, ms: int, anchor: int | None = None) -> int | None:
        """Answer the latest point not later than ``ms``."""
        origin, point = self._every.origin_ms(anchor), min(ms, MAX_MS)
        for _ in range(LONGEST_SEARCH):
            point -= (point - origin) % self._period
            if point < MIN_MS:
                return None
            start, _, offset = self._stretch(point)
            day, time = divmod(point + offset, _DAY_MS)
            closing = self._opened.last((point + offset) // _MINUTE) + 1
            if closing > day * DAY:
                behind = self._on(day).last(self._phase(origin + offset, day), time)
                if behind is not None and point + behind - time >= start:
                    found = point + behind - time
                    return found if found >= MIN_MS else None
                closing = day * DAY
            point = max(closing * _MINUTE - offset, start) - 1
        return None

    def count_ms(self, start: int, end: int, anchor: int | None = None) -> int:
        """Answer how many points lie in (start, end]."""
        origin, total = self._every.origin_ms(anchor), 0
        for begin, stop, offset in self._stretches(max(start + 1, MIN_MS), min(end, MAX_MS) + 1):
            first, last = divmod(begin + offset, _DAY_MS), divmod(stop + offset, _DAY_MS)
            total += self._whole(origin + offset, first[0], last[0])
            total += self._part(origin + offset, *last) - self._part(origin + offset, *first)
        return total

    def _whole(self, origin: int, start: int, end: int) -> int:
        total = 0
        for begin, stop in self._opened.open_days(start, end):
            for share, points in self._points.items():
                if _DAY_MS % self._period == 0:
                    minutes = share.rank(stop * DAY) - share.rank(begin * DAY)
                    total += minutes // len(share.times) * points.whole(origin % self._period)
                    continue
                day = share.first(begin * DAY) // DAY
                while day < stop:
                    total += points.whole(self._phase(origin, day))
                    day = share.first((day + 1) * DAY) // DAY
        return total

    def _part(self, origin: int, day: int, time: int) -> int:
        return self._on(day).before(self._phase(origin, day), time)

    def _on(self, day: int) -> _DayPoints:
        share = self._opened.share(day)
        return self._points[share] if share else self._closed

    def _phase(self, origin: int, day: int) -> int:
        """Answer the milliseconds from the start of a day to its first point, which may lie beyond its end."""
        return (origin - day * _DAY_MS) % self._period

    def _stretch(self, ms: int) -> tuple[int, int, int]:
        """Answer start, end and offset of a stretch of constant offset around ``ms``."""
        table = offsets(self._key, ms // 1000 // SPAN)
        place = bisect_right(table.starts, ms // 1000) - 1
        return table.starts[place] * 1000, table.ends[place] * 1000, table.offsets[place] * 1000

    def _stretches(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Answer [begin, end) in parts, as long as the offset stays, with their offsets."""
        if begin >= end:
            return
        _, stop, offset = self._stretch(begin)
        while stop < end:
            _, further, following = self._stretch(stop)
            if following != offset:
                yield begin, stop, offset
                begin, offset = stop, following
            stop = further
        yield begin, end, offset


class _DayPoints:
    """The points of a grid in the open times of one day, in milliseconds of that day."""

    __slots__ = ("_closings", "_ends", "_least", "_openings", "_period", "_starts")

    def __init__(self, times: Sequence[int], period: int) -> None:
        listed = set(times)
        self._starts = [time * _MINUTE for time in times if time - 1 not in listed]
        self._ends = [(time + 1) * _MINUTE for time in times if time + 1 not in listed]
        self._period = period
        bounds = zip(self._starts, self._ends, strict=True)
        self._least = sum((end - 1) // period - (start - 1) // period for start, end in bounds)
        self._openings = sorted((start - 1) % period for start in self._starts)
        self._closings = sorted((end - 1) % period for end in self._ends)

    def whole(self, phase: int) -> int:
        """Answer how many points the day has."""
        # (bound - 1 - phase) // period, the points before a bound less one, falls by one where phase passes the rest
        return self._least + bisect_left(self._openings, phase) - bisect_left(self._closings, phase)

    def before(self, phase: int, time: int) -> int:
        """Answer how many points the day has before ``time``."""
        total = 0
        for start, end in zip(self._starts, self._ends, strict=True):
            if start >= time:
                break
            total += (min(end, time) - 1 - phase) // self._period - (start - 1 - phase) // self._period
        return total

    def first(self, phase: int, time: int) -> int | None:
        """Answer the earliest point that is not before ``time``."""
        if self.whole(phase):
            for place in range(bisect_right(self._ends, time), len(self._ends)):
                point = max(self._starts[place], time)
                point += (phase - point) % self._period
                if point < self._ends[place]:
                    return point
        return None

    def last(self, phase: int, time: int) -> int | None:
        """Answer the latest point that is not after ``time``."""
        if self.whole(phase):
            for place in range(bisect_right(self._starts, time) - 1, -1, -1):
                point = min(self._ends[place] - 1, time)
                point -= (point - phase) % self._period
                if point >= self._starts[place]:
                    return point
        return None

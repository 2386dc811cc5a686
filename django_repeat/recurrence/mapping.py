"""Wall-clock minutes of a rule to instants in its zone, in whole seconds since 1970.

All classes answer the same three questions. ``reached`` of a stretch is the latest reading of the wall clock before
it; a stretch whose first reading is later starts with a gap, one whose first reading is earlier with a repeat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from django_repeat.recurrence.walltimes import Minutes
from django_repeat.recurrence.zones import SPAN, Offsets, offsets

FIRST: Final = -62_135_596_800
"""0001-01-01T00:00:00Z."""
LAST: Final = 253_402_300_799
"""9999-12-31T23:59:59Z."""
_TWO_DAYS: Final = 172_800
"""More than two offsets of one zone ever differ."""


class InZone(ABC):
    """Minutes of the wall clock as instants in one zone."""

    __slots__ = ("_key", "_times")

    def __init__(self, times: Minutes, key: str) -> None:
        self._times = times
        self._key = key

    @abstractmethod
    def after(self, second: int) -> int | None:
        """Answer the first instant later than ``second``."""

    @abstractmethod
    def before(self, second: int) -> int | None:
        """Answer the latest instant not later than ``second``."""

    @abstractmethod
    def count(self, start: int, end: int) -> int:
        """Answer how many instants lie in (start, end]."""

    def after_ms(self, ms: int, anchor: int | None = None) -> int | None:
        """Answer as :meth:`after` does, in milliseconds."""
        found = self.after(ms // 1000)
        return None if found is None else found * 1000

    def before_ms(self, ms: int, anchor: int | None = None) -> int | None:
        """Answer as :meth:`before` does, in milliseconds."""
        found = self.before(ms // 1000)
        return None if found is None else found * 1000

    def count_ms(self, start: int, end: int, anchor: int | None = None) -> int:
        """Answer as :meth:`count` does, in milliseconds."""
        return self.count(start // 1000, end // 1000)

    def left_out_ms(self, ms: int) -> int | None:
        """Answer as `Moments.left_out_ms` does; a rule that follows real time makes nothing up."""
        return None

    def _reading(self, second: int) -> int:
        table = offsets(self._key, second // SPAN)
        return second + table.offsets[bisect_right(table.starts, second) - 1]

    def _changes(self, start: int, end: int) -> Iterator[tuple[Offsets, int]]:
        """Answer the stretches that begin in [start, end] with a change of offset."""
        for index in range(start // SPAN, end // SPAN + 1):
            table = offsets(self._key, index)
            for place in range(1, len(table.starts)):
                moment = table.starts[place]
                if start <= moment <= end and moment // SPAN == index:
                    yield table, place


class RealTime(InZone):
    """A wildcard rule (R9): each real minute is compared with the wall clock."""

    __slots__ = ()

    def after(self, second: int) -> int | None:
        second = max(second + 1, FIRST)
        while second <= LAST:
            table = offsets(self._key, second // SPAN)
            place = bisect_right(table.starts, second) - 1
            offset, end = table.offsets[place], table.ends[place]
            found = self._times.first(-((second + offset) // -60)) * 60 - offset
            if found < end:
                return found if found <= LAST else None
            # two days on, the wall clock cannot show again what was searched already
            second = max(end, found - _TWO_DAYS) if end - second > _TWO_DAYS else end
        return None

    def before(self, second: int) -> int | None:
        second = min(second, LAST)
        while second >= FIRST:
            table = offsets(self._key, second // SPAN)
            place = bisect_right(table.starts, second) - 1
            offset, start = table.offsets[place], table.starts[place]
            found = self._times.last((second + offset) // 60) * 60 - offset
            if found >= start:
                return found if found >= FIRST else None
            second = min(start - 1, found + _TWO_DAYS) if second - start > _TWO_DAYS else start - 1
        return None

    def count(self, start: int, end: int) -> int:
        start, end = max(start + 1, FIRST), min(end, LAST) + 1
        if start >= end:
            return 0
        total = self._rank(self._reading(end)) - self._rank(self._reading(start))
        for table, place in self._changes(start + 1, end):
            moment = table.starts[place]
            total += self._rank(moment + table.offsets[place - 1]) - self._rank(moment + table.offsets[place])
        return total

    def _rank(self, reading: int) -> int:
        return self._times.rank(-(reading // -60))


class FixedTime(InZone):
    """A rule of fixed times (R7, R8): each wall-clock minute counts once, when the clock first reads it or later."""

    __slots__ = ()

    def after(self, second: int) -> int | None:
        second = max(second + 1, FIRST)
        if second > LAST:
            return None
        found = self._instant(self._times.first(self._minute(second)))
        return found if found <= LAST else None

    def before(self, second: int) -> int | None:
        if second < FIRST:
            return None
        found = self._instant(self._times.last(self._minute(min(second, LAST) + 1) - 1))
        return found if found >= FIRST else None

    def count(self, start: int, end: int) -> int:
        start, end = max(start + 1, FIRST), min(end, LAST) + 1
        if start >= end:
            return 0
        total = self._times.rank(self._minute(end)) - self._times.rank(self._minute(start))
        for table, place in self._changes(start - 60, end):
            resumed = _resumed(table, place)
            if start <= resumed < end and table.starts[place] + table.offsets[place] > table.reached[place]:
                last = (resumed + table.offsets[place]) // 60
                in_gap = self._times.rank(last + 1) - self._times.rank(-(table.reached[place] // -60))
                total -= in_gap - self._landed(in_gap, last)
        return total

    def left_out_ms(self, ms: int) -> int | None:
        second = ms // 1000
        table = offsets(self._key, second // SPAN)
        place = bisect_right(table.starts, second) - 1
        reading = second + table.offsets[place]
        if second != _resumed(table, place) or table.starts[place] + table.offsets[place] <= table.reached[place]:
            return None
        first = self._times.first(-(table.reached[place] // -60))
        return first * 60_000 if first * 60 < reading else None

    def _landed(self, in_gap: int, minute: int) -> int:
        """Answer how many runs ``in_gap`` minutes make that a gap moves to ``minute``."""
        return min(in_gap, 1)

    def _instant(self, minute: int) -> int:
        """Answer when the wall clock first reads ``minute``, or else the first whole minute after its gap."""
        reading = minute * 60
        table = offsets(self._key, reading // SPAN)
        place = bisect_right(table.reached, reading) - 1
        return max(reading - table.offsets[place], _resumed(table, place))

    def _minute(self, second: int) -> int:
        """Answer the smallest minute whose instant is not before ``second``."""
        table = offsets(self._key, second // SPAN)
        place = bisect_right(table.starts, second) - 1
        offset, reached = table.offsets[place], table.reached[place]
        if second <= _resumed(table, place) and table.starts[place] + offset > reached:
            return -(reached // -60)
        return -(max(second + offset, reached) // -60)


def _resumed(table: Offsets, place: int) -> int:
    """Answer the first whole minute of the wall clock in a stretch."""
    start = table.starts[place]
    return start + -(start + table.offsets[place]) % 60

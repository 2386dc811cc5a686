"""Nominal times that an operator took out: while a schedule was paused, or one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from django_repeat.plan.value import Gap
from django_repeat.reason import Reason
from django_repeat.recurrence import Moments

_ITEM: Final = re.compile(r"(?:p([0-9]{1,15})-([0-9]{1,15})?|s([0-9]{1,15}))(?: |$)")
Window = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class Holes:
    """Windows of pauses, from their start to before their end (None: still open), and instants that are skipped.

    Milliseconds, in order; windows do not touch, and no instant lies in one.
    """

    windows: tuple[Window, ...] = ()
    instants: tuple[int, ...] = ()

    @staticmethod
    def of(windows: Iterable[Window] = (), instants: Iterable[int] = ()) -> Holes:
        """Answer the holes of windows and instants that come in any order and may overlap."""
        merged = Holes(_merged(windows))
        return Holes(merged.windows, tuple(sorted({one for one in instants if merged._end(one) is None})))

    @staticmethod
    def read(text: str) -> Holes:
        """Answer the holes of a text as :meth:`__str__` answers it. What cannot be read in it counts as nothing."""
        return _read(text) if text else WHOLE

    def __str__(self) -> str:
        windows = (f"p{start}-{'' if end is None else end}" for start, end in self.windows)
        return " ".join([*windows, *(f"s{instant}" for instant in self.instants)])

    def __bool__(self) -> bool:
        return bool(self.windows or self.instants)

    def __contains__(self, ms: int) -> bool:
        return self._end(ms) is not None or ms in self.instants

    def over(self, grid: Moments) -> Moments:
        """Answer the nominal times of ``grid`` that are left."""
        return Remainder(grid=grid, holes=self) if self else grid

    def gaps(self, grid: Moments, first: int, last: int) -> Iterator[Gap]:
        """Answer what is taken out of the nominal times from ``first``, which is one, to ``last``."""
        for start, end in self.windows:
            until = last if end is None else min(last, end - 1)
            begin = first if start <= first else grid.after_ms(start - 1, first)
            if begin is not None and begin <= until:
                final = max(begin, grid.before_ms(until, first) or begin)
                count = 1 + grid.count_ms(begin, final, first)
                yield Gap(reason=Reason.PAUSED, first=begin, last=final, count=count)
        for instant in self.instants:
            if instant == first or (first < instant <= last and grid.count_ms(instant - 1, instant, first)):
                yield Gap(reason=Reason.OPERATOR, first=instant, last=instant, count=1)

    def rows(self, grid: Moments, gap: Gap) -> Iterator[Gap]:
        """Answer a gap whose ends lie in no hole as one gap for each row of nominal times that no hole parts."""
        begin: int | None = gap.first
        parting = [one for one in self._spans() if gap.first < one[0] < gap.last]
        for start, end in parting:
            last = grid.before_ms(start - 1, gap.first)
            if begin is not None and last is not None and begin <= last:
                yield replace(gap, first=begin, last=last, count=1 + grid.count_ms(begin, last, gap.first))
            begin = None if end is None else grid.after_ms(end - 1, gap.first)
        if begin is not None and begin <= gap.last:
            count = 1 + grid.count_ms(begin, gap.last, gap.first) if parting else gap.count
            yield replace(gap, first=begin, count=count)

    def after(self, ms: int) -> int | None:
        """Answer where the hole that holds ``ms`` ends; None for no hole, -1 for one without end."""
        end = self._end(ms)
        return ms + 1 if end is None and ms in self.instants else end

    def before(self, ms: int) -> int | None:
        """Answer the last instant before the hole that holds ``ms``; None for no hole."""
        for start, end in self.windows:
            if start <= ms and (end is None or ms < end):
                return start - 1
        return ms - 1 if ms in self.instants else None

    def _spans(self) -> list[Window]:
        return sorted([*self.windows, *((one, one + 1) for one in self.instants)], key=lambda span: span[0])

    def _end(self, ms: int) -> int | None:
        for start, end in self.windows:
            if start <= ms and (end is None or ms < end):
                return -1 if end is None else end
        return None


WHOLE: Final = Holes()
"""No holes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remainder(Moments):
    """The nominal times of a grid that lie in no hole."""

    grid: Moments
    holes: Holes

    def after_ms(self, ms: int, anchor: int | None = None) -> int | None:
        found = self.grid.after_ms(ms, anchor)
        while found is not None and (end := self.holes.after(found)) is not None:
            if end == -1:
                return None
            found = self.grid.after_ms(end - 1, anchor)
        return found

    def before_ms(self, ms: int, anchor: int | None = None) -> int | None:
        found = self.grid.before_ms(ms, anchor)
        while found is not None and (earlier := self.holes.before(found)) is not None:
            found = self.grid.before_ms(earlier, anchor)
        return found

    def count_ms(self, start: int, end: int, anchor: int | None = None) -> int:
        total = self.grid.count_ms(start, end, anchor)
        for begin, until in self.holes.windows:
            low, high = max(start, begin - 1), end if until is None else min(end, until - 1)
            if low < high:
                total -= self.grid.count_ms(low, high, anchor)
        inside = (one for one in self.holes.instants if start < one <= end)
        return total - sum(self.grid.count_ms(one - 1, one, anchor) for one in inside)


@lru_cache(maxsize=1024)
def _read(text: str) -> Holes:
    windows: list[Window] = []
    instants = []
    for start, end, instant in _ITEM.findall(text):
        if instant:
            instants.append(int(instant))
        else:
            windows.append((int(start), int(end) if end else None))
    return Holes.of(windows, instants)


def _merged(windows: Iterable[Window]) -> tuple[Window, ...]:
    merged: list[Window] = []
    for start, end in sorted(windows, key=lambda window: window[0]):
        if end is not None and end <= start:
            continue
        previous = merged[-1] if merged else None
        if previous is None or (previous[1] is not None and previous[1] < start):
            merged.append((start, end))
        elif previous[1] is not None:
            merged[-1] = previous[0], None if end is None else max(end, previous[1])
    return tuple(merged)

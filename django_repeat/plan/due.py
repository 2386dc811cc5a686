"""The nominal times that may be due: from the pending one on."""

from __future__ import annotations

from dataclasses import dataclass

from django_repeat.plan.value import Gap
from django_repeat.policies import effective
from django_repeat.reason import Reason
from django_repeat.recurrence import Moments


@dataclass(frozen=True, kw_only=True, slots=True)
class Due:
    """The nominal times from ``first`` on: that one, and those of ``grid`` after it.

    Each falls due ``offset`` ms later, but before the next one of ``whole``: what is left out of ``grid`` makes no
    room.
    """

    grid: Moments
    whole: Moments
    first: int
    offset: int

    def at(self, nominal: int) -> int:
        """Answer when a nominal time falls due."""
        return effective(self.whole, nominal, self.offset)

    def latest(self, end: int, as_of: int) -> tuple[int, int | None]:
        """Answer the latest not after ``end`` that is due at ``as_of``, as the first one is, and the one after it."""
        following = self.grid.after_ms(self.first, self.first)
        if following is None or following > end:
            return self.first, following
        found = self.grid.before_ms(end, self.first)
        assert found is not None
        if self.at(found) > as_of:
            return self.previous(found), found
        return found, self.grid.after_ms(found, self.first)

    def previous(self, nominal: int) -> int:
        """Answer the one before, or the first."""
        return max(self.first, self.grid.before_ms(nominal - 1, self.first) or self.first)

    def since(self, moment: int, last: int) -> int | None:
        """Answer the first that falls due at ``moment`` or later, None if that is after ``last``."""
        if self.at(self.first) >= moment:
            return self.first
        if self.at(last) < moment:
            return None
        # What falls due later than its nominal time does so before the next one: only one can lie before.
        found = self.grid.after_ms(moment - 1, self.first)
        earlier = self.previous(moment if found is None else found)
        return earlier if found is None or self.at(earlier) >= moment else found

    def newest(self, oldest: int, last: int, most: int) -> tuple[int, ...]:
        """Answer at most so many of those from ``oldest`` to ``last``: the newest, oldest first."""
        found = [last]
        while found[-1] > oldest and len(found) < most:
            found.append(self.previous(found[-1]))
        return tuple(reversed(found))

    def gap(self, reason: Reason, first: int, last: int) -> Gap:
        """Answer the gap from one nominal time to another."""
        return Gap(reason=reason, first=first, last=last, count=1 + self.grid.count_ms(first, last, self.first))

"""The plan of one claim: which nominal times fire, which do not and why, what comes next. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django_repeat.policies import DEFAULT, CatchUp, Policies, effective
from django_repeat.reason import Reason
from django_repeat.recurrence import Recurrence


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """Nominal times in a row that do not fire: the first, the last, how many, and why. Milliseconds."""

    reason: Reason
    first: int
    last: int
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to do with what is due, oldest first. Milliseconds; ``next`` is None when nothing comes after."""

    fires: tuple[int, ...] = ()
    gaps: tuple[Gap, ...] = ()
    next: int | None = None


def plan(
    recurrence: Recurrence, nominal: int, as_of: int, policies: Policies = DEFAULT, *, fired: int = 0, offset: int = 0
) -> Plan:
    """Answer what becomes of the nominal times from ``nominal``, the pending one, to the latest due at ``as_of``.

    The pending one counts as one even where zone data that changed since no longer has it on the grid; before
    ``start_at`` it gives way to the first one after. A nominal time is due when ``offset`` has passed since, and
    lateness counts from there. One that lies ahead fires nothing. ``fired`` is how many have fired, for ``max_runs``.
    What does not fire is counted by arithmetic; at most ``limit`` times are listed.
    """
    grid = policies.grid(recurrence)
    first: int | None = nominal
    if policies.start_ms is not None and nominal < policies.start_ms:
        first = grid.after_ms(policies.start_ms - 1, nominal)
    if first is None or policies.is_past_end(first) or policies.is_used_up(fired):
        return Plan()
    due = _Due(grid=grid, first=first, offset=offset)
    if due.at(first) > as_of:
        return Plan(next=first)
    last, following = due.latest(as_of if policies.end_ms is None else min(as_of, policies.end_ms), as_of)
    if following is not None and policies.is_past_end(following):
        following = None
    gaps, oldest = _too_old(due, last, policies, as_of)
    if oldest is None:
        return Plan(gaps=gaps, next=following)
    several = policies.catch_up is CatchUp.ALL
    fires = due.newest(oldest, last, policies.limit if several else 1)
    if fires[0] != oldest:
        reason = Reason.LIMIT if several else Reason.COALESCED
        gaps = (*gaps, due.gap(reason, oldest, due.previous(fires[0])))
    if policies.max_runs is None or len(fires) < policies.max_runs - fired:
        return Plan(fires=fires, gaps=gaps, next=following)
    room = policies.max_runs - fired
    if left := fires[room:]:
        gaps = (*gaps, Gap(reason=Reason.ENDED, first=left[0], last=left[-1], count=len(left)))
    return Plan(fires=fires[:room], gaps=gaps)


def upcoming(
    recurrence: Recurrence, pending: int | None, after: int, policies: Policies = DEFAULT, *, fired: int = 0
) -> Iterator[int]:
    """Answer the nominal times later than ``after`` as if each one fired, without end unless a policy has one.

    ``pending`` is one of them, or one before; it anchors an interval without phase.
    """
    grid = policies.grid(recurrence)
    following = pending if pending is not None and pending > after else policies.after_ms(grid, after, pending)
    while following is not None and not policies.is_past_end(following) and not policies.is_used_up(fired):
        yield following
        following, fired = policies.after_ms(grid, following, following), fired + 1


def _too_old(due: _Due, last: int, policies: Policies, as_of: int) -> tuple[tuple[Gap, ...], int | None]:
    """Answer the gaps of what fell due too long ago, and the oldest that did not; None if all did."""
    cuts = []
    if policies.window_ms is not None:
        cuts.append((Reason.WINDOW, as_of - policies.window_ms))
    if policies.catch_up is CatchUp.NONE:
        cuts.append((Reason.GRACE, as_of - policies.grace_ms + 1))
    gaps: tuple[Gap, ...] = ()
    oldest = due.first
    for reason, since in cuts:
        kept = due.since(since, last)
        if kept is None:
            return (*gaps, due.gap(reason, oldest, last)), None
        if kept > oldest:
            gaps, oldest = (*gaps, due.gap(reason, oldest, due.previous(kept))), kept
    return gaps, oldest


@dataclass(frozen=True, kw_only=True, slots=True)
class _Due:
    """The nominal times from ``first`` on: that one, and those of the grid after it."""

    grid: Recurrence
    first: int
    offset: int

    def at(self, nominal: int) -> int:
        return effective(self.grid, nominal, self.offset)

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
        found = [last]
        while found[-1] > oldest and len(found) < most:
            found.append(self.previous(found[-1]))
        return tuple(reversed(found))

    def gap(self, reason: Reason, first: int, last: int) -> Gap:
        return Gap(reason=reason, first=first, last=last, count=1 + self.grid.count_ms(first, last, self.first))

"""The plan of one claim: which nominal times fire, which do not and why, what comes next. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from django_repeat.plan.due import Due
from django_repeat.plan.holes import WHOLE, Holes
from django_repeat.plan.value import Gap, Plan
from django_repeat.policies import DEFAULT, CatchUp, Overlap, Policies
from django_repeat.reason import Reason
from django_repeat.recurrence import Recurrence


def plan(
    recurrence: Recurrence,
    nominal: int | None,
    as_of: int,
    policies: Policies = DEFAULT,
    *,
    fired: int = 0,
    offset: int = 0,
    holes: Holes = WHOLE,
    busy: bool = False,
    waiting: int | None = None,
    inherited: bool = False,
) -> Plan:
    """Answer what becomes of the nominal times from ``nominal``, the pending one, to the latest due at ``as_of``.

    The pending one counts as one even where zone data that changed since no longer has it on the grid; before
    ``start_at``, or excluded since, it gives way to the first one after. A nominal time is due when ``offset`` has
    passed since, and lateness counts from there. One that lies ahead fires nothing. ``fired`` is how many have fired,
    for ``max_runs``. What does not fire is counted by arithmetic; at most ``limit`` times are listed.

    What lies in ``holes`` an operator took out; it is neither made up nor missed. ``busy``: a run has not ended;
    ``waiting``: the nominal time that waits for that, which may be all that is left; ``inherited``: a ticker that had
    this in hand died, and may have fired what is skipped here.
    """
    reserved = fired if waiting is None else fired + 1
    found = Plan()
    if nominal is not None:
        found = _made_up(recurrence, nominal, as_of, policies, fired=reserved, offset=offset, holes=holes)
    if policies.overlap is Overlap.ALLOW and waiting is None:
        return found
    return _one_at_a_time(found, policies.overlap, busy, waiting, Reason.UNSURE if inherited else Reason.OVERLAP)


def _made_up(
    recurrence: Recurrence, nominal: int, as_of: int, policies: Policies, *, fired: int, offset: int, holes: Holes
) -> Plan:
    """Answer the plan as ``catch_up`` and the bounds have it."""
    grid = policies.grid(recurrence)
    first: int | None = nominal
    if policies.start_ms is not None and nominal < policies.start_ms:
        first = grid.after_ms(policies.start_ms - 1, nominal)
    elif policies.excludes(recurrence, nominal):
        first = grid.after_ms(nominal, nominal)
    if first is None or policies.is_past_end(first) or policies.is_used_up(fired):
        return Plan()
    due = Due(grid=grid, whole=grid, first=first, offset=offset)
    if due.at(first) > as_of:
        return Plan(next=first)
    last, following = due.latest(as_of if policies.end_ms is None else min(as_of, policies.end_ms), as_of)
    if following is not None and policies.is_past_end(following):
        following = None
    if not holes:
        return _of_due(due, last, following, policies, as_of, fired)
    taken = tuple(holes.gaps(grid, first, last))
    left = holes.over(grid)
    begin = left.after_ms(first, first) if first in holes else first
    if begin is None or begin > last:
        return Plan(gaps=taken, next=following)
    due = replace(due, grid=left, first=begin)
    final = due.previous(last) if last in holes else last
    found = _of_due(due, final, following, policies, as_of, fired)
    return replace(found, gaps=_sorted((*found.gaps, *taken)))


def _of_due(due: Due, last: int, following: int | None, policies: Policies, as_of: int, fired: int) -> Plan:
    """Answer the plan of what is due, up to ``last``; ``following`` comes after."""
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


def _one_at_a_time(found: Plan, overlap: Overlap, busy: bool, waiting: int | None, reason: Reason) -> Plan:
    """Answer the plan where at most one run is to be on its way: the rest waits, one of it, or is skipped."""
    queued = waiting if waiting is not None and (overlap is Overlap.ALLOW or not busy) else None
    if queued is not None:
        waiting = None
    if overlap is Overlap.ALLOW or not found.fires:
        return replace(found, queued=queued, waits=waiting)
    room = 0 if busy or queued is not None else 1
    fires, rest = found.fires[:room], found.fires[room:]
    if rest and waiting is None and overlap is Overlap.QUEUE_ONE:
        waiting, rest = rest[0], rest[1:]
    gaps = found.gaps
    if rest:
        gaps = _sorted((*gaps, Gap(reason=reason, first=rest[0], last=rest[-1], count=len(rest))))
    return replace(found, fires=fires, gaps=gaps, queued=queued, waits=waiting)


def upcoming(
    recurrence: Recurrence,
    pending: int | None,
    after: int,
    policies: Policies = DEFAULT,
    *,
    fired: int = 0,
    holes: Holes = WHOLE,
) -> Iterator[int]:
    """Answer the nominal times later than ``after`` as if each one fired, without end unless a policy has one.

    ``pending`` is one of them, or one before; it anchors an interval without phase. What lies in ``holes`` is left out.
    """
    grid = holes.over(policies.grid(recurrence))
    following: int | None
    if pending is not None and pending > after and pending not in holes and not policies.excludes(recurrence, pending):
        following = pending
    else:
        following = policies.after_ms(grid, after, pending)
    while following is not None and not policies.is_past_end(following) and not policies.is_used_up(fired):
        yield following
        following, fired = policies.after_ms(grid, following, following), fired + 1


def _too_old(due: Due, last: int, policies: Policies, as_of: int) -> tuple[tuple[Gap, ...], int | None]:
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


def _sorted(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    return tuple(sorted(gaps, key=lambda gap: gap.first))

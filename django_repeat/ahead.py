"""What lies ahead: of an entry, of a schedule that would be registered now, of many schedules together."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile

from django_repeat.durations import LONGEST_MS
from django_repeat.entry import Entry
from django_repeat.instants import from_ms, to_ms
from django_repeat.plan import Holes, upcoming
from django_repeat.schedule import Schedule

_MILLISECOND = timedelta(milliseconds=1)


def nominal_times(entry: Entry, now: datetime) -> Iterator[datetime]:
    """Answer the nominal times later than ``now``, as if each fired, until ``end_at`` or ``max_runs``.

    What an operator skipped is left out, and what a pause takes out that has an end; one without end counts as if it
    ended now. None if the schedule cannot be read; ValueError for an interval without phase without one to count from.
    """
    schedule, pending = entry.schedule, entry.next or entry.last_nominal
    if schedule is None:
        return
    after, fired = to_ms(now), entry.fired_count
    if entry.due is not None and entry.due <= now:
        fired += 1  # what is due will have fired
    elif entry.next is not None and entry.next <= now:
        after = to_ms(entry.next) - 1  # its spread puts it off until later
    anchor = None if pending is None else to_ms(pending)
    for ms in upcoming(schedule.recurrence, anchor, after, schedule.policies, fired=fired, holes=holes_ahead(entry)):
        yield from_ms(ms)


def holes_ahead(entry: Entry) -> Holes:
    """Answer what an operator took out of the nominal times of an entry, as far as that is known to end."""
    own = Holes.read(entry.raw.get("holes", ""))
    windows = [window for window in own.windows if window[1] is not None]
    if entry.pause is not None and entry.pause.until is not None:
        windows.append((to_ms(entry.pause.since), to_ms(entry.pause.until)))
    return Holes.of(windows, own.instants)


def first_times(schedule: Schedule, now: datetime) -> Iterator[datetime]:
    """Answer the nominal times of a schedule that would be registered ``now``."""
    begin, pending = to_ms(now) + schedule.first_in // _MILLISECOND, None
    if begin > LONGEST_MS:
        return iter(())
    if schedule.floats:
        # Its grid begins with the first run, which is not past even without a delay.
        begin, pending = begin - 1, begin
    return map(from_ms, upcoming(schedule.recurrence, pending, begin, schedule.policies))


@dataclass(frozen=True, order=True, slots=True)
class Fire:
    """One occurrence to come: when it falls due, its queue and name, and its nominal time, in milliseconds."""

    due_ms: int
    queue: str
    name: str
    nominal_ms: int
    schedule: Schedule = field(compare=False)


def fires(schedules: Iterable[Schedule], start: int, end: int) -> Iterator[Fire]:
    """Answer what falls due from ``start`` to ``end`` (ms), both included, in the order of time, worked out one by one.

    As if none had fired before, and as if each interval without phase began at ``start``.
    """
    return heapq.merge(*(_fires(schedule, start, end) for schedule in schedules))


def fires_count(schedule: Schedule, start: int, end: int) -> int:
    """Answer how many `fires` answers of one schedule, by arithmetic."""
    first = next(_fires(schedule, start, end), None)
    if first is None:
        return 0
    nominal, grid, policies = first.nominal_ms, schedule.grid, schedule.policies
    until = end if policies.end_ms is None else min(end, policies.end_ms)
    last = grid.before_ms(until, nominal)
    if last is not None and schedule.due_ms(last) > end:
        last = grid.before_ms(last - 1, nominal)
    count = 1 if last is None else 1 + grid.count_ms(nominal, last, nominal)
    return count if policies.max_runs is None else min(count, policies.max_runs)


def _fires(schedule: Schedule, start: int, end: int) -> Iterator[Fire]:
    if schedule.floats:
        pending: int | None = start
        after = start - 1
    else:
        # The spread may put off until then what lies before.
        pending, after = None, _before(schedule, start)
    times = upcoming(schedule.recurrence, pending, after, schedule.policies)
    found = (Fire(schedule.due_ms(one), schedule.queue, schedule.name, one, schedule) for one in times)
    return takewhile(lambda fire: fire.due_ms <= end, found)


def _before(schedule: Schedule, start: int) -> int:
    """Answer the latest nominal time that falls due before ``start``, or what is before all."""
    last = schedule.grid.before_ms(start - 1)
    if last is None or schedule.due_ms(last) < start:
        return start - 1
    return last - 1

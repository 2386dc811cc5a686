"""Fire nominal times of the past."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from django_repeat import service, signals
from django_repeat.codec import LETTERS
from django_repeat.control.deciding import Order, carry_out, rev
from django_repeat.control.triggering import failed, fired_line, note, schedule_of
from django_repeat.dispatch import Dispatcher
from django_repeat.entry import Entry, MissedRange
from django_repeat.exceptions import Conflict, DispatchFailed
from django_repeat.instants import from_ms, iso, to_ms
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.occurrence import Occurrence
from django_repeat.recurrence import Moments
from django_repeat.registry import Decision
from django_repeat.schedule import Schedule

MOST = 10_000
GROUP = 10
PER_SECOND = 20
# As many as progress.lua keeps: what is cut in two may be one too many.
RANGES = 20


def marked_times(
    name: str, start: datetime, end: datetime, *, queue: str = DEFAULT_QUEUE
) -> list[tuple[datetime, bool]]:
    """Answer the nominal times from ``start`` to ``end``, both included, each with whether it is known as missed.

    Known are those in the latest ranges that the entry keeps. Conflict for what lies ahead, for more than 10,000, and
    for a definition that cannot be read; ScheduleNotFound, RegistryUnavailable.
    """
    entry, now = service.get(name, queue=queue), to_ms(service.now(queue=queue))
    schedule = schedule_of(entry)
    if to_ms(end) < to_ms(start):
        raise ValueError(f"end: {end.isoformat()} lies before start.")
    if to_ms(end) > now:
        raise Conflict(f"Schedule {name!r}: {end.isoformat()} lies ahead; only the past can be backfilled.")
    times = list(islice(_between(entry, schedule, to_ms(start), to_ms(end)), MOST + 1))
    if len(times) > MOST:
        raise Conflict(f"Schedule {name!r}: more than {MOST:,} nominal times lie between; take a part of them.")
    known = [(to_ms(one.first), to_ms(one.last)) for one in entry.missed_ranges if _is_on(schedule.grid, one)]
    return [(from_ms(one), any(first <= one <= last for first, last in known)) for one in times]


def times_of(
    name: str, start: datetime, end: datetime, *, queue: str = DEFAULT_QUEUE, force: bool = False
) -> list[datetime]:
    """Answer the nominal times that ``backfill`` would fire.

    Conflict without ``force`` if one of them is not known as missed; else as ``marked_times``.
    """
    marked = marked_times(name, start, end, queue=queue)
    strange = [one for one, is_missed in marked if not is_missed]
    if strange and not force:
        raise Conflict(
            f"Schedule {name!r}: {len(strange)} of {len(marked)} times are not known as missed, the first of them "
            f"{iso(to_ms(strange[0]))}; give force=True (--force) to fire them all the same."
        )
    return [one for one, _ in marked]


def backfill(
    name: str,
    start: datetime,
    end: datetime,
    *,
    queue: str = DEFAULT_QUEUE,
    force: bool = False,
    by: str = "",
    reason: str = "",
    per_second: float = PER_SECOND,
    each: Callable[[Occurrence], object] = lambda occurrence: None,
    sleep: Callable[[float], object] = time.sleep,
) -> list[Occurrence]:
    """Fire the nominal times from ``start`` to ``end``, both included, oldest first; answer what was fired.

    They go to the engine from this process, with the ids that the scheduled ones have, at most ``per_second``; ``each``
    is called after each one. What was fired counts as missed no more; next run, counters and limits stay as they are,
    and the condition is not asked. That is noted ten by ten: after a crash at most ten that were fired are still known
    as missed, and a call from there on fires them again with the same ids. Errors as in ``times_of``; DispatchFailed if
    the engine refuses, with what was fired before it noted.
    """
    if not per_second > 0:
        raise ValueError(f"per_second: give more than 0, not {per_second!r:.40}.")
    times = [to_ms(one) for one in times_of(name, start, end, queue=queue, force=force)]
    order = Order(verb="backfill", name=name, queue=queue, by=by, reason=reason)
    schedule = schedule_of(service.get(name, queue=queue))
    done: list[Occurrence] = []
    for begin in range(0, len(times), GROUP):
        if begin:
            sleep(GROUP / per_second)
        group: list[Occurrence] = []
        try:
            for nominal in times[begin : begin + GROUP]:
                group.append(_fire(order, schedule, nominal))
                each(group[-1])
        finally:
            if group:
                carry_out(order, _noted(order, schedule, group))
            done += group
    return done


def _fire(order: Order, schedule: Schedule, nominal: int) -> Occurrence:
    now = to_ms(service.now(queue=order.queue))
    occurrence = Occurrence(schedule=schedule, nominal_ms=nominal, fired_ms=now, trigger="backfill")
    try:
        result = Dispatcher(lasting=False).fire(occurrence)
    except DispatchFailed as error:
        note(order, failed(order, occurrence, error))
        raise
    fired = replace(occurrence, result_id=result)
    signals.occurrence_fired.send_robust(
        Order, occurrence=fired, result_id=fired.result_id, late_ms=fired.late_ms
    )  # fmt: skip
    return fired


def _noted(order: Order, schedule: Schedule, group: Sequence[Occurrence]) -> Callable[[Entry, int], Decision]:
    nominals = [one.nominal_ms for one in group]

    def decide(entry: Entry, now: int) -> Decision:
        left = [*_without(schedule.grid, entry.missed_ranges, nominals)]
        return Decision(
            name=entry.name,
            rev=rev(entry),
            fields={"missed": " ".join(f"{to_ms(one.first)}-{to_ms(one.last)}-{one.count}" for one in left[:RANGES])},
            lines=[fired_line(order, one) for one in group],
            letters=LETTERS["fired"] * len(group),
        )

    return decide


def _is_on(grid: Moments, one: MissedRange) -> bool:
    """Answer whether the range can be of this grid: a recurrence that changed since has other times in it."""
    first, last = to_ms(one.first), to_ms(one.last)
    return bool(grid.count_ms(first - 1, first, first)) and 1 + grid.count_ms(first, last, first) <= one.count


def _between(entry: Entry, schedule: Schedule, start: int, end: int) -> Iterator[int]:
    """Answer the nominal times from start to end, both included."""
    known = entry.last_nominal or entry.next
    anchor = None if known is None else to_ms(known)
    grid, policies = schedule.grid, schedule.policies
    if schedule.floats:
        if anchor is None:
            return
        if entry.last_nominal is None:  # its grid begins there
            start = max(start, anchor)
    found = policies.after_ms(grid, start - 1, anchor)
    while found is not None and found <= end:
        yield found
        found = policies.after_ms(grid, found, found)


def _without(grid: Moments, ranges: Iterable[MissedRange], times: Sequence[int]) -> Iterator[MissedRange]:
    """Answer the ranges without these times, which are in a row on the grid."""
    low, high = times[0], times[-1]
    for one in ranges:
        first, last = to_ms(one.first), to_ms(one.last)
        if last < low or first > high:
            yield one
            continue
        before, after = grid.before_ms(low - 1, first), grid.after_ms(high, last)
        if first < low and before is not None and before >= first:
            yield MissedRange(from_ms(first), from_ms(before), 1 + grid.count_ms(first, before, first))
        if last > high and after is not None and after <= last:
            yield MissedRange(from_ms(after), from_ms(last), 1 + grid.count_ms(after, last, last))

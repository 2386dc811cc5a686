"""What lies ahead of an entry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django_repeat.entry import Entry
from django_repeat.instants import from_ms, to_ms
from django_repeat.plan import upcoming


def nominal_times(entry: Entry, now: datetime) -> Iterator[datetime]:
    """Answer the nominal times later than ``now``, as if each fired, until ``end_at`` or ``max_runs``.

    None if the schedule cannot be read; ValueError for an interval without phase that has none to count from.
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
    for ms in upcoming(schedule.recurrence, anchor, after, schedule.policies, fired=fired):
        yield from_ms(ms)

"""Instants at which a schedule has no nominal time."""

from __future__ import annotations

from datetime import UTC

from django_repeat.explaining.known import Known
from django_repeat.explaining.wording import NIGHT, named, sentence, wall_ms
from django_repeat.instants import from_ms, local, to_ms
from django_repeat.recurrence import Cron, Exclusions
from django_repeat.recurrence.marks import change_near, left_out, shift_text, side
from django_repeat.recurrence.walltimes import wall_times
from django_repeat.recurrence.zones import zone
from django_repeat.schedule import Schedule


def nowhere(known: Known, schedule: Schedule, at: int) -> str:
    """Answer why there is no nominal time in the minute of an instant, and which are the nearest."""
    policies = schedule.policies
    when = wall_ms(known, at)
    if policies.start_ms is not None and at < policies.start_ms:
        return sentence(f"There is no nominal time at {when}", f"start_at is {wall_ms(known, policies.start_ms)}")
    if policies.end_ms is not None and at > policies.end_ms:
        return sentence(f"There is no nominal time at {when}", f"end_at is {wall_ms(known, policies.end_ms)}")
    excluded = known.excluded(schedule, at)
    if excluded is not None:
        item = excluding(schedule, excluded)
        which = f" ({item})" if item else ""
        return sentence(f"{wall_ms(known, excluded)} is left out: exclude{which} names its wall time", _near(known, at))
    return sentence(f"There is no nominal time at {when}", _clocks(known, at), _near(known, at))


def excluding(schedule: Schedule, ms: int) -> str:
    """Answer the exclusion that takes a nominal time away, "" if it cannot be told."""
    recurrence, policies = schedule.recurrence, schedule.policies
    key = recurrence.timezone if isinstance(recurrence, Cron) else policies.exclude_zone
    if key is None:
        return ""
    walls = [local(from_ms(ms), zone(key)).replace(tzinfo=None)]
    moved = left_out(recurrence, from_ms(ms))
    walls += [moved] if moved is not None else []
    for item in policies.exclude.items:
        if any(_names(item, to_ms(wall.replace(tzinfo=UTC)) // 60_000) for wall in walls):
            return item
    return ""


def _names(item: str, minute: int) -> bool:
    """Answer whether an exclusion names a minute of the wall clock."""
    one = Exclusions([item])
    if one.days:
        return any(first <= minute // 1440 < end for first, end in one.days)
    return wall_times(item)[0].first(minute) == minute


def _near(known: Known, at: int) -> str:
    schedule = known.entry.schedule
    assert schedule is not None
    before, after = known.before(schedule, at), known.after(schedule, at)
    if before is None and after is None:
        return "there is none before or after"
    texts = [
        "none comes before" if before is None else f"the one before is {named(known, before)}",
        "none comes after" if after is None else f"the one after is {named(known, after)}",
    ]
    return ", ".join(texts)


def _clocks(known: Known, at: int) -> str:
    """Answer what the clocks do in that night, for a rule that follows them."""
    schedule = known.entry.schedule
    if schedule is None or not isinstance(schedule.recurrence, Cron):
        return ""
    found = change_near(from_ms(at), known.zone, NIGHT)
    if found is None:
        return ""
    if side(from_ms(at), known.zone) == "second":
        return f"the clocks move by {shift_text(found[1])} that night, and that wall time comes for the second time"
    return f"the clocks move by {shift_text(found[1])} that night, at {wall_ms(known, to_ms(found[0]))}"

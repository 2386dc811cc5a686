"""What operators wrote into a record, or on the switch of a queue, however damaged it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django_repeat.codec.numbers import milliseconds
from django_repeat.entry import MissedRange, Pause
from django_repeat.instants import from_ms
from django_repeat.plan import Holes, upcoming
from django_repeat.schedule import Schedule

_RANGE: Final = re.compile(r"([0-9]{1,15})-([0-9]{1,15})-([0-9]{1,15})")
_LETTERS: Final = re.compile(r"[a-z]{1,20}")


def pause_of(fields: Mapping[str, str], now: int, *, whole_queue: bool = False) -> Pause | None:
    """Answer the pause of a record or of a switch that holds at ``now``; None if there is none, or it is over."""
    since, until = milliseconds(fields.get("paused")), milliseconds(fields.get("paused_until"))
    if since is None or (until is not None and until <= now):
        return None
    return Pause(
        since=from_ms(since),
        until=None if until is None else from_ms(until),
        by=fields.get("paused_by", ""),
        reason=fields.get("paused_reason", ""),
        whole_queue=whole_queue,
    )


def holes_of(fields: Mapping[str, str], now: int | None = None) -> Holes:
    """Answer what is taken out by a record or a switch; a pause without end is one until ``now``, if that is given."""
    own = Holes.read(fields.get("holes", ""))
    since, until = milliseconds(fields.get("paused")), milliseconds(fields.get("paused_until"))
    if since is None:
        return own
    end = until if until is not None else None if now is None else now + 1
    return Holes.of([*own.windows, (since, end)], own.instants)


def next_of(
    schedule: Schedule, fields: Mapping[str, str], switch: Mapping[str, str], pending: int, now: int, fired: int
) -> int | None:
    """Answer the first nominal time from the pending one on that no operator took out, as if pauses ended now."""
    own, queue = holes_of(fields, now), holes_of(switch, now)
    holes = Holes.of([*own.windows, *queue.windows], own.instants)
    if pending not in holes:
        return pending
    return next(upcoming(schedule.recurrence, pending, pending, schedule.policies, fired=fired, holes=holes), None)


def skips_of(fields: Mapping[str, str]) -> tuple[datetime, ...]:
    """Answer the nominal times that an operator took out one by one and that are still to come."""
    return tuple(from_ms(one) for one in Holes.read(fields.get("holes", "")).instants if milliseconds(str(one)))


def missed_of(fields: Mapping[str, str]) -> tuple[MissedRange, ...]:
    """Answer the latest missed nominal times, newest first."""
    found = []
    for first, last, count in _RANGE.findall(fields.get("missed", "")):
        if milliseconds(first) is not None and milliseconds(last) is not None:
            found.append(MissedRange(from_ms(int(first)), from_ms(int(last)), int(count)))
    return tuple(found)


def outcomes_of(fields: Mapping[str, str]) -> str:
    """Answer the letters of the latest outcomes, newest first; none if they cannot be read."""
    found = fields.get("outcomes", "")
    return found if _LETTERS.fullmatch(found) else ""

"""Which nominal time is to be pending after a definition was written. Pure; instants in milliseconds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django_repeat.codec import CADENCE, decode_policies
from django_repeat.exceptions import InvalidSchedule
from django_repeat.policies import DEFAULT, Policies
from django_repeat.schedule import Schedule

_MILLISECOND = timedelta(milliseconds=1)
_OLD = (*CADENCE, "holes", "paused", "paused_until")
_NUMBER = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a comparison saw of one record: None for what it does not hold.

    ``enabled`` and ``old``, the fields of its recurrence and of its pauses, are seen of what is due or claimed only.
    ``as_of`` is the instant that a ticker which has it in hand plans by.
    """

    nominal: int | None = None
    at: int | None = None
    last_nominal: int | None = None
    fired: int = 0
    policies: str | None = None
    as_of: int | None = None
    enabled: bool = True
    old: Mapping[str, str] = field(default_factory=dict)

    def is_due(self, now: int) -> bool:
        """Answer whether the pending nominal time has fallen due; what is claimed has, whatever became of the clock."""
        due = self.nominal if self.at is None else self.at
        return due is not None and (due <= now or self.is_held)

    @property
    def text(self) -> str:
        """Answer what is pending as scripts compare it: the nominal time and, if that is held, ``as_of``."""
        if self.nominal is None:
            return ""
        return f"{self.nominal} {self.as_of}" if self.is_held else str(self.nominal)

    @property
    def is_held(self) -> bool:
        """Answer whether a ticker has the pending nominal time in hand, if it still lives."""
        return self.nominal is not None and self.as_of is not None


@dataclass(frozen=True, kw_only=True)
class Pending:
    """A pending nominal time as scripts take it: milliseconds, ``+`` and a delay from now, or "" for none; its lag."""

    text: str
    lag: int = 0


def first(schedule: Schedule, now: int) -> Pending:
    """Answer the first nominal time of a registration.

    A registration never looks back. An interval without phase starts ``first_in`` from now; everything else waits for
    its grid, at least ``first_in`` away. One that would begin in an excluded time does so at the first time after it.
    """
    wait = schedule.first_in // _MILLISECOND
    begin = now + wait
    if not schedule.floats:
        return _pending(schedule, schedule.policies.after_ms(schedule.grid, begin))
    opening = schedule.policies.after_ms(schedule.grid, begin - 1, begin)
    if opening != begin:
        return _pending(schedule, opening)
    return Pending(text=f"+{wait}", lag=schedule.due_ms(now) - now)


def moved(schedule: Schedule, seen: Seen, now: int) -> Pending:
    """Answer the first nominal time of a changed recurrence: after now, after what is due and after what fired last."""
    due = seen.nominal if seen.nominal is not None and seen.is_due(now) else 0
    floor = max(now, due, seen.last_nominal or 0)
    anchor = seen.last_nominal if seen.last_nominal is not None else seen.nominal
    if schedule.policies.is_used_up(seen.fired):
        return Pending(text="")
    return _pending(schedule, schedule.policies.after_ms(schedule.grid, floor, now if anchor is None else anchor))


def kept(schedule: Schedule, seen: Seen, now: int) -> Pending:
    """Answer the nominal time to be pending where the policies changed and the recurrence did not.

    That is the one that is, unless ``start_at`` or ``exclude`` changed or the entry had finished. Of what is due the
    plan decides.
    """
    nominal, policies = seen.nominal, schedule.policies
    if nominal is not None and seen.is_due(now):
        return _pending(schedule, nominal)
    if policies.is_used_up(seen.fired):
        return Pending(text="")
    stored = _stored(seen)
    if nominal is None or stored.start_ms != policies.start_ms:
        return first(schedule, now) if seen.last_nominal is None else moved(schedule, seen, now)
    if (stored.exclude, stored.exclude_zone) != (policies.exclude, policies.exclude_zone):
        if seen.last_nominal is not None:
            return moved(schedule, seen, now)
        return _pending(schedule, policies.after_ms(schedule.grid, nominal - 1, nominal))
    return _pending(schedule, None if policies.is_past_end(nominal) else nominal)


def seen_of(texts: Sequence[str | None]) -> Seen:
    """Answer what a comparison saw of a record of any state, field by field; what is no number counts as absent."""
    first, rest = texts[:4], [*texts[4:], None, None]
    nominal, at, last_nominal, fired = map(_number, first)
    policies, as_of, enabled, *old = rest
    return Seen(
        nominal=nominal,
        at=at,
        last_nominal=last_nominal,
        fired=fired or 0,
        policies=policies,
        as_of=_number(as_of),
        enabled=enabled != "0",
        old={field: text for field, text in zip(_OLD, old, strict=False) if text is not None},
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and _NUMBER.fullmatch(text) else None


def _pending(schedule: Schedule, nominal: int | None) -> Pending:
    return Pending(text="") if nominal is None else Pending(text=str(nominal), lag=schedule.due_ms(nominal) - nominal)


def _stored(seen: Seen) -> Policies:
    try:
        return decode_policies(seen.policies)
    except InvalidSchedule:
        return DEFAULT

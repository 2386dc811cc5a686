"""A record as an Entry, however damaged it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from django_repeat.codec.definition import FORMAT, decode
from django_repeat.codec.numbers import count, damage, instant, milliseconds, number
from django_repeat.codec.operators import missed_of, next_of, outcomes_of, pause_of, skips_of
from django_repeat.durations import describe
from django_repeat.entry import Entry, Pause, State
from django_repeat.exceptions import InvalidSchedule
from django_repeat.instants import from_ms, to_ms
from django_repeat.schedule import Schedule

NO_SWITCH: Mapping[str, str] = MappingProxyType({})


def entry(
    name: str,
    queue: str,
    found: tuple[str | None, str, Mapping[str, str]],
    now: int,
    switch: Mapping[str, str] = NO_SWITCH,
) -> Entry:
    """Answer the entry of (score, Redis type, fields) at ``now``, however damaged it is; ``switch`` is the queue's."""
    (score, _, fields), (schedule, reason) = found, _definition(name, queue, found)
    pause = pause_of(fields, now) or pause_of(switch, now, whole_queue=True)
    state = _state(fields, score, reason, now, pause)
    upcoming, due = _next(state, fields, score), _due(state, fields, score)
    if pause or "holes" in fields or "holes" in switch:
        upcoming, due = _later(schedule, fields, switch, upcoming, now) or (upcoming, due)
    return Entry(
        name=name,
        queue=queue,
        state=state,
        schedule=schedule,
        recurrence_text=_recurrence_text(fields),
        next=upcoming,
        due=due,
        pause=pause,
        waiting=instant(fields.get("wait")),
        skips=skips_of(fields),
        last_nominal=instant(fields.get("last_nominal")),
        last_fired=instant(fields.get("last_fired")),
        last_outcome=fields.get("last_outcome", ""),
        last_result=fields.get("last_result", ""),
        fired_count=count(fields, "fired_count"),
        missed_count=count(fields, "missed_count"),
        skipped_count=count(fields, "skipped_count"),
        failures=count(fields, "failures"),
        retry=instant(fields.get("retry")),
        error=fields.get("error", ""),
        source=fields.get("source", ""),
        broken_reason=reason,
        outcomes=outcomes_of(fields),
        missed_ranges=missed_of(fields),
        raw=dict(fields),
    )


def _recurrence_text(fields: Mapping[str, str]) -> str:
    if "cron" in fields:
        return f"{fields['cron']} {fields.get('tz', '')}".strip()
    try:
        period, phase = number(fields, "every_ms"), number(fields, "phase_ms")
        return "" if not period else f"every {describe(period)}" + ("" if phase is None else f" +{describe(phase)}")
    except InvalidSchedule:
        return f"every {fields.get('every_ms', '?')} ms"


def _next(state: State, fields: Mapping[str, str], score: str | None) -> datetime | None:
    if state in (State.FINISHED, State.DISABLED):
        return None
    return instant(score if state is State.FOREIGN else fields.get("nominal"))


def _due(state: State, fields: Mapping[str, str], score: str | None) -> datetime | None:
    upcoming = _next(state, fields, score)
    return upcoming if upcoming is None or state is State.FOREIGN else instant(fields.get("at")) or upcoming


def _definition(name: str, queue: str, found: tuple[str | None, str, Mapping[str, str]]) -> tuple[Schedule | None, str]:
    """Answer the schedule, None if it cannot be read, and what is wrong with the entry, "" if nothing is."""
    score, kind, fields = found
    if kind != "hash":
        return None, "the record is missing" if kind == "none" else f"the record is a {kind}, not a hash"
    if fields.get("v") != FORMAT:
        return None, ""
    schedule, reason = None, ""
    try:
        schedule = decode(name, queue, fields)
    except InvalidSchedule as error:
        reason = str(error)
    lost = "" if score is not None else "the sorted set has no member of that name"
    return schedule, _refusal(fields, score) or reason or fields.get("broken", "") or lost


def _later(
    schedule: Schedule | None, fields: Mapping[str, str], switch: Mapping[str, str], pending: datetime | None, now: int
) -> tuple[datetime | None, datetime | None] | None:
    """Answer the next nominal time and when it falls due where an operator took out the pending one, else None."""
    if schedule is None or pending is None:
        return None
    found = next_of(schedule, fields, switch, to_ms(pending), now, count(fields, "fired_count"))
    if found == to_ms(pending):
        return None
    return (None, None) if found is None else (from_ms(found), from_ms(schedule.due_ms(found)))


def _refusal(fields: Mapping[str, str], score: str | None) -> str:
    """Answer why a claim would refuse the entry, as claim.lua says it; one without a finite score is never claimed."""
    if milliseconds(score) is not None and not ("nominal" in fields or "wait" in fields):
        return "the record holds no nominal time"
    return damage(fields)


def _state(fields: Mapping[str, str], score: str | None, reason: str, now: int, pause: Pause | None) -> State:
    if reason or not fields:
        return State.BROKEN
    if fields.get("v") != FORMAT:
        return State.FOREIGN
    if fields.get("enabled") == "0":
        return State.DISABLED
    lease, nominal = milliseconds(fields.get("lease")), milliseconds(fields.get("nominal"))
    if lease is not None and lease > now:
        return State.DISPATCHING
    if nominal is None and "wait" not in fields:
        return State.FINISHED
    if pause:
        return State.PAUSED
    if count(fields, "failures"):
        return State.FAILING
    if nominal is None:
        return State.SCHEDULED
    due = milliseconds(fields.get("at"))
    return State.DUE if (nominal if due is None else due) <= now else State.SCHEDULED

"""A record as an Entry, however damaged it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django_repeat.codec.definition import FORMAT, decode
from django_repeat.codec.numbers import count, damage, instant, milliseconds, number
from django_repeat.durations import describe
from django_repeat.entry import Entry, State
from django_repeat.exceptions import InvalidSchedule


def entry(name: str, queue: str, found: tuple[str | None, str, Mapping[str, str]], now: int) -> Entry:
    """Answer the entry of (score, Redis type, fields) at ``now``, however damaged it is."""
    score, kind, fields = found
    schedule, reason = None, ""
    if kind != "hash":
        reason = "the record is missing" if kind == "none" else f"the record is a {kind}, not a hash"
    elif fields.get("v") == FORMAT:
        try:
            schedule = decode(name, queue, fields)
        except InvalidSchedule as error:
            reason = str(error)
        lost = "" if score is not None else "the sorted set has no member of that name"
        reason = _refusal(fields, score) or reason or fields.get("broken", "") or lost
    state = _state(fields, score, reason, now)
    return Entry(
        name=name,
        queue=queue,
        state=state,
        schedule=schedule,
        recurrence_text=_recurrence_text(fields),
        next=_next(state, fields, score),
        due=_due(state, fields, score),
        last_nominal=instant(fields.get("last_nominal")),
        last_fired=instant(fields.get("last_fired")),
        last_outcome=fields.get("last_outcome", ""),
        last_result=fields.get("last_result", ""),
        fired_count=count(fields, "fired_count"),
        missed_count=count(fields, "missed_count"),
        skipped_count=count(fields, "skipped_count"),
        failures=count(fields, "failures"),
        error=fields.get("error", ""),
        source=fields.get("source", ""),
        broken_reason=reason,
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


def _refusal(fields: Mapping[str, str], score: str | None) -> str:
    """Answer why a claim would refuse the entry, as claim.lua says it; one without a finite score is never claimed."""
    if milliseconds(score) is not None and "nominal" not in fields:
        return "the record holds no nominal time"
    return damage(fields)


def _state(fields: Mapping[str, str], score: str | None, reason: str, now: int) -> State:
    if reason or not fields:
        return State.BROKEN
    if fields.get("v") != FORMAT:
        return State.FOREIGN
    if fields.get("enabled") == "0":
        return State.DISABLED
    lease, nominal = milliseconds(fields.get("lease")), milliseconds(fields.get("nominal"))
    if lease is not None and lease > now:
        return State.DISPATCHING
    if count(fields, "failures"):
        return State.FAILING
    if nominal is None:
        return State.FINISHED
    due = milliseconds(fields.get("at"))
    return State.DUE if (nominal if due is None else due) <= now else State.SCHEDULED

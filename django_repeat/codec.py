"""Between a Schedule and the fields of its record. What cannot be read raises InvalidSchedule, never anything else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django_repeat import durations
from django_repeat.entry import Entry, State
from django_repeat.exceptions import InvalidSchedule
from django_repeat.instants import from_ms
from django_repeat.recurrence import Cron, Every, Recurrence
from django_repeat.schedule import Schedule

FORMAT = "1"
FURTHEST_MS = 253_402_300_799_999  # the end of year 9999

# json.dumps would build an encoder for every line.
_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def encode(schedule: Schedule, source: str) -> dict[str, str]:
    """Answer the definition group of a record: what only register and upsert write."""
    recurrence = schedule.recurrence
    fields: dict[str, str] = {}
    if isinstance(recurrence, Every):
        fields["every_ms"] = str(recurrence.period_ms)
        if recurrence.phase_ms is not None:
            fields["phase_ms"] = str(recurrence.phase_ms)
    else:
        fields.update(cron=recurrence.text, tz=recurrence.timezone)
    if schedule.first_in:
        fields["first_in_ms"] = str(schedule.first_in // timedelta(milliseconds=1))
    if not schedule.enabled:
        fields["enabled"] = "0"
    return {**fields, "template": schedule.template, "source": source, "digest": schedule.digest, "v": FORMAT}


def decode(name: str, queue: str, fields: Mapping[str, str]) -> Schedule:
    """Answer the schedule that a record defines; InvalidSchedule with the reason if it cannot be read."""
    work = _template(fields.get("template"))
    return Schedule(
        name,
        queue=queue,
        recurrence=_recurrence(fields),
        task=work.get("task"),
        command=work.get("command"),
        args=work.get("args", []),
        kwargs=work.get("kwargs", {}),
        options=work.get("options", {}),
        enabled=fields.get("enabled") != "0",
        first_in=timedelta(milliseconds=_number(fields, "first_in_ms") or 0),
    )


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
        reason = reason or fields.get("broken", "") or _lacks_nominal(fields, score)
    state = _state(fields, score, reason, now)
    return Entry(
        name=name,
        queue=queue,
        state=state,
        schedule=schedule,
        recurrence_text=_recurrence_text(fields),
        next=_next(state, fields, score),
        last_nominal=_instant(fields.get("last_nominal")),
        last_fired=_instant(fields.get("last_fired")),
        last_outcome=fields.get("last_outcome", ""),
        last_result=fields.get("last_result", ""),
        fired_count=count(fields, "fired_count"),
        missed_count=count(fields, "missed_count"),
        failures=count(fields, "failures"),
        error=fields.get("error", ""),
        source=fields.get("source", ""),
        broken_reason=reason,
        raw=dict(fields),
    )


def line(**values: Any) -> str:
    """Answer one run log line as JSON; what says nothing (None, empty, zero) is left out, instants stay."""
    kept = {key: value for key, value in values.items() if value not in (None, "") and (value != 0 or key == "nominal")}
    return _compact(kept)


def lines(stored: Sequence[str]) -> list[dict[str, Any]]:
    """Answer run log lines as dicts; one that cannot be read is answered as its text under ``unreadable``."""
    answer: list[dict[str, Any]] = []
    for text in stored:
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        answer.append(value if isinstance(value, dict) else {"unreadable": text})
    return answer


def _template(text: str | None) -> dict[str, Any]:
    if text is None:
        raise InvalidSchedule("the record holds no template")
    try:
        work = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidSchedule(f"the template is no JSON: {error}") from error
    if not isinstance(work, dict):
        raise InvalidSchedule("the template is no JSON object")
    return work


def _recurrence(fields: Mapping[str, str]) -> Recurrence:
    if "cron" in fields:
        return Cron(fields["cron"], fields.get("tz", ""))
    period = _number(fields, "every_ms")
    if period is None:
        raise InvalidSchedule("the record holds neither every_ms nor cron")
    phase = _number(fields, "phase_ms")
    return Every(timedelta(milliseconds=period), None if phase is None else timedelta(milliseconds=phase))


def _recurrence_text(fields: Mapping[str, str]) -> str:
    if "cron" in fields:
        return f"{fields['cron']} {fields.get('tz', '')}".strip()
    try:
        period = _number(fields, "every_ms")
        return "" if not period else f"every {durations.describe(period)}"
    except InvalidSchedule:
        return f"every {fields['every_ms']} ms"


def _number(fields: Mapping[str, str], field: str) -> int | None:
    text = fields.get(field)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 15) or int(text) > FURTHEST_MS:
        raise InvalidSchedule(f"{field}: {text[:40]!r} is no number of milliseconds")
    return int(text)


def count(fields: Mapping[str, str], field: str) -> int:
    """Answer a field that counts; 0 where it is absent or no number."""
    text = fields.get(field, "")
    return int(text[:18]) if text.isascii() and text.isdigit() else 0


def _milliseconds(text: str | None) -> int | None:
    try:
        ms = int(float(text or "inf"))
    except (ValueError, OverflowError):
        return None
    return ms if 0 <= ms <= FURTHEST_MS else None


def _instant(text: str | None) -> datetime | None:
    ms = _milliseconds(text)
    return None if ms is None else from_ms(ms)


def _next(state: State, fields: Mapping[str, str], score: str | None) -> datetime | None:
    if state in (State.FINISHED, State.DISABLED):
        return None
    return _instant(score if state is State.FOREIGN else fields.get("nominal"))


def _lacks_nominal(fields: Mapping[str, str], score: str | None) -> str:
    """Answer what is wrong if a ticker will look at the entry (its score is finite) and finds no nominal time."""
    if _milliseconds(score) is None or _milliseconds(fields.get("nominal")) is not None:
        return ""
    return "the record holds no nominal time"


def _state(fields: Mapping[str, str], score: str | None, reason: str, now: int) -> State:
    if reason or not fields:
        return State.BROKEN
    if fields.get("v") != FORMAT:
        return State.FOREIGN
    if fields.get("enabled") == "0":
        return State.DISABLED
    lease, nominal = _milliseconds(fields.get("lease")), _milliseconds(fields.get("nominal"))
    if lease is not None and lease > now:
        return State.DISPATCHING
    if count(fields, "failures"):
        return State.FAILING
    if nominal is None:
        return State.FINISHED
    return State.DUE if nominal <= now else State.SCHEDULED

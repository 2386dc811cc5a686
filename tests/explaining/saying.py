"""Records and run logs of entries, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django_repeat import Schedule
from django_repeat.codec import encode, entry
from django_repeat.explaining import Known, present, then
from django_repeat.instants import from_ms, to_ms
from django_repeat.recurrence import Cron

HISTORY = 20


def ms(text: str) -> int:
    """Answer the milliseconds of "2030-01-01 06:00", UTC, or of "06:00" on the first of that year."""
    read = datetime.fromisoformat(text if "-" in text else f"2030-01-01 {text}")
    return to_ms(read if read.tzinfo else read.replace(tzinfo=UTC))


def record(state: Mapping[str, Any] | None = None, **fields: Any) -> dict[str, str]:
    """Answer the record of an hourly schedule, or of one with these fields; "06:00" in ``state`` is an instant."""
    given = fields if {"cron", "every"} & set(fields) else {"cron": "0 * * * *", "timezone": "UTC", **fields}
    schedule = Schedule("s", **{"task": "a.b", **given})
    return {**encode(schedule, "code"), **{key: _stored(value) for key, value in (state or {}).items()}}


def _stored(value: Any) -> str:
    return str(ms(value)) if isinstance(value, str) and len(value) > 3 and value[2] == ":" else str(value)


def line(**values: Any) -> dict[str, Any]:
    """Answer a line of a run log."""
    return {key: ms(value) if key in ("nominal", "first", "at") else value for key, value in values.items()}


def known(fields: Mapping[str, str], now: str, log: Sequence[Mapping[str, Any]] = (), **further: Any) -> Known:
    score = fields.get("lease") or fields.get("at") or fields.get("nominal") or "inf"
    switch = further.get("switch", {})
    found = entry("s", "default", (score, "hash", fields), ms(now), switch)
    recurrence = found.schedule and found.schedule.recurrence
    zone = ZoneInfo(recurrence.timezone) if isinstance(recurrence, Cron) else UTC
    given = {"entry": found, "log": log, "now": from_ms(ms(now)), "zone": zone, "history": HISTORY, "tickers": 1}
    return Known(**{**given, **further})


def at(text: str, fields: Mapping[str, str], now: str, log: Sequence[Mapping[str, Any]] = (), **further: Any) -> str:
    """Answer what is said of an instant."""
    return then(known(fields, now, log, **further), ms(text))


def doing(fields: Mapping[str, str], now: str, log: Sequence[Mapping[str, Any]] = (), **further: Any) -> str:
    """Answer what is said of now."""
    return present(known(fields, now, log, **further))

"""Entries, schedules and run logs as JSON values, with secrets masked."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from typing import Any

from django_repeat import durations
from django_repeat.entry import Entry
from django_repeat.instants import iso
from django_repeat.management.times import utc
from django_repeat.masking import MASK, masked
from django_repeat.occurrence import Occurrence
from django_repeat.recurrence import Every, Recurrence
from django_repeat.run import Run
from django_repeat.schedule import Schedule

INSTANTS = ("nominal", "at", "until", "first", "last")
_GIVEN = ("args", "kwargs", "options")
_MILLISECOND = timedelta(milliseconds=1)


def of_entry(entry: Entry) -> dict[str, Any]:
    """Answer an entry with the keys of ``Entry``; the stored record only where no schedule can be read from it."""
    values = {field.name: _plain(getattr(entry, field.name)) for field in fields(entry) if field.name != "raw"}
    for field in ("error", "broken_reason"):
        values[field] = masked(values[field])
    values["schedule"] = None if entry.schedule is None else of_schedule(entry.schedule)
    if entry.schedule is None:
        values["raw"] = of_record(entry.raw)
    return values


def of_schedule(schedule: Schedule) -> dict[str, Any]:
    """Answer a schedule with the keys of ``Schedule``."""
    values = {field.name: _plain(getattr(schedule, field.name)) for field in fields(schedule)}
    values["recurrence"] = _recurrence(schedule.recurrence)
    values["policies"] = schedule.policies.stored()
    for field in _GIVEN:
        values[field] = masked(values[field])
    return values


def of_occurrence(fired: Occurrence) -> dict[str, Any]:
    """Answer what an operator had fired: its id, its nominal time, and the id of its result."""
    return {"id": fired.id, "nominal": utc(fired.nominal), "result": fired.result_id or None}


def of_record(record: Mapping[str, str]) -> dict[str, Any]:
    """Answer a stored record; of its template only what can be searched for secrets."""
    values: dict[str, Any] = {field: masked(text) for field, text in record.items()}
    if "template" in values:
        try:
            values["template"] = _strict(masked(json.loads(record["template"])))
        except (ValueError, RecursionError):
            values["template"] = MASK
    return values


def of_log(log: Sequence[Mapping[str, Any]], runs: Mapping[str, Run]) -> list[dict[str, Any]]:
    """Answer a run log, with what is known of the ``runs`` by their result ids; instants are text, spans stay ms."""
    return [{**_of_line(line), **_of_run(runs, line.get("result"))} for line in log]


def _of_line(line: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return {key: _instant(value) if key in INSTANTS else _strict(masked(value)) for key, value in line.items()}
    except RecursionError:
        return {"unreadable": "nested too deep"}


def _of_run(runs: Mapping[str, Run], result: Any) -> dict[str, Any]:
    run = runs.get(result) if isinstance(result, str) else None
    if run is None:
        return {}
    return {"task": str(run.state)} | ({} if run.duration_ms is None else {"duration": run.duration_ms})


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return utc(value)
    if isinstance(value, timedelta):
        return durations.describe(value // _MILLISECOND)
    if isinstance(value, str):
        return str(value)
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _recurrence(recurrence: Recurrence) -> dict[str, str | None]:
    if isinstance(recurrence, Every):
        phase = None if recurrence.phase_ms is None else durations.describe(recurrence.phase_ms)
        return {"every": durations.describe(recurrence.period_ms), "phase": phase}
    return {"cron": recurrence.text, "timezone": recurrence.timezone}


def _instant(value: Any) -> Any:
    # A stranger may have written the run log: what is no instant stays as it is.
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= durations.LONGEST_MS:
        return iso(value)
    return _strict(value)


def _strict(value: Any) -> Any:
    """Answer a value that Python read as JSON without NaN and infinities, which only Python writes and reads."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    return [_strict(item) for item in value] if isinstance(value, list) else value

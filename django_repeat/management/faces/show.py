"""``repeat show``: all about one schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser

from django_repeat import service
from django_repeat.entry import Entry
from django_repeat.jsonvalues import canonical
from django_repeat.management import lookup, plain, states, times
from django_repeat.management.arguments import add_json, add_name, add_queue
from django_repeat.management.output import Output

HELP = "Show one schedule: definition, state and run log."
DESCRIPTION = (
    "Show the definition, the state and the run log of a schedule. Arguments that look like secrets are masked."
)
CHECKED = False
UNITS = {"late": "ms", "duration": "ms"}
OPERATOR = ("by", "note")


def add_arguments(parser: CommandParser) -> None:
    """Take the name, ``--queue`` and ``--json``."""
    add_name(parser)
    add_queue(parser)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Print the entry with its run log."""
    entry = lookup.entry(options["name"], options["queue"])
    if entry is None:
        raise lookup.not_found(options["name"], options["queue"])
    log = service.runs(entry.name, queue=entry.queue)
    runs = plain.of_log(log, service.task_runs(entry, log))
    if options["json"]:
        output.json({**plain.of_entry(entry), "runs": runs})
        return
    lines = list(_lines(entry, service.now(queue=entry.queue)))
    longest = max(len(label) for label, _ in lines)
    for label, text in lines:
        output.line(f"{label:<{longest}}  {text}")
    if runs:
        output.line("run log, newest first:")
    for run in runs:
        output.line("  " + "  ".join(_pair(key, value) for key, value in run.items()))


def _lines(entry: Entry, now: datetime) -> Iterator[tuple[str, str]]:
    values = plain.of_entry(entry) | dict(_operated(entry))
    schedule = values.pop("schedule") or {}
    record = values.pop("raw", {})
    yield "name", entry.name
    yield "queue", entry.queue
    yield "state", str(entry.state)
    yield "recurrence", str(entry.schedule.recurrence) if entry.schedule else entry.recurrence_text
    for field, value in schedule.items():
        if field not in ("name", "queue", "recurrence") and value is not None:
            yield field, _text(value)
    for field, value in values.items():
        if field in ("name", "queue", "state", "recurrence_text") or value in (None, ""):
            continue
        held = getattr(entry, field)
        text = _text(value)
        if isinstance(held, datetime):
            text = f"{times.upcoming(entry, now) if field == 'next' else times.wall(held)} ({value})"
        yield field.replace("_", " "), text
    for field, value in record.items():
        yield f"record {field}", _text(value)


def _operated(entry: Entry) -> Iterator[tuple[str, str]]:
    """Answer in words what JSON has objects for."""
    yield "pause", states.pause_text(entry.pause, since=True) if entry.pause else ""
    yield "skips", states.times_text(entry.skips)
    yield "outcomes", states.outcomes_text(entry.outcomes)
    yield "missed_ranges", "; ".join(map(states.range_text, entry.missed_ranges))


def _pair(key: str, value: Any) -> str:
    """Answer a key of a run log line with its value; what an operator wrote in quotes, since it may hold anything."""
    return f"{key}={canonical(value) if key in OPERATOR else _text(value)}{UNITS.get(key, '')}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)

"""``repeat next``: when a schedule will be due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import islice
from typing import Any

from django.core.management.base import CommandError, CommandParser

from django_repeat import durations, service
from django_repeat.ahead import first_times, nominal_times
from django_repeat.entry import Entry
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.management import lookup, times
from django_repeat.management.arguments import add_json, add_name, add_queue, whole
from django_repeat.management.output import Output, quoted
from django_repeat.management.states import pause_text, times_text
from django_repeat.masking import masked
from django_repeat.recurrence.marks import Mark, marks
from django_repeat.schedule import Schedule

HELP = "Show the next times of a schedule."
DESCRIPTION = (
    "Show the next nominal times of a schedule: on the clock of its zone, in UTC, how long after the one before, if "
    "there was one, and what the clocks do there where they change. "
    "Without an entry in the registry, those of this code's declaration."
)
CHECKED = False
DECLARED = "are those of this code's declaration, as if it were registered now."
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, kw_only=True)
class Start:
    """The nominal times of a schedule that lie ahead. Unless it has ``run``, none comes before the first."""

    schedule: Schedule
    moments: Iterator[datetime]
    run: bool = False


def add_arguments(parser: CommandParser) -> None:
    """Take the name, ``-n``, ``--queue`` and ``--json``."""
    add_name(parser)
    parser.add_argument("-n", "--count", type=whole(1, 10_000), default=5, metavar="N", help="How many (default: 5).")
    add_queue(parser)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Print the times; what they rest on, where that is not the registry, goes to stderr."""
    start = _start(output, options["name"], options["queue"])
    if not start.schedule.enabled:
        output.note(f"Schedule {quoted(start.schedule.name)} is disabled: it will not fire.")
    if start.schedule.offset_ms:
        offset = durations.span(start.schedule.offset_ms)
        output.note(f"Schedule {quoted(start.schedule.name)} falls due {offset} after each nominal time: its spread.")
    shown = times.zone_of(start.schedule)
    moments = list(islice(start.moments, options["count"]))
    gaps = [_gap(start.schedule, moment) if start.run or number else None for number, moment in enumerate(moments)]
    before = moments[0] - gaps[0] * _MILLISECOND if gaps and gaps[0] is not None else None
    changes = marks(start.schedule.grid, moments, shown, before=before)
    lines = list(zip(moments, gaps, changes, strict=True))
    if options["json"]:
        output.json([_object(*line, shown) for line in lines])
        return
    head = ["wall time", "UTC", "after", "clocks"][: 4 if any(changes) else 3]
    output.table(head, [_row(*line, shown)[: len(head)] for line in lines])
    if not lines:
        output.note(f"Schedule {quoted(start.schedule.name)} has no further times.")


def _start(output: Output, name: str, queue: str) -> Start:
    declared = lookup.declared(name, queue)
    try:
        entry, now = lookup.entry(name, queue), service.now(queue=queue)
    except RegistryUnavailable as error:
        if declared is None:
            raise
        output.note(f"The registry is unavailable: {error}")
        output.note(f"These times {DECLARED}")
        return Start(schedule=declared.schedule, moments=first_times(declared.schedule, times.host_now()))
    if entry and entry.schedule:
        return _continued(output, entry, entry.schedule, now)
    if declared:
        why = f"is {entry.state} in the registry" if entry else "is not in the registry"
        output.note(f"Schedule {quoted(name)} {why}; these times {DECLARED}")
        return Start(schedule=declared.schedule, moments=first_times(declared.schedule, now))
    if entry:
        reason = f" ({masked(entry.broken_reason)})" if entry.broken_reason else ""
        raise CommandError(f"Schedule {quoted(entry.name)} is {entry.state}{reason}: its next times cannot be known.")
    raise lookup.not_found(name, queue)


def _continued(output: Output, entry: Entry, schedule: Schedule, now: datetime) -> Start:
    if entry.pause:
        why = pause_text(entry.pause, since=True)
        output.note(f"Schedule {quoted(entry.name)} is paused ({why}): nothing fires before that ends.")
    if entry.due and entry.due <= now:
        output.note(f"Schedule {quoted(entry.name)} is due since {times.wall(entry.due)}.")
    skips = [one for one in entry.skips if one > now]
    if skips:
        output.note(f"Schedule {quoted(entry.name)}: an operator skips {times_text(skips)}.")
    if entry.next is None and entry.last_nominal is None:
        return Start(schedule=schedule, moments=first_times(schedule, now))
    return Start(schedule=schedule, moments=nominal_times(entry, now), run=entry.last_nominal is not None)


def _gap(schedule: Schedule, moment: datetime) -> int | None:
    before = schedule.grid.before(moment - _MILLISECOND, anchor=moment)
    return None if before is None else (moment - before) // _MILLISECOND


def _row(moment: datetime, gap: int | None, mark: Mark, shown: tzinfo) -> list[str]:
    after = "-" if gap is None else durations.span(gap)
    return [times.wall(moment, shown, weekday=True), times.utc(moment), after, str(mark)]


def _object(moment: datetime, gap: int | None, mark: Mark, shown: tzinfo) -> dict[str, Any]:
    values = {"nominal": times.utc(moment), **times.wall_object(moment, shown), "gap_ms": gap}
    left_out = None if mark.left_out is None else mark.left_out.isoformat()
    return {**values, "shift_ms": mark.shift_ms, "side": mark.side, "left_out": left_out}

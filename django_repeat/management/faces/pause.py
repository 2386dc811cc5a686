"""``repeat pause``: let nothing fire for a while."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import CommandParser

from django_repeat import control, service
from django_repeat.management import lookup, orders, times
from django_repeat.management.arguments import add_json, add_queue
from django_repeat.management.moments import FORM, moment_or_span
from django_repeat.management.output import Output, quoted

HELP = "Pause a schedule, or a whole queue."
DESCRIPTION = (
    "Let nothing of a schedule fire, or of a whole queue, until it is resumed or that instant comes. "
    "No deploy ends a pause. What a ticker has in hand still runs."
)
CHECKED = False


def add_arguments(parser: CommandParser) -> None:
    """Take the name or ``--all``, ``--until``, who and why, ``--queue`` and ``--json``."""
    orders.add_which(parser, "Pause the whole queue, with whatever is registered in it meanwhile.")
    parser.add_argument(
        "--until",
        type=moment_or_span,
        metavar="WHEN",
        help=f"When it ends by itself: a duration such as 90m or 2h, or an instant ({FORM}).",
    )
    orders.add_actor(parser)
    add_queue(parser)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Pause; ScheduleNotFound, Conflict, and CommandError for an end that has passed."""
    queue, name = options["queue"], None
    if not options["all"]:
        name = orders.entry(options).name
    with orders.usage():
        until = _end(options["until"], queue)
        if name is None:
            answer = control.pause_all(queue=queue, until=until, **orders.actor(options))
        else:
            answer = control.pause(name, queue=queue, until=until, **orders.actor(options))
    if name is None and (complaint := lookup.unknown_queue(queue)):
        output.note(complaint)
    if options["json"]:
        end = None if until is None else times.utc(until)
        output.json({"queue": queue, "name": name, "answer": str(answer), "until": end})
        return
    what = f"the whole queue {quoted(queue)}" if name is None else orders.shown(name, queue)
    output.line(f"Paused {what} until {times.wall(until) if until else 'it is resumed'}.")


def _end(given: datetime | timedelta | None, queue: str) -> datetime | None:
    """Answer the instant; a duration counts from the registry's now."""
    if not isinstance(given, timedelta):
        return given
    try:
        return service.now(queue=queue) + given
    except OverflowError as error:
        raise ValueError("until: the duration reaches beyond year 9999; give a shorter one.") from error

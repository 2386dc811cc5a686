"""``repeat skip``: drop the next nominal times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from django_repeat import control
from django_repeat.control.skipping import MOST
from django_repeat.management import orders, times
from django_repeat.management.arguments import add_json, add_name, add_queue, whole
from django_repeat.management.output import Output

HELP = "Drop the next nominal times of a schedule."
DESCRIPTION = (
    "Drop the next nominal times of a schedule that would fire, and say which. The cadence stays. "
    "What a ticker has in hand still runs."
)
CHECKED = False


def add_arguments(parser: CommandParser) -> None:
    """Take the name, ``--count``, who and why, ``--queue`` and ``--json``."""
    add_name(parser)
    parser.add_argument("--count", type=whole(1, MOST), default=1, metavar="N", help="How many (default: 1).")
    orders.add_actor(parser)
    add_queue(parser)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Skip; ScheduleNotFound, and Conflict where there is nothing to skip."""
    entry = orders.entry(options)
    with orders.usage():
        skipped = control.skip(entry.name, options["count"], queue=entry.queue, **orders.actor(options))
    if options["json"]:
        output.json({"queue": entry.queue, "name": entry.name, "skipped": [times.utc(one) for one in skipped]})
        return
    zone = times.zone_of(entry.schedule)
    for one in skipped:
        output.line(f"Skipped {times.wall(one, zone, weekday=True)} of {orders.shown(entry.name, entry.queue)}.")
    if len(skipped) < options["count"]:
        output.note("It has no further times.")

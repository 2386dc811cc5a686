"""``repeat simulate``: all that the declared schedules would fire in a span of time."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from django.core.management.base import CommandError

from django_repeat import conf, declarations
from django_repeat.ahead import Fire, fires, fires_count
from django_repeat.instants import from_ms, iso, to_ms
from django_repeat.management import lookup, times
from django_repeat.management.arguments import add_json, add_queue, whole
from django_repeat.management.moments import FORM, moment
from django_repeat.management.output import Output, quoted
from django_repeat.schedule import Schedule

HELP = "Show what the declared schedules would fire in a span of time."
DESCRIPTION = (
    "Show what the schedules that this code declares would fire from one instant to another, both included, in the "
    "order of time: when each falls due, on the clock of its zone and in UTC. Asks no registry: it is as if none had "
    "fired before, and an interval without phase begins at the first instant."
)
CHECKED = False
MOST_NAMES = 10


def add_arguments(parser: ArgumentParser) -> None:
    """Take ``--from``, ``--to``, ``--queue``, ``--name``, ``--limit`` and ``--json``."""
    for flag, what in (("--from", "First"), ("--to", "Last")):
        parser.add_argument(flag, type=moment, required=True, metavar="INSTANT", help=f"{what} instant: {FORM}.")
    add_queue(parser, default=None)
    parser.add_argument("--name", metavar="NAME", help="Name of one schedule.")
    parser.add_argument("--limit", type=whole(1), default=1000, metavar="N", help="Show N at most (default: 1000).")
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Print the fires; what was assumed or left out goes to stderr."""
    start, end = to_ms(options["from"]), to_ms(options["to"])
    if end < start:
        raise CommandError("--to lies before --from.", returncode=2)
    chosen = _chosen(options["queue"], options["name"])
    able = [one for one in chosen if one.enabled]
    _say(output, chosen, able)
    found = list(islice(fires(able, start, end), options["limit"] + 1))
    shown = found[: options["limit"]]
    if options["json"]:
        output.json([_object(fire) for fire in shown])
    else:
        output.table(["wall time", "UTC", "queue", "name"], [_row(fire) for fire in shown])
        if not shown:
            output.note("Nothing falls due in that time.")
    if len(found) > len(shown):
        left = sum(fires_count(one, start, end) for one in able) - len(shown)
        output.note(f"{left:,} more are left out; --limit N shows more, --name and --queue show some of them.")


def _chosen(queue: str | None, name: str | None) -> Sequence[Schedule]:
    wanted, _ = declarations.everything()
    found = [one.schedule for one in wanted if queue in (None, one.schedule.queue)]
    if name is None:
        return found
    chosen = [one for one in found if one.name in lookup.spellings(name)]
    if not chosen:
        raise lookup.undeclared(name, [one.name for one in found])
    return chosen


def _say(output: Output, chosen: Sequence[Schedule], able: Sequence[Schedule]) -> None:
    """Say what the times rest on, and what is left out."""
    _, problems = declarations.everything()
    if problems:
        output.note(f"Mistakes in declarations: {len(problems)}, left out; `manage.py check` says what they are.")
    if not conf.current().enabled:
        output.note("DJANGO_REPEAT['ENABLED'] is False: this site fires none of these.")
    disabled = [one for one in chosen if not one.enabled]
    if disabled:
        output.note(f"Disabled, and left out: {_names(disabled)}.")
    floating = [one for one in able if one.floats]
    if floating:
        output.note(f"As if their interval began at --from: {_names(floating)}.")


def _names(schedules: Sequence[Schedule]) -> str:
    more = f" and {len(schedules) - MOST_NAMES} more" if len(schedules) > MOST_NAMES else ""
    return ", ".join(quoted(one.name) for one in schedules[:MOST_NAMES]) + more


def _row(fire: Fire) -> list[str]:
    due = from_ms(fire.due_ms)
    return [times.wall(due, times.zone_of(fire.schedule), weekday=True), times.utc(due), fire.queue, fire.name]


def _object(fire: Fire) -> dict[str, Any]:
    values = {"queue": fire.queue, "name": fire.name, "nominal": iso(fire.nominal_ms), "due": iso(fire.due_ms)}
    return {**values, **times.wall_object(from_ms(fire.due_ms), times.zone_of(fire.schedule))}

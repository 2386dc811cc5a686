"""``repeat backfill``: fire nominal times of the past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser

from django_repeat import control
from django_repeat.control.backfilling import PER_SECOND
from django_repeat.entry import Entry
from django_repeat.exceptions import RepeatError
from django_repeat.management import orders, plain, times
from django_repeat.management.arguments import add_json, add_name, add_queue, whole
from django_repeat.management.moments import FORM, moment
from django_repeat.management.output import Output, quoted
from django_repeat.management.progress import progress
from django_repeat.occurrence import Occurrence

HELP = "Fire nominal times of the past."
DESCRIPTION = (
    "Fire the nominal times of a schedule from START to END, both included, oldest first, with the ids that the "
    "scheduled ones have. Refused for times that the entry does not know as missed, unless forced. "
    "Asks first where a person can answer."
)
CHECKED = False


def add_arguments(parser: CommandParser) -> None:
    """Take the name, both ends, what may be chosen of how, who and why, ``--queue`` and ``--json``."""
    add_name(parser)
    parser.add_argument("start", type=moment, metavar="START", help=f"The earliest instant ({FORM}).")
    parser.add_argument("end", type=moment, metavar="END", help="The latest instant, likewise.")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="List the nominal times, with which are known as missed, and fire nothing.",
    )
    parser.add_argument("--force", action="store_true", help="Fire also what is not known as missed.")
    parser.add_argument(
        "--rate",
        type=whole(1, 1_000),
        default=PER_SECOND,
        metavar="N",
        help=f"How many a second at most (default: {PER_SECOND}).",
    )
    orders.add_yes(parser)
    orders.add_actor(parser)
    add_queue(parser)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """List or fire; ScheduleNotFound, Conflict, DispatchFailed, and CommandError if the answer is no."""
    entry = orders.entry(options)
    start, end, dry = options["start"], options["end"], options["dry_run"]
    with orders.usage():
        marked = control.marked_times(entry.name, start, end, queue=entry.queue) if dry else []
        found = [] if dry else control.times_of(entry.name, start, end, queue=entry.queue, force=options["force"])
    if not found:
        _list(output, entry, marked, options)
        return
    what = f"{_count(found)} of {orders.shown(entry.name, entry.queue)}, {_span(found[0], found[-1])}"
    if not (options["yes"] or orders.agreed(output, f"Fire {what}? [y/N] ")):
        raise CommandError("Nothing was fired.")
    _fire(output, entry, found, options)
    if not options["json"]:
        output.line(f"Fired {what}.")


def _list(output: Output, entry: Entry, marked: Sequence[tuple[datetime, bool]], options: Mapping[str, Any]) -> None:
    """List nominal times with whether each is known as missed, and say what would be refused."""
    zone = times.zone_of(entry.schedule)
    if not marked:
        span = _span(options["start"], options["end"])
        output.note(f"Schedule {quoted(entry.name)} has no nominal times from {span}.")
    strange = [one for one, is_missed in marked if not is_missed]
    if strange and not options["force"]:
        output.note(f"{len(strange):,} of {_count(marked)} not known as missed: --force fires them all the same.")
    if options["json"]:
        output.json(
            [
                {"nominal": times.utc(one), "wall": one.astimezone(zone).isoformat(), "missed": is_missed}
                for one, is_missed in marked
            ]
        )
        return
    rows = [
        [times.wall(one, zone, weekday=True), times.utc(one), "yes" if is_missed else "not known"]
        for one, is_missed in marked
    ]
    output.table(["wall time", "UTC", "missed"], rows)


def _fire(output: Output, entry: Entry, found: Sequence[datetime], options: Mapping[str, Any]) -> None:
    """Fire with a bar; what has fired is said also where it does not come to its end."""
    fired: list[Occurrence] = []
    who = orders.actor(options)
    try:
        with progress(output, len(found)) as bar:

            def each(occurrence: Occurrence) -> None:
                fired.append(occurrence)
                bar.step()

            control.backfill(
                entry.name,
                found[0],
                found[-1],
                queue=entry.queue,
                force=options["force"],
                per_second=options["rate"],
                each=each,
                by=who["by"],
                reason=who["reason"],
            )
    except (RepeatError, KeyboardInterrupt) as error:
        left = found[len(fired) :]
        rest = f" The next is {times.utc(left[0])}." if left else ""
        output.note(f"Fired {len(fired):,} of {_count(found)}.{rest}")
        if isinstance(error, RepeatError):
            raise
        raise CommandError("Interrupted.") from error
    finally:
        if options["json"]:
            output.json([plain.of_occurrence(one) for one in fired])


def _count(found: Sequence[object]) -> str:
    return f"{len(found):,} nominal time{'s' if len(found) > 1 else ''}"


def _span(first: datetime, last: datetime) -> str:
    return times.wall(first) if first == last else f"{times.wall(first)} to {times.wall(last)}"

"""``repeat list``: the entries of the registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser

from django_repeat import declarations, service
from django_repeat.entry import Entry, State
from django_repeat.management import plain, times
from django_repeat.management.arguments import add_json, add_queue, whole
from django_repeat.management.output import Output
from django_repeat.management.states import state_text

HELP = "List the schedules in the registry."
DESCRIPTION = "List the schedules in the registry, of each queue those first that are due first."
CHECKED = False

HEAD = ["queue", "name", "recurrence", "next", "last", "state"]


def add_arguments(parser: CommandParser) -> None:
    """Take ``--queue``, ``--limit``, ``--offset`` and ``--json``."""
    add_queue(parser, default=None)
    parser.add_argument("--limit", type=whole(1), metavar="N", help="List N schedules at most.")
    parser.add_argument("--offset", type=whole(0), default=0, metavar="N", help="Leave the first N out.")
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Print a table, or an array of entries."""
    queues = (options["queue"],) if options["queue"] else service.queues()
    entries = list(_entries(queues, options["offset"], options["limit"]))
    if options["json"]:
        output.json([plain.of_entry(entry) for entry in entries])
        return
    first = 0 if len(queues) > 1 else 1
    now = {queue: service.now(queue=queue) for queue in {entry.queue for entry in entries}}
    output.table(HEAD[first:], [_row(entry, now[entry.queue])[first:] for entry in entries])
    if not entries:
        output.note(_nothing(queues))
    for queue in dict.fromkeys(entry.queue for entry in entries if entry.state is State.DUE):
        if not service.tickers(queue=queue):
            output.note(
                f"Nothing fires what is due: no ticker serves queue {queue!r}. Start one: manage.py repeat tick"
            )


def _entries(queues: Sequence[str], offset: int, limit: int | None) -> Iterator[Entry]:
    # Names first and in one reply: entries move in rank while their records are read.
    left = limit
    for queue in queues:
        names = service.names_of(queue=queue, offset=offset, limit=-1 if left is None else left)
        if offset:
            offset = max(0, offset - service.count(queue=queue))
        yield from service.entries_of(names, queue=queue)
        if left is not None:
            left -= len(names)
            if not left:
                return


def _row(entry: Entry, now: datetime) -> list[str]:
    last = "-" if entry.last_nominal is None else times.wall(entry.last_nominal)
    recurrence = str(entry.schedule.recurrence) if entry.schedule else entry.recurrence_text or "-"
    return [entry.queue, entry.name, recurrence, times.upcoming(entry, now), last, state_text(entry)]


def _nothing(queues: Sequence[str]) -> str:
    if sum(service.count(queue=queue) for queue in queues):
        return "No more schedules."
    wanted, _ = declarations.everything()
    count = sum(one.schedule.queue in queues for one in wanted)
    hint = f" This code declares {count}: `manage.py repeat sync` registers them." if count else ""
    return f"No schedules in {'queue' if len(queues) == 1 else 'queues'} {', '.join(queues)}.{hint}"

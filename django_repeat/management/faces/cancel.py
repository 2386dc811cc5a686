"""``repeat cancel``: take a schedule out of the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from django_repeat import service
from django_repeat.answer import Answer
from django_repeat.management import lookup, orders
from django_repeat.management.arguments import add_name, add_queue
from django_repeat.management.output import Output

HELP = "Take a schedule out of the registry."
DESCRIPTION = (
    "Take a schedule out of the registry, with its run log, whoever put it there. "
    "What a ticker has in hand still runs. Asks first where a person can answer."
)
CHECKED = False


def add_arguments(parser: CommandParser) -> None:
    """Take the name, ``--queue`` and ``--yes``."""
    add_name(parser)
    add_queue(parser)
    orders.add_yes(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Cancel; ScheduleNotFound if there is no such entry, CommandError if the answer is no."""
    name, queue = options["name"], options["queue"]
    entry = orders.entry(options)
    shown = orders.shown(entry.name, queue)
    if not (options["yes"] or orders.agreed(output, f"Cancel schedule {shown}? [y/N] ")):
        raise CommandError("Nothing was cancelled.")
    if service.cancel(entry.name, queue=queue, by=lookup.actor()) is Answer.ABSENT:
        raise lookup.not_found(name, queue)
    output.line(f"Cancelled {shown}.")
    declared = lookup.declared(entry.name, queue)
    if declared:
        output.note(f"It is declared in {declared.where}: the next process start registers it again.")

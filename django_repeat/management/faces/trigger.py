"""``repeat trigger``: fire a schedule by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from django_repeat import control
from django_repeat.management import orders, plain
from django_repeat.management.arguments import add_json, add_name, add_queue
from django_repeat.management.output import Output

HELP = "Fire a schedule once, by hand."
DESCRIPTION = (
    "Hand one occurrence of a schedule to the task engine at once, from this process, also while it is paused. "
    "Its next run and its limits stay as they are. Given twice, it fires twice."
)
CHECKED = False


def add_arguments(parser: CommandParser) -> None:
    """Take the name, who and why, ``--queue`` and ``--json``."""
    add_name(parser)
    orders.add_actor(parser)
    add_queue(parser)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Fire; ScheduleNotFound, Conflict, and DispatchFailed if the engine refuses."""
    entry = orders.entry(options)
    fired = control.trigger(entry.name, queue=entry.queue, **orders.actor(options))
    if options["json"]:
        output.json({"queue": entry.queue, "name": entry.name, **plain.of_occurrence(fired)})
        return
    result = f", result {fired.result_id}" if fired.result_id else ""
    output.line(f"Fired {orders.shown(entry.name, entry.queue)}: {fired.id}{result}.")

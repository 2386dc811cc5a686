"""``repeat resume``: end a pause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from django_repeat import control
from django_repeat.answer import Answer
from django_repeat.entry import State
from django_repeat.management import lookup, orders
from django_repeat.management.arguments import add_json, add_queue
from django_repeat.management.output import Output, quoted

HELP = "End the pause of a schedule, or of a whole queue."
DESCRIPTION = (
    "End the pause of a schedule, or of a whole queue: it goes on with the next nominal time. "
    "What is not paused stays as it is."
)
CHECKED = False


def add_arguments(parser: CommandParser) -> None:
    """Take the name or ``--all``, ``--replay``, who and why, ``--queue`` and ``--json``."""
    orders.add_which(parser, "End the pause of the whole queue; schedules that are paused alone stay so.")
    parser.add_argument(
        "--replay",
        action="store_true",
        help="Treat the times of the pause as if no ticker had been there: catch_up decides what becomes of them.",
    )
    orders.add_actor(parser)
    add_queue(parser)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Resume; ScheduleNotFound, and Conflict where it is the whole queue that is paused."""
    queue, replay, name = options["queue"], options["replay"], None
    if options["all"]:
        answer = control.resume_all(queue=queue, replay=replay, **orders.actor(options))
    else:
        name = orders.entry(options).name
        answer = control.resume(name, queue=queue, replay=replay, **orders.actor(options))
    if options["json"]:
        output.json({"queue": queue, "name": name, "answer": str(answer)})
    else:
        what = f"the whole queue {quoted(queue)}" if name is None else orders.shown(name, queue)
        output.line(f"Resumed {what}." if answer is Answer.RESUMED else f"It was not paused: {what}.")
    if name is None:
        if complaint := lookup.unknown_queue(queue):
            output.note(complaint)
    else:
        _say_what_holds(output, name, queue)


def _say_what_holds(output: Output, name: str, queue: str) -> None:
    """Say why it will not fire all the same."""
    found = lookup.entry(name, queue)
    if found and found.pause and found.pause.whole_queue:
        output.note(f"Queue {quoted(queue)} is still paused as a whole: `manage.py repeat resume --all` ends that.")
    elif found and found.state in (State.DISABLED, State.FINISHED, State.BROKEN):
        output.note(f"Schedule {quoted(name)} is {found.state}: it will not fire.")

"""``repeat sync``: register what this code declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from django_repeat import conf, service
from django_repeat.answer import Answer
from django_repeat.management import lookup
from django_repeat.management.arguments import add_json, add_queue
from django_repeat.management.output import Output, quoted

HELP = "Register what this code declares."
DESCRIPTION = (
    "Make every schedule that this code declares current in the registry, as each start of a serving process does. "
    "Refuses on an Error of the checks."
)
CHECKED = True

REFUSED = {
    Answer.FOREIGN: "was registered by another program",
    Answer.BROKEN: "has a damaged record",
    Answer.CONFLICT: "is held by another declaration",
}
Answers = Mapping[tuple[str, str], Answer]


def add_arguments(parser: CommandParser) -> None:
    """Take ``--queue`` and ``--json``."""
    add_queue(parser, default=None)
    add_json(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Sync, and print what changed; CommandError names what the registry refused."""
    queue = options["queue"]
    if queue is not None and (complaint := lookup.unknown_queue(queue)):
        raise CommandError(complaint)
    if not conf.current().enabled:
        output.note(f"{conf.NAME}['ENABLED'] is False: nothing is registered.")
    answers = service.sync(queue=queue, by=lookup.actor(), timeout=service.PATIENCE)
    if options["json"]:
        output.json([{"queue": key[0], "name": key[1], "answer": str(answer)} for key, answer in answers.items()])
    else:
        _print(output, answers)
    refused = [f"{quoted(key[1])} {REFUSED[answer]}" for key, answer in answers.items() if answer in REFUSED]
    if refused:
        raise CommandError(f"Not in force: {'; '.join(refused)}. `manage.py repeat cancel` frees a name.")


def _print(output: Output, answers: Answers) -> None:
    several = len({queue for queue, _ in answers}) > 1
    for (queue, name), answer in answers.items():
        if answer is not Answer.EXISTS:
            output.line(f"{answer:<10}  {f'{queue}:' if several else ''}{name}")
    counts = Counter(answers.values())
    parts = ", ".join(f"{count} {answer}" for answer, count in sorted(counts.items()))
    output.line(f"{len(answers)} declared: {parts}." if answers else "Nothing is declared.")

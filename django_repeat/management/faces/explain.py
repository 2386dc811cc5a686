"""``repeat explain``: why a schedule did or did not run."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django_repeat import why
from django_repeat.management import lookup
from django_repeat.management.arguments import add_name, add_queue
from django_repeat.management.moments import FORM, moment
from django_repeat.management.output import Output

HELP = "Say why a schedule did or did not run."
DESCRIPTION = (
    "Say in one sentence what a schedule is doing now and why, or with --at why it did or did not run then: at a "
    "nominal time, in the minute of one, or at any other instant. What is not known is said to be not known."
)
CHECKED = False


def add_arguments(parser: ArgumentParser) -> None:
    """Take the name, ``--at`` and ``--queue``."""
    add_name(parser)
    parser.add_argument("--at", type=moment, metavar="INSTANT", help=f"The instant: {FORM}.")
    add_queue(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Print the sentence."""
    entry = lookup.entry(options["name"], options["queue"])
    if entry is None:
        raise lookup.not_found(options["name"], options["queue"])
    output.line(why.explain_entry(entry, options["at"]))

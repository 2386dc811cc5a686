"""What the sub-commands of an operator have in common: of what, by whom and why, and is it really meant."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError

from django_repeat.entry import Entry
from django_repeat.exceptions import RepeatError
from django_repeat.management import lookup
from django_repeat.management.output import Output, quoted

USAGE = 2


def add_actor(parser: ArgumentParser) -> None:
    """Take ``--by`` and ``--reason``."""
    parser.add_argument("--by", metavar="WHO", help="Who does it, for the run log (default: the user of this system).")
    parser.add_argument("--reason", metavar="TEXT", help="Why, for the run log.")


def add_yes(parser: ArgumentParser) -> None:
    """Take ``--yes``, and Django's word for it."""
    parser.add_argument("--yes", "--no-input", action="store_true", help="Do not ask.")


def add_which(parser: ArgumentParser, everything: str) -> None:
    """Take the name of one schedule, or ``--all``."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "name", metavar="NAME", nargs="?", help="Name of the schedule; put -- before one that starts with a dash."
    )
    which.add_argument("--all", action="store_true", help=everything)


def actor(options: Mapping[str, Any]) -> dict[str, str]:
    """Answer who gives the order and why, as the verbs take it."""
    by = options["by"]
    return {"by": lookup.actor() if by is None else by, "reason": options["reason"] or ""}


def entry(options: Mapping[str, Any]) -> Entry:
    """Answer the entry that is meant; ScheduleNotFound if there is none."""
    found = lookup.entry(options["name"], options["queue"])
    if found is None:
        raise lookup.not_found(options["name"], options["queue"])
    return found


def shown(name: str, queue: str) -> str:
    """Answer how a sentence names a schedule."""
    return f"{quoted(name)} in queue {quoted(queue)}"


@contextmanager
def usage() -> Iterator[None]:
    """Make a value that a verb refuses wrong usage, with its exit code."""
    try:
        yield
    except RepeatError:
        raise
    except ValueError as error:
        raise CommandError(str(error), returncode=USAGE) from error


def agreed(output: Output, question: str) -> bool:
    """Ask where a person can answer; True where nobody can."""
    if not (sys.stdin and sys.stdin.isatty() and output.stdout.isatty()):
        return True
    try:
        output.stdout.write(question, ending="")
        output.stdout.flush()
        typed = sys.stdin.readline()
    except KeyboardInterrupt:
        typed = ""
    if not typed.endswith("\n"):  # the cursor still stands behind the question
        output.line("")
    return typed.strip().lower() in ("y", "yes")

"""Arguments that several sub-commands take."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django_repeat.exceptions import InvalidSchedule
from django_repeat.names import DEFAULT_QUEUE, queue_name


def add_name(parser: ArgumentParser) -> None:
    """Take the name of one schedule."""
    parser.add_argument("name", metavar="NAME", help="Name of the schedule; put -- before one that starts with a dash.")


def add_queue(parser: ArgumentParser, *, default: str | None = DEFAULT_QUEUE) -> None:
    """Take one queue of the registry; ``default`` None stands for all that this code knows."""
    shown = "all that this code knows" if default is None else default
    parser.add_argument("--queue", type=_queue, default=default, help=f"Queue of the registry (default: {shown}).")


def add_queues(parser: ArgumentParser) -> None:
    """Take any number of queues."""
    parser.add_argument(
        "--queue",
        type=_queue,
        action="append",
        help="Queue of the registry; may be given several times (default: all that this code knows).",
    )


def add_json(parser: ArgumentParser) -> None:
    """Take ``--json``."""
    parser.add_argument("--json", action="store_true", help="Print JSON; instants are ISO-8601 in UTC.")


def whole(least: int, most: int = 10**12) -> Callable[[str], int]:
    """Answer an argparse type for whole numbers from ``least`` to ``most``."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text[:20]) <= most):
            raise ArgumentTypeError(f"a whole number from {least} to {most} is needed, not {text!r}")
        return int(text)

    return read


def add_skip_checks(parser: ArgumentParser, *, default: Any = SUPPRESS) -> None:
    """Take Django's ``--skip-checks``."""
    parser.add_argument("--skip-checks", action="store_true", default=default, help="Skip system checks.")


def add_common(parser: ArgumentParser, version: str) -> None:
    """Take Django's common options after the sub-command's name too.

    Without a default: one given before the name, which the outer parser read, stays in force.
    """
    parser.add_argument("--version", action="version", version=version, help="Show Django's version number and exit.")
    parser.add_argument(
        "-v", "--verbosity", type=int, choices=[0, 1, 2, 3], default=SUPPRESS, help="Verbosity level; 1 is normal."
    )
    parser.add_argument("--settings", default=SUPPRESS, help="The Python path to a settings module.")
    parser.add_argument("--pythonpath", default=SUPPRESS, help="A directory to add to the Python path.")
    for flag, text in (
        ("--traceback", "Display a full stack trace on CommandError exceptions."),
        ("--no-color", "Don't colorize the command output."),
        ("--force-color", "Force colorization of the command output."),
    ):
        parser.add_argument(flag, action="store_true", default=SUPPRESS, help=text)
    add_skip_checks(parser)


def _queue(text: str) -> str:
    try:
        return queue_name(text)
    except InvalidSchedule as error:
        raise ArgumentTypeError(str(error)) from error

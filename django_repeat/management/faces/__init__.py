"""One module per sub-command, each with the same four names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from django.core.management.base import CommandParser

from django_repeat.management.faces import (
    backfill,
    cancel,
    explain,
    listing,
    pause,
    resume,
    show,
    simulate,
    skip,
    sync,
    tick,
    trigger,
    upcoming,
)
from django_repeat.management.output import Output


class Face(Protocol):
    """What ``manage.py repeat`` needs of a sub-command."""

    HELP: str
    DESCRIPTION: str
    CHECKED: bool
    """Whether the system checks run first."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take its own arguments."""

    def run(self, output: Output, options: Mapping[str, Any]) -> None:
        """Do it. A RepeatError or a CommandError ends it with exit code 1."""


FACES: dict[str, Face] = {
    "tick": tick,
    "list": listing,
    "show": show,
    "explain": explain,
    "next": upcoming,
    "simulate": simulate,
    "sync": sync,
    "pause": pause,
    "resume": resume,
    "skip": skip,
    "trigger": trigger,
    "backfill": backfill,
    "cancel": cancel,
}

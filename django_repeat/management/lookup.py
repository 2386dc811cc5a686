"""Finding the schedule that a name on the command line means."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterable

from django_repeat import declarations, service
from django_repeat.declarations import Declared
from django_repeat.entry import Entry
from django_repeat.exceptions import ScheduleNotFound
from django_repeat.management.output import quoted
from django_repeat.names import near, normal

# Searching more names for a near one would take seconds.
SEARCHED = 10_000


def spellings(name: str) -> tuple[str, ...]:
    """Answer the names that an argument may stand for: as typed, and as ``Schedule`` would have kept it."""
    if any("\udc80" <= character <= "\udcff" for character in name):
        # A locale without UTF-8 handed the bytes over undecoded.
        name = name.encode(sys.getfilesystemencoding(), "surrogateescape").decode("utf-8", "surrogateescape")
    return tuple(dict.fromkeys((name, normal(name).strip())))


def entry(name: str, queue: str) -> Entry | None:
    """Answer the entry of that name, or None."""
    found = service.entries_of(spellings(name), queue=queue)
    return found[0] if found else None


def declared(name: str, queue: str) -> Declared | None:
    """Answer this code's declaration of that name, or None."""
    return declarations.find(queue, *spellings(name))


def not_found(name: str, queue: str) -> ScheduleNotFound:
    """Answer the error for a name that the registry lacks, with whatever helps to find the right one."""
    return ScheduleNotFound(f"No schedule {quoted(spellings(name)[0])} in queue {quoted(queue)}.{_hint(name, queue)}")


def undeclared(name: str, known: Iterable[str]) -> ScheduleNotFound:
    """Answer the error for a name that is none of those that this code declares, with the near one."""
    like = near(spellings(name)[-1], known)
    hint = f" Did you mean {quoted(like)}?" if like else ""
    return ScheduleNotFound(f"This code declares no schedule {quoted(spellings(name)[0])}.{hint}")


def unknown_queue(queue: str) -> str:
    """Answer what to say of a queue that neither declarations nor settings name, ``""`` if they do."""
    known = service.queues()
    if queue in known:
        return ""
    like = near(queue, known)
    return f"Nothing is declared for queue {quoted(queue)}.{f' Did you mean {quoted(like)}?' if like else ''}"


def actor() -> str:
    """Answer who gives the command, for records of what was done."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container's user without a name
        return "command"


def _hint(name: str, queue: str) -> str:
    if declared(name, queue):
        return " This code declares it, but it is not registered: `manage.py repeat sync` does that."
    for other in service.queues():
        if other != queue and entry(name, other):
            return f" Queue {quoted(other)} has one of that name: add --queue {other}."
    wanted, problems = declarations.everything()
    for problem in problems:
        if problem.name in spellings(name):
            return f" It is declared wrongly: {problem.message}"
    known = service.names_of(queue=queue, limit=SEARCHED)
    like = near(spellings(name)[-1], [*known, *(one.schedule.name for one in wanted if one.schedule.queue == queue)])
    return f" Did you mean {quoted(like)}?" if like else ""

"""The fields of a schedule: each read once, by one function, which names the field and the fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.conf import settings

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule
from django_repeat.jsonvalues import FrozenDict, normalise
from django_repeat.names import queue_name, schedule_name
from django_repeat.policies import DEFAULT, Policies
from django_repeat.recurrence import Cron, Every, Recurrence
from django_repeat.tasks_by_path import task_options, task_path

AT_ONCE = timedelta(0)
FURTHEST_FIRST_IN = timedelta(days=3_660)
OCCURRENCE = "occurrence"
"""The keyword argument under which a task gets its occurrence."""


def recurrence_of(recurrence: Any, every: Any, cron: Any, timezone: Any, phase: Any) -> Recurrence:
    """Answer the one recurrence that is given."""
    fields = {"recurrence": recurrence, "every": every, "cron": cron}
    given = [field for field, value in fields.items() if value is not None]
    if len(given) != 1:
        raise InvalidSchedule(f"give exactly one of recurrence, every and cron, not {', '.join(given) or 'none'}.")
    if timezone is not None and cron is None:
        raise InvalidSchedule("timezone: only a cron rule has one; an interval is elapsed time.")
    if phase is not None and every is None:
        raise InvalidSchedule("phase: only an interval (every) has one.")
    if cron is not None:
        return _cron(cron, timezone)
    if every is not None:
        return _every(every, phase)
    if not isinstance(recurrence, (Every, Cron)):
        raise InvalidSchedule(f"recurrence: an Every or a Cron, not {type(recurrence).__name__}.")
    return recurrence


def work(task: object, command: Any, args: Any, kwargs: Any, options: Any) -> dict[str, Any]:
    """Answer what to run: task or command, arguments, and options for the engine."""
    return {
        **_task_or_command(task, command),
        "args": tuple(_sequence(args)),
        "kwargs": _object(kwargs, "kwargs"),
        "options": FrozenDict({**task_options(task), **_object(options, "options")}),
    }


def place(queue: Any, enabled: Any, first_in: Any) -> dict[str, Any]:
    """Answer where it is kept, whether it fires, and how soon."""
    return {"queue": queue_name(queue), "enabled": _boolean(enabled), "first_in": _first_in(first_in)}


def policies_of(policies: Any, fields: Mapping[str, Any], others: Mapping[str, Any]) -> Policies:
    """Answer the policies with the ``fields`` that change them, if they go with the ``others`` of the schedule."""
    base = DEFAULT if policies is None else policies
    if not isinstance(base, Policies):
        raise InvalidSchedule(
            f"policies: a Policies, not {type(base).__name__}; give the fields of one by their names."
        )
    found = Policies.read(fields, base) if fields else base
    if found.exclude:
        found = _excluding(found, others["recurrence"])
    if found.pass_occurrence:
        if others["command"] is not None:
            raise InvalidSchedule("pass_occurrence: only a task takes an occurrence; leave it out for a command.")
        if OCCURRENCE in others["kwargs"]:
            raise InvalidSchedule(f"pass_occurrence: kwargs has {OCCURRENCE!r} already; rename that argument.")
    if found.start_ms is not None and found.after_ms(found.grid(others["recurrence"]), found.start_ms - 1) is None:
        raise InvalidSchedule("end_at: no nominal time lies from start_at to end_at; give a later one.")
    return found


def _excluding(policies: Policies, recurrence: Recurrence) -> Policies:
    """Answer the policies with the zone that the exclusions of an interval mean, if these leave something."""
    if isinstance(recurrence, Cron):
        if policies.exclude_zone is not None:
            raise InvalidSchedule("exclude_zone: exclude means the clock of the cron rule's timezone; leave it out.")
    elif policies.exclude_zone is None:
        policies = replace(policies, exclude_zone=Cron("* * * * *", settings.TIME_ZONE).timezone)
    with _about("exclude"):
        policies.grid(recurrence)
    return policies


def _cron(cron: Any, timezone: Any) -> Cron:
    with _about("timezone"):
        zone = Cron("* * * * *", settings.TIME_ZONE if timezone is None else timezone).timezone
    with _about("cron"):
        return Cron(cron, zone)


def _every(every: Any, phase: Any) -> Every:
    with _about("every"):
        interval = Every(every)
    if phase is None:
        return interval
    with _about("phase"):
        return Every(every, phase)


def _task_or_command(task: object, command: object) -> dict[str, str | None]:
    if (task is None) == (command is None):
        raise InvalidSchedule("give exactly one of task and command.")
    if command is None:
        return {"task": task_path(task), "command": None}
    if not isinstance(command, str) or not command or command != command.strip() or command.startswith("-"):
        raise InvalidSchedule(f"command: {command!r} is not the name of a management command.")
    with _about("command"):
        return {"task": None, "command": schedule_name(command)}


def _sequence(args: Any) -> list[Any]:
    if not isinstance(args, (list, tuple)):
        raise InvalidSchedule(f"args: a list or tuple, not {type(args).__name__}.")
    return [normalise(value, f"args[{index}]") for index, value in enumerate(args)]


def _object(value: Any, field: str) -> FrozenDict:
    if value is None:
        return FrozenDict()
    if not isinstance(value, Mapping):
        raise InvalidSchedule(f"{field}: a dict, not {type(value).__name__}.")
    return FrozenDict(normalise(dict(value), field))


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidSchedule(f"enabled: True or False, not {value!r}.")
    return value


def _first_in(value: Any) -> timedelta:
    # Every entry that a ticker reads comes by here, and almost none has a delay.
    if value == AT_ONCE:
        return AT_ONCE
    with _about("first_in"):
        delay = timedelta(milliseconds=durations.parse(value))
    if delay > FURTHEST_FIRST_IN:
        raise InvalidSchedule(f"first_in: ten years at most, not {value!r}.")
    return delay


@contextmanager
def _about(field: str) -> Iterator[None]:
    try:
        yield
    except InvalidSchedule as error:
        raise InvalidSchedule(f"{field}: {error}") from error

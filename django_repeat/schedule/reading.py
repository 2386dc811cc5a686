"""The fields of a schedule: each read once, by one function, which names the field and the fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.conf import settings

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule
from django_repeat.jsonvalues import FrozenDict, normalise
from django_repeat.names import queue_name, schedule_name
from django_repeat.policies import DEFAULT, Policies
from django_repeat.policies.given import POLICIES
from django_repeat.recurrence import Cron, Every, Recurrence
from django_repeat.schedule.guarding import About
from django_repeat.showing import is_a, shown
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
        raise InvalidSchedule(f"give exactly one of recurrence, every and cron, not {' and '.join(given) or 'none'}.")
    if timezone is not None and cron is None:
        why = "an interval is elapsed time" if recurrence is None else "a recurrence has its own"
        raise InvalidSchedule(f"timezone: it goes with cron, and {why}; leave it out.")
    if phase is not None and every is None:
        why = "a calendar rule has none" if recurrence is None else "a recurrence has its own"
        raise InvalidSchedule(f"phase: it goes with every, and {why}; leave it out.")
    if cron is not None:
        return _cron(cron, timezone)
    if every is not None:
        return _every(every, phase)
    if is_a(recurrence, Every) or is_a(recurrence, Cron):
        return recurrence
    raise InvalidSchedule(
        f"recurrence: {shown(recurrence)} is no Every and no Cron; give one, or every or cron instead."
    )


def work(task: object, command: Any, args: Any, kwargs: Any, options: Any) -> dict[str, Any]:
    """Answer what to run: task or command, arguments, and options for the engine."""
    what = _task_or_command(task, command)
    return {
        **what,
        "args": tuple(_sequence(args)),
        "kwargs": _object(kwargs, "kwargs", "argument names and values"),
        "options": _options(task, options),
    }


def place(queue: Any, enabled: Any, first_in: Any) -> dict[str, Any]:
    """Answer where it is kept, whether it fires, and how soon."""
    with About("queue"):
        queue = queue_name(queue)
    return {"queue": queue, "enabled": _boolean(enabled, "enabled"), "first_in": _first_in(first_in)}


def policies_of(policies: Any, fields: Mapping[str, Any], others: Mapping[str, Any]) -> Policies:
    """Answer the policies with the ``fields`` that change them, if they go with the ``others`` of the schedule."""
    base = DEFAULT if policies is None else policies
    if not is_a(base, Policies):
        raise InvalidSchedule(f"policies: {shown(base)} is no Policies; give the fields of one by their names.")
    found = _changed(base, fields) if fields else base
    if found.exclude:
        found = _excluding(found, others["recurrence"])
    if _boolean(found.pass_occurrence, "pass_occurrence"):
        if others["command"] is not None:
            raise InvalidSchedule("pass_occurrence: only a task takes an occurrence; leave it out for a command.")
        if OCCURRENCE in others["kwargs"]:
            raise InvalidSchedule(f"pass_occurrence: kwargs has {OCCURRENCE!r} already; rename that argument.")
    if found.start_ms is not None and found.after_ms(found.grid(others["recurrence"]), found.start_ms - 1) is None:
        raise InvalidSchedule("end_at: no nominal time lies from start_at to end_at; give a later one.")
    return found


def _changed(base: Policies, fields: Mapping[str, Any]) -> Policies:
    try:
        return Policies.read(fields, base)
    except InvalidSchedule:
        raise
    except (Exception, SystemExit):
        for name, value in fields.items():
            with About(name):
                POLICIES[name].read(value)
        raise


def _excluding(policies: Policies, recurrence: Recurrence) -> Policies:
    """Answer the policies with the zone that the exclusions of an interval mean, if these leave something."""
    if isinstance(recurrence, Cron):
        if policies.exclude_zone is not None:
            raise InvalidSchedule("exclude_zone: exclude means the clock of the cron rule's timezone; leave it out.")
    elif policies.exclude_zone is None:
        policies = replace(policies, exclude_zone=Cron("* * * * *", settings.TIME_ZONE).timezone)
    with About("exclude"):
        policies.grid(recurrence)
    return policies


def _cron(cron: Any, timezone: Any) -> Cron:
    with About("timezone"):
        zone = Cron("* * * * *", settings.TIME_ZONE if timezone is None else timezone).timezone
    with About("cron"):
        return Cron(cron, zone)


def _every(every: Any, phase: Any) -> Every:
    with About("every"):
        interval = Every(every)
    if phase is None:
        return interval
    with About("phase"):
        return Every(every, phase)


def _task_or_command(task: object, command: object) -> dict[str, str | None]:
    if (task is None) == (command is None):
        raise InvalidSchedule(f"give exactly one of task and command, not {'none' if task is None else 'both'}.")
    if command is None:
        return {"task": task_path(task), "command": None}
    with About("command"):
        return {"task": None, "command": _command(command)}


def _command(command: object) -> str:
    wrong = f"{shown(command)} is not the name of a management command; give it alone, as 'clearsessions'."
    if not is_a(command, str):
        raise InvalidSchedule(wrong)
    try:
        name = schedule_name(command)
    except InvalidSchedule as error:
        raise InvalidSchedule(wrong) from error
    if name.startswith("-"):
        raise InvalidSchedule(wrong)
    return name


def _sequence(args: Any) -> list[Any]:
    if not (is_a(args, list) or is_a(args, tuple)):
        raise InvalidSchedule(f"args: {shown(args)} is no list or tuple; give the positional arguments in one.")
    with About("args"):
        return [normalise(value, f"args[{index}]") for index, value in enumerate(args)]


def _options(task: object, options: Any) -> FrozenDict:
    with About("task"):
        changed = task_options(task)
    given = _object(options, "options", "the engine's options and their values")
    return FrozenDict(normalise({**changed, **given}, "options")) if changed else given


def _object(value: Any, field: str, holds: str) -> FrozenDict:
    if value is None:
        return FrozenDict()
    with About(field):
        if not isinstance(value, Mapping):
            raise InvalidSchedule(f"{field}: {shown(value)} is no dict; give one of {holds}.")
        return FrozenDict(normalise(dict(value), field))


def _boolean(value: Any, field: str) -> bool:
    if value is not True and value is not False:
        raise InvalidSchedule(f"{field}: {shown(value)} is neither True nor False; give one of them.")
    return bool(value)


def _first_in(value: Any) -> timedelta:
    with About("first_in"):
        # Every entry that a ticker reads comes by here, and almost none has a delay.
        if value == AT_ONCE:
            return AT_ONCE
        delay = timedelta(milliseconds=durations.parse(value))
        if delay > FURTHEST_FIRST_IN:
            raise InvalidSchedule(f"{shown(value)} is more than ten years; give a shorter time, or start_at.")
        return delay

"""The ways to declare in code: a call and a decorator. SCHEDULES in the settings takes the same fields."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from django_repeat import policies
from django_repeat.declarations.collected import Declared, Problem, declarations
from django_repeat.exceptions import InvalidSchedule
from django_repeat.names import LONGEST, hint
from django_repeat.schedule import Schedule
from django_repeat.showing import is_a, kind, shown
from django_repeat.tasks_by_path import is_task, task_path

T = TypeVar("T")
P = ParamSpec("P")

# The policies are given one by one; the value that holds them all is for `dataclasses.replace`.
_OWN = [name for name in signature(Schedule).parameters if name not in ("name", "policies", "fields")]
FIELDS = (*_OWN, *policies.NAMES)


def declare(schedule: Schedule | str, /, **fields: Any) -> Schedule | None:
    """Declare a schedule, or a name with the fields of ``Schedule``; answer it, or None if it cannot be right.

    Meant for ``AppConfig.ready``. No I/O; a mistake is an Error of ``manage.py check``.
    """
    return _declare(schedule, fields, where=_caller(2))


def _with_brackets(decorator: Callable[P, T]) -> Callable[P, T]:
    """Refuse positional arguments with what to write instead, for Python's own message counts them."""

    @wraps(decorator)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        if args:
            raise TypeError(
                "write @repeat(every=…) or @repeat(cron=…), with brackets; all that stands in them is named, as name=…"
            )
        return decorator(*args, **kwargs)

    return called


@_with_brackets
def repeat(*, name: str | None = None, **fields: Any) -> Callable[[T], T]:
    """Declare the decorated task; stands above the engine's own decorator and answers the task unchanged.

    ``name`` is the task's dotted path unless given; the other fields are those of ``Schedule``. TypeError for
    what no engine accepts, such as a plain function, and without brackets. Any other mistake is kept for the checks.
    """
    where = _caller(3)

    def decorate(task: T) -> T:
        if not is_task(task):
            fix = "move @repeat above @task, or put @task between it and the function."
            raise TypeError(f"{shown(task)} is no task of any engine: {fix}")
        try:
            wanted = task_path(task) if name is None else name
        except InvalidSchedule as error:
            declarations.reject(problem(task, f"A schedule that @repeat declares: {error}", where))
        else:
            _declare(wanted, {**fields, "task": task}, where=where)
        return task

    return decorate


def build(name: Any, fields: Any) -> Schedule:
    """Answer the Schedule of a name and a mapping of its fields; InvalidSchedule, also for a field that is unknown."""
    try:
        return Schedule(name, **_known(name, fields))
    except InvalidSchedule:
        raise
    except (Exception, SystemExit) as error:
        # Somebody's own mapping, say, that raises when it is read.
        raise InvalidSchedule(f"Schedule {called(name)}: it cannot be read ({kind(error)}); give a dict.") from error


def _known(name: Any, fields: Any) -> dict[str, Any]:
    if not isinstance(fields, Mapping):
        raise InvalidSchedule(f"Schedule {called(name)}: {shown(fields)} is no dict; give a dict of its fields.")
    known = {}
    for field in fields:
        if not is_a(field, str) or (plain := str.__str__(field)) not in FIELDS:
            likely = hint(shown(field).strip("'"), FIELDS)
            raise InvalidSchedule(f"Schedule {called(name)}: there is no field {shown(field)}. {likely}")
        known[plain] = fields[field]
    return known


def called(name: Any) -> str:
    """Answer what somebody gave for the name of a schedule, for a message."""
    return shown(name, LONGEST + 2)


def problem(name: Any, message: str, where: str) -> Problem:
    """Answer the problem of a declaration under the name that somebody gave it, whatever that is."""
    return Problem(name=str.__str__(name) if is_a(name, str) else shown(name), message=message, where=where)


def _declare(schedule: Any, fields: dict[str, Any], where: str) -> Schedule | None:
    try:
        built = _whole(schedule, fields) if is_a(schedule, Schedule) else build(schedule, fields)
    except InvalidSchedule as error:
        declarations.reject(problem(schedule.name if is_a(schedule, Schedule) else schedule, str(error), where))
        return None
    declarations.add(Declared(schedule=built, source="code", where=where))
    return built


def _whole(schedule: Schedule, fields: dict[str, Any]) -> Schedule:
    if fields:
        raise InvalidSchedule(f"Schedule {schedule.name!r}: give a Schedule or a name with fields, not both.")
    try:
        _ = schedule.digest
    except (Exception, SystemExit) as error:
        # Lists and dicts in its arguments can be changed.
        raise InvalidSchedule(
            f"Schedule {schedule.name!r}: it is JSON no more ({kind(error)}); make a new one."
        ) from error
    return schedule


def _caller(depth: int) -> str:
    frame = sys._getframe(depth)
    return f"{frame.f_globals.get('__name__', '?')}:{frame.f_lineno}"

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
from django_repeat.names import hint
from django_repeat.schedule import Schedule
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
            raise TypeError(f"@repeat stands above a task engine's decorator; {task!r} is no task of any engine.")
        try:
            path = task_path(task)
        except InvalidSchedule as error:
            declarations.reject(Problem(name=name or repr(task), message=str(error), where=where))
        else:
            _declare(path if name is None else name, {**fields, "task": task}, where=where)
        return task

    return decorate


def build(name: Any, fields: Any) -> Schedule:
    """Answer the Schedule of a name and a mapping of its fields; InvalidSchedule, also for a field that is unknown."""
    if not isinstance(fields, Mapping):
        raise InvalidSchedule(f"Schedule {name!r}: give a dict of its fields, not {type(fields).__name__}.")
    for field in fields:
        if field not in FIELDS:
            raise InvalidSchedule(f"Schedule {name!r}: there is no field {field!r}. {hint(str(field), FIELDS)}")
    return Schedule(name, **fields)


def _declare(schedule: Any, fields: dict[str, Any], where: str) -> Schedule | None:
    try:
        if isinstance(schedule, Schedule) and fields:
            raise InvalidSchedule(f"Schedule {schedule.name!r}: give a Schedule or a name with fields, not both.")
        built = schedule if isinstance(schedule, Schedule) else build(schedule, fields)
    except InvalidSchedule as error:
        declarations.reject(Problem(name=str(schedule), message=str(error), where=where))
        return None
    declarations.add(Declared(schedule=built, source="code", where=where))
    return built


def _caller(depth: int) -> str:
    frame = sys._getframe(depth)
    return f"{frame.f_globals.get('__name__', '?')}:{frame.f_lineno}"

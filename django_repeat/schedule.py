"""A schedule: the immutable definition of recurring work."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule
from django_repeat.jsonvalues import FrozenDict, canonical, normalise
from django_repeat.names import queue_name, schedule_name
from django_repeat.recurrence import Cron, Every, Recurrence
from django_repeat.tasks_by_path import task_options, task_path

Duration = timedelta | int | float | str
AT_ONCE = timedelta(0)
FURTHEST_FIRST_IN = timedelta(days=3_660)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Schedule:
    """Define what runs and when. Valid from birth: InvalidSchedule names the schedule, the field and the fix.

    Give exactly one of ``recurrence``, ``every`` (a timedelta, seconds, or text such as ``"15m"``) and ``cron``
    (five fields, in ``timezone`` or Django's ``TIME_ZONE``), and exactly one of ``task`` (a dotted path or the
    task itself) and ``command`` (the name of a management command). ``phase`` puts an interval on the grid
    epoch + n x every + phase; without it the grid starts with the first run, ``first_in`` after registering.
    ``args``, ``kwargs`` and ``options`` (for the engine) are JSON only. Change one with ``dataclasses.replace``.
    """

    name: str
    recurrence: Recurrence
    task: str | None
    command: str | None
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    queue: str
    options: Mapping[str, Any]
    enabled: bool
    first_in: timedelta

    def __init__(
        self,
        name: str,
        *,
        recurrence: Recurrence | None = None,
        every: Duration | None = None,
        cron: str | None = None,
        timezone: str | ZoneInfo | None = None,
        phase: Duration | None = None,
        task: object = None,
        command: str | None = None,
        args: Any = (),
        kwargs: Mapping[str, Any] | None = None,
        queue: str = "default",
        options: Mapping[str, Any] | None = None,
        enabled: bool = True,
        first_in: Duration = AT_ONCE,
    ) -> None:
        name = schedule_name(name)
        try:
            values = {
                "name": name,
                "recurrence": _recurrence(recurrence, every, cron, timezone, phase),
                **_work(task, command),
                "args": tuple(_sequence(args)),
                "kwargs": _object(kwargs, "kwargs"),
                "queue": queue_name(queue),
                "options": FrozenDict({**task_options(task), **_object(options, "options")}),
                "enabled": _boolean(enabled),
                "first_in": _first_in(first_in),
            }
        except InvalidSchedule as error:
            raise InvalidSchedule(f"Schedule {name!r}: {error}") from error
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @cached_property
    def template(self) -> str:
        """Answer what to run as canonical JSON: sorted keys, no spaces, the same text for the same work."""
        work = {"command": self.command} if self.command else {"task": self.task}
        return canonical({**work, "args": list(self.args), "kwargs": self.kwargs, "options": self.options})

    @cached_property
    def digest(self) -> str:
        """Answer 32 hexadecimal digits over recurrence, work and policies; not over name, queue or source."""
        policies = {"enabled": self.enabled, "first_in": self.first_in // timedelta(milliseconds=1)}
        text = canonical([_grid(self.recurrence), self.template, policies])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schedule) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        return f"<Schedule {self.name!r} {self.recurrence} {self.command or self.task}>"

    @property
    def _identity(self) -> tuple[str, str, str]:
        return self.queue, self.name, self.digest


def _grid(recurrence: Recurrence) -> list[str | int | None]:
    if isinstance(recurrence, Every):
        return ["every", recurrence.period_ms, recurrence.phase_ms]
    return ["cron", recurrence.text, recurrence.timezone]


def _recurrence(recurrence: Any, every: Any, cron: Any, timezone: Any, phase: Any) -> Recurrence:
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


def _work(task: object, command: object) -> dict[str, str | None]:
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

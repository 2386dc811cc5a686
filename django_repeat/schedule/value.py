"""The schedule, as a value."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any, Unpack
from zoneinfo import ZoneInfo

from django_repeat import policies as policy
from django_repeat.durations import Duration
from django_repeat.exceptions import InvalidSchedule
from django_repeat.jsonvalues import FrozenDict, canonical, copied
from django_repeat.names import schedule_name
from django_repeat.policies import Policies, PolicyFields
from django_repeat.recurrence import Every, Moments, Recurrence
from django_repeat.schedule import reading
from django_repeat.schedule.guarding import sentence


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Schedule:
    """Define what runs and when. Valid from birth: InvalidSchedule names the schedule, the field and the fix.

    Give exactly one of ``recurrence``, ``every`` (a timedelta, seconds, or text such as ``"15m"``) and ``cron``
    (five fields, in ``timezone`` or Django's ``TIME_ZONE``), and exactly one of ``task`` (a dotted path or the
    task itself) and ``command`` (the name of a management command). ``phase`` puts an interval on the grid
    epoch + n x every + phase; without it the grid starts with the first run, ``first_in`` after registering.
    ``args``, ``kwargs`` and ``options`` (for the engine) are JSON only. The other fields are those of
    ``PolicyFields``, kept in ``policies``. Change a schedule with ``dataclasses.replace``.
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
    policies: Policies

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
        first_in: Duration = timedelta(0),
        policies: Policies | None = None,
        **fields: Unpack[PolicyFields],
    ) -> None:
        for field in fields:
            if field not in policy.NAMES:
                raise TypeError(f"Schedule() got an unexpected keyword argument {field!r}")
        name = schedule_name(name)
        try:
            when = reading.recurrence_of(recurrence, every, cron, timezone, phase)
            what = reading.work(task, command, args, kwargs, options)
            values = {"name": name, "recurrence": when, **what, **reading.place(queue, enabled, first_in)}
            values["policies"] = reading.policies_of(policies, fields, values)
        except InvalidSchedule as error:
            raise InvalidSchedule(sentence(f"Schedule {name!r}: {error}")) from error
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
        first_in = self.first_in // timedelta(milliseconds=1)
        policies = {"enabled": self.enabled, "first_in": first_in, **self.policies.stored()}
        text = canonical([_identity(self.recurrence), self.template, policies])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @cached_property
    def grid(self) -> Moments:
        """Answer what the nominal times lie on: the recurrence from ``start_at`` on, without what is excluded."""
        return self.policies.grid(self.recurrence)

    @property
    def floats(self) -> bool:
        """Answer whether its grid begins with its first run, wherever that falls."""
        recurrence = self.recurrence
        return isinstance(recurrence, Every) and recurrence.phase_ms is None and self.policies.start_ms is None

    @cached_property
    def offset_ms(self) -> int:
        """Answer by how many milliseconds ``spread`` puts off this schedule, the same on every machine."""
        return self.policies.offset(self.name)

    def due_ms(self, nominal_ms: int) -> int:
        """Answer when a nominal time falls due: after it by the spread, and before the next one."""
        return policy.effective(self.grid, nominal_ms, self.offset_ms)

    def apart(self) -> Schedule:
        """Answer a schedule whose arguments and options share no list and no dict with those of this one.

        It is this one where nothing is nested in them: then there is nothing that could be changed in place.
        """
        if not self._nested:
            return self
        # What was worked out once holds for the other too, and is no longer to be read from what may be changed.
        for known in ("template", "digest", "grid", "offset_ms"):
            getattr(self, known)
        twin = copy(self)
        object.__setattr__(twin, "args", tuple(map(copied, self.args)))
        for field in ("kwargs", "options"):
            object.__setattr__(twin, field, FrozenDict(copied(getattr(self, field))))
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schedule) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        return f"<Schedule {self.name!r} {self.recurrence} {self.command or self.task}>"

    @cached_property
    def _nested(self) -> bool:
        return any(
            isinstance(value, (list, dict)) for value in (*self.args, *self.kwargs.values(), *self.options.values())
        )

    @property
    def _identity(self) -> tuple[str, str, str]:
        return self.queue, self.name, self.digest


def _identity(recurrence: Recurrence) -> list[str | int | None]:
    if isinstance(recurrence, Every):
        return ["every", recurrence.period_ms, recurrence.phase_ms]
    return ["cron", recurrence.text, recurrence.timezone]

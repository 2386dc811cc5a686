"""An occurrence: one firing of a schedule for one nominal time."""

from __future__ import annotations

import uuid
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django_repeat.instants import from_ms, iso, to_ms
from django_repeat.schedule import OCCURRENCE, Schedule

# RFC 9562 section 5.5: a name-based UUID needs a namespace; drawn once at random, never to be changed.
NAMESPACE = uuid.UUID("6f0f1a1e-5b0f-4a52-9f0c-0d5c1f3a7b54")


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """One firing: the schedule, its nominal time, and what an engine may pass on. Instants are milliseconds.

    ``nominal_ms`` is the instant that the recurrence says, ``fired_ms`` the server's time when it was handed over.
    ``trigger`` is ``schedule``, ``backfill``, or ``manual`` for one that an operator asked for: its nominal time is the
    instant it was asked for, and it has a ``manual_id`` of its own. ``result_id`` is what the engine answered.
    The lists and dicts in the arguments are its own: what an engine or a task does to them, no later one sees.
    """

    schedule: Schedule
    nominal_ms: int
    fired_ms: int
    missed_count: int = 0
    trigger: str = "schedule"
    manual_id: str = ""
    result_id: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "schedule", self.schedule.apart())

    @property
    def id(self) -> str:
        """Answer ``<name>@<nominal ms>``: the same at every enqueue of this occurrence, on every host.

        ``<name>!<uuid>`` for a manual one, of which there may be several in one millisecond.
        """
        if self.manual_id:
            return f"{self.schedule.name}!{self.manual_id}"
        return f"{self.schedule.name}@{self.nominal_ms}"

    @property
    def uuid(self) -> uuid.UUID:
        """Answer the id as a UUID that also covers the queue, for engines that take a UUID as the key of a result."""
        return uuid.uuid5(NAMESPACE, f"{self.schedule.queue}:{self.id}")

    @property
    def nominal(self) -> datetime:
        """Answer the nominal time as an aware UTC datetime."""
        return from_ms(self.nominal_ms)

    @property
    def due_ms(self) -> int:
        """Answer when it fell due: its nominal time, put off by the spread."""
        if self.manual_id:
            return self.nominal_ms
        return self.schedule.due_ms(self.nominal_ms)

    @property
    def late_ms(self) -> int:
        """Answer by how many milliseconds it fired after it fell due."""
        return self.fired_ms - self.due_ms

    @property
    def previous(self) -> datetime | None:
        """Answer the nominal time before this one; None if ``start_at`` lies between."""
        found = self.schedule.grid.before_ms(self.nominal_ms - 1, self.nominal_ms)
        start = self.schedule.policies.start_ms
        return None if found is None or (start is not None and found < start) else from_ms(found)

    @property
    def next(self) -> datetime | None:
        """Answer the nominal time after this one; None if ``end_at`` lies between."""
        found = self.schedule.policies.after_ms(self.schedule.grid, self.nominal_ms, self.nominal_ms)
        return None if found is None else from_ms(found)

    @property
    def kwargs(self) -> dict[str, Any]:
        """Answer the task's keyword arguments: with ``pass_occurrence`` also this occurrence, as JSON."""
        given = dict(self.schedule.kwargs)
        return {**given, OCCURRENCE: self.as_json()} if self.schedule.policies.pass_occurrence else given

    def as_json(self) -> dict[str, Any]:
        """Answer what a task may want to know of its occurrence. Instants are ISO text in UTC."""
        return {
            "id": self.id,
            "schedule": self.schedule.name,
            "nominal": iso(self.nominal_ms),
            "fired": iso(self.fired_ms),
            "previous": _iso(self.previous),
            "next": _iso(self.next),
            "missed_count": self.missed_count,
            "trigger": self.trigger,
        }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else iso(to_ms(moment))


current_occurrence: ContextVar[Occurrence | None] = ContextVar("current_occurrence", default=None)
"""The occurrence that is being handed to an engine, for the time of that call."""


def result_id() -> uuid.UUID:
    """Answer the UUID of the occurrence in hand, else a random one.

    For ``OPTIONS["id_function"]`` of django-tasks-db: a second enqueue of one occurrence then finds its row taken.
    """
    occurrence = current_occurrence.get()
    return uuid.uuid4() if occurrence is None else occurrence.uuid

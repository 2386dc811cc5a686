"""An occurrence: one firing of a schedule for one nominal time."""

from __future__ import annotations

import uuid
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from django_repeat.instants import from_ms
from django_repeat.schedule import Schedule

# RFC 9562 section 5.5: a name-based UUID needs a namespace; drawn once at random, never to be changed.
NAMESPACE = uuid.UUID("6f0f1a1e-5b0f-4a52-9f0c-0d5c1f3a7b54")


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """One firing: the schedule, its nominal time, and what an engine may pass on. Instants are milliseconds.

    ``nominal_ms`` is the instant that the recurrence says, ``fired_ms`` the server's time when it was handed over.
    """

    schedule: Schedule
    nominal_ms: int
    fired_ms: int
    missed_count: int = 0
    trigger: str = "schedule"

    @property
    def id(self) -> str:
        """Answer ``<name>@<nominal ms>``: the same at every enqueue of this occurrence, on every host."""
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
    def late_ms(self) -> int:
        """Answer by how many milliseconds it fired after its nominal time."""
        return self.fired_ms - self.nominal_ms


current_occurrence: ContextVar[Occurrence | None] = ContextVar("current_occurrence", default=None)
"""The occurrence that is being handed to an engine, for the time of that call."""


def result_id() -> uuid.UUID:
    """Answer the UUID of the occurrence in hand, else a random one.

    For ``OPTIONS["id_function"]`` of django-tasks-db: a second enqueue of one occurrence then finds its row taken.
    """
    occurrence = current_occurrence.get()
    return uuid.uuid4() if occurrence is None else occurrence.uuid

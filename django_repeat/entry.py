"""An entry: a schedule as the registry holds it, with what has become of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from django_repeat.schedule import Schedule


class State(StrEnum):
    """What an entry is doing."""

    SCHEDULED = "scheduled"
    DUE = "due"
    DISPATCHING = "dispatching"
    DISABLED = "disabled"
    FAILING = "failing"
    BROKEN = "broken"
    FOREIGN = "foreign"
    FINISHED = "finished"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of the registry. Instants are aware UTC; ``schedule`` is None if the stored definition cannot be read.

    ``next`` is the next nominal time, None if there is none or it is unknown, and ``due`` when it falls due: later by
    the spread. ``raw`` is the record as stored.
    """

    name: str
    queue: str
    state: State
    schedule: Schedule | None = None
    recurrence_text: str = ""
    next: datetime | None = None
    due: datetime | None = None
    last_nominal: datetime | None = None
    last_fired: datetime | None = None
    last_outcome: str = ""
    last_result: str = ""
    fired_count: int = 0
    missed_count: int = 0
    skipped_count: int = 0
    failures: int = 0
    error: str = ""
    source: str = ""
    broken_reason: str = ""
    raw: Mapping[str, str] = field(default_factory=dict)

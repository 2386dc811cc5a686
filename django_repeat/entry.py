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
    PAUSED = "paused"
    FAILING = "failing"
    BROKEN = "broken"
    FOREIGN = "foreign"
    FINISHED = "finished"


@dataclass(frozen=True, kw_only=True)
class Pause:
    """Nothing fires: since when, until when (None: until it is resumed), who said so and why.

    ``whole_queue`` if that was said of the queue.
    """

    since: datetime
    until: datetime | None = None
    by: str = ""
    reason: str = ""
    whole_queue: bool = False


@dataclass(frozen=True)
class MissedRange:
    """Nominal times in a row that were missed: the first, the last, and how many."""

    first: datetime
    last: datetime
    count: int


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of the registry. Instants are aware UTC; ``schedule`` is None if the stored definition cannot be read.

    ``next`` is the next nominal time, None if there is none or it is unknown, and ``due`` when it falls due: later by
    the spread. While ``pause`` holds, they are what comes after it, or would if it ended now. ``waiting`` is a nominal
    time that waits for a run to end. ``skips`` are those that an operator took out. ``retry`` is when a failing one is
    tried again. ``outcomes`` are the letters of the latest, newest first, ``missed_ranges`` the latest missed nominal
    times. ``raw`` is the record as stored.
    """

    name: str
    queue: str
    state: State
    schedule: Schedule | None = None
    recurrence_text: str = ""
    next: datetime | None = None
    due: datetime | None = None
    pause: Pause | None = None
    waiting: datetime | None = None
    skips: tuple[datetime, ...] = ()
    last_nominal: datetime | None = None
    last_fired: datetime | None = None
    last_outcome: str = ""
    last_result: str = ""
    fired_count: int = 0
    missed_count: int = 0
    skipped_count: int = 0
    failures: int = 0
    retry: datetime | None = None
    error: str = ""
    source: str = ""
    broken_reason: str = ""
    outcomes: str = ""
    missed_ranges: tuple[MissedRange, ...] = ()
    raw: Mapping[str, str] = field(default_factory=dict)

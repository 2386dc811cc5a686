"""What is known of one entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import cached_property
from itertools import chain
from typing import Any

from django_repeat.codec import holes_of, milliseconds
from django_repeat.entry import Entry
from django_repeat.explaining.line import Line
from django_repeat.instants import to_ms
from django_repeat.plan import Holes
from django_repeat.recurrence import Exclusions, Moments
from django_repeat.schedule import Schedule

MINUTE = 60_000


@dataclass(frozen=True, kw_only=True)
class Known:
    """What is known of one entry ``now``; instants are said on the clock of ``zone``.

    ``log`` is its run log, newest first, of which ``history`` lines are kept; ``switch`` that of its queue, as stored.
    ``tickers`` is how many live (None: not known), ``enabled`` whether the site is.
    """

    entry: Entry
    log: Sequence[Mapping[str, Any]]
    now: datetime
    zone: tzinfo
    history: int
    switch: Mapping[str, str] = field(default_factory=dict)
    tickers: int | None = None
    enabled: bool = True

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Answer the run log, newest first."""
        return tuple(map(Line.read, self.log))

    @property
    def now_ms(self) -> int:
        """Answer ``now`` in milliseconds."""
        return to_ms(self.now)

    @property
    def pending(self) -> int | None:
        """Answer the nominal time that is pending, whoever has it in hand or took it out."""
        return self.stored("nominal")

    @property
    def anchor(self) -> int | None:
        """Answer a nominal time to count an interval from, if one is known."""
        last = self.entry.last_nominal
        return self.pending if last is None else to_ms(last)

    @cached_property
    def holes(self) -> Holes:
        """Answer what operators took out of what is not decided yet; a pause without end has none here either."""
        own, queue = holes_of(self.entry.raw), holes_of(self.switch)
        return Holes.of([*own.windows, *queue.windows], own.instants)

    def stored(self, name: str) -> int | None:
        """Answer an instant of the record, None if it holds none."""
        return milliseconds(self.entry.raw.get(name))

    @property
    def ticker(self) -> str:
        """Answer the id of the ticker that has it in hand, or had when its lease ended; "" for none."""
        return self.entry.raw.get("fence", "").rpartition(":")[0]

    def within_reach(self, schedule: Schedule) -> bool:
        """Answer whether nominal times can be worked out: an interval without phase starts with its first run."""
        return not schedule.floats or self.anchor is not None

    def near(self, schedule: Schedule, at: int) -> int | None:
        """Answer the nominal time at that instant, or else the nearest one of its minute, without what is excluded."""
        return nearest(at, self._around(schedule.grid, at))

    def excluded(self, schedule: Schedule, at: int) -> int | None:
        """Answer what would be the nominal time of that minute if ``exclude`` did not take it away."""
        if not schedule.policies.exclude:
            return None
        whole = replace(schedule.policies, exclude=Exclusions(), exclude_zone=None).grid(schedule.recurrence)
        return nearest(at, self._around(whole, at))

    def before(self, schedule: Schedule, at: int) -> int | None:
        """Answer the latest nominal time before an instant that ``start_at`` and ``end_at`` allow."""
        end, start = schedule.policies.end_ms, schedule.policies.start_ms
        found = schedule.grid.before_ms(at - 1 if end is None else min(at - 1, end), self.anchor)
        return None if found is None or found < (start or 0) else found

    def after(self, schedule: Schedule, at: int) -> int | None:
        """Answer the first nominal time after an instant that ``start_at`` and ``end_at`` allow."""
        return schedule.policies.after_ms(schedule.grid, at, self.anchor)

    def decisions(self, at: int) -> Iterator[int]:
        """Answer the nominal times of the run log in the minute of an instant."""
        for line in self.lines:
            if line.decides and line.nominal is not None:
                yield from (one for one in {line.start, line.nominal} if one // MINUTE == at // MINUTE)

    def _around(self, grid: Moments, at: int) -> Iterator[int]:
        found = (grid.before_ms(at, self.anchor), grid.after_ms(at, self.anchor))
        yield from (one for one in found if one is not None and one >= 0 and one // MINUTE == at // MINUTE)


def nearest(at: int, *found: Iterable[int]) -> int | None:
    """Answer the instant that is nearest to ``at``, the earlier of two, None of none."""
    return min(chain(*found), key=lambda one: (abs(one - at), one), default=None)

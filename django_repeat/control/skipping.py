"""Skip the next nominal times of a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Any

from django_repeat import service
from django_repeat.codec import LETTERS, holes_of, line, milliseconds
from django_repeat.codec import skip as skip_line
from django_repeat.control.deciding import Order, carry_out, rev, tell_passed
from django_repeat.entry import Entry
from django_repeat.exceptions import Conflict
from django_repeat.instants import from_ms, to_ms
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.plan import Gap, Holes, Plan, plan, upcoming
from django_repeat.policies import Overlap, Policies
from django_repeat.reason import SKIPS, Reason
from django_repeat.registry import Decision, Reader
from django_repeat.schedule import Schedule

MOST = 100
MOST_AHEAD = 1_000


def skip(name: str, count: int = 1, *, queue: str = DEFAULT_QUEUE, by: str = "", reason: str = "") -> list[datetime]:
    """Drop the next ``count`` nominal times that would fire, 100 at most; answer which.

    One that is due and in no ticker's hand is dropped at once, also one that an engine refuses again and again. What a
    ticker has in hand still runs. While a pause lasts, it is what was due before and then what comes after. The cadence
    and ``max_runs`` stay. Fewer are answered where the schedule ends before; Conflict if there is none, if the record
    is damaged or not ours; ScheduleNotFound, RegistryUnavailable.
    """
    if type(count) is not int or not 1 <= count <= MOST:
        raise ValueError(f"count: give a whole number from 1 to {MOST}, not {count!r:.40}.")
    order = Order(verb="skip", name=name, queue=queue, by=by, reason=reason)
    dropped: list[int] = []
    gaps: list[Gap] = []

    def decide(entry: Entry, now: int) -> Decision:
        if entry.schedule is None:
            raise Conflict(f"Schedule {name!r} cannot be read ({entry.broken_reason}): its next times are unknown.")
        switch = holes_of(Reader(service.store(queue)).switch(), now)
        dropping = _Dropping(entry=entry, schedule=entry.schedule, now=now, switch=switch)
        dropped[:], gaps[:] = dropping.drop(count), dropping.gaps
        if not dropped:
            raise Conflict(f"Schedule {name!r} has no further times to skip.")
        if len(dropping.instants) > MOST_AHEAD:
            raise Conflict(f"Schedule {name!r} has {MOST_AHEAD:,} skipped times ahead; pause it instead.")
        said = order.line(now, first=dropped[0], nominal=dropped[-1], count=len(dropped))
        return dropping.decision(said)

    carry_out(order, decide)
    tell_passed(order, gaps)
    return [from_ms(one) for one in dropped]


@dataclass
class _Dropping:
    """What is dropped of one entry: a time that waits, those that are due, and instants ahead."""

    entry: Entry
    schedule: Schedule
    now: int
    switch: Holes
    instants: list[int] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    letters: str = ""
    skipped: int = 0
    changes: dict[str, Any] = field(default_factory=dict)
    moves: dict[str, Any] = field(default_factory=dict)

    def drop(self, count: int) -> list[int]:
        own = Holes.read(self.entry.raw.get("holes", ""))
        self.instants = list(own.instants)
        pending = milliseconds(self.entry.raw.get("nominal"))
        claimed = "fence" in self.entry.raw
        found = [] if claimed else [*self._waiting()][:count]
        if pending is not None and not claimed:
            due, pending = self._due(pending, count - len(found))
            found += due
        if pending is not None and len(found) < count:
            ahead = self._ahead(pending, claimed, count - len(found))
            self.instants += ahead
            found += ahead
        self.changes["holes"] = str(Holes.of(own.windows, self.instants))
        return found

    def decision(self, said: str) -> Decision:
        return Decision(
            name=self.entry.name,
            rev=rev(self.entry),
            fields=self.changes,
            lines=[*self.lines, said],
            skipped=self.skipped,
            letters=self.letters,
            **self.moves,
        )

    @property
    def _limit(self) -> int:
        """Answer up to when what is due counts: while a pause lasts, what fell due before it."""
        return self.now if self.entry.pause is None else to_ms(self.entry.pause.since) - 1

    @property
    def _holes(self) -> Holes:
        """Answer what is taken out already, as if pauses ended now."""
        own = holes_of(self.entry.raw, self.now)
        return Holes.of([*own.windows, *self.switch.windows], own.instants)

    @property
    def _policies(self) -> Policies:
        """Answer the policies without those by which one time stands back for another: what is dropped makes room."""
        return replace(self.schedule.policies, overlap=Overlap.ALLOW, max_runtime_ms=None, max_runs=None)

    def _waiting(self) -> Iterator[int]:
        waiting = milliseconds(self.entry.raw.get("wait"))
        if waiting is not None:
            self.changes.update(wait="", poll="")
            self._passed(Gap(reason=Reason.OPERATOR, first=waiting, last=waiting, count=1))
            yield waiting

    def _due(self, pending: int, count: int) -> tuple[list[int], int | None]:
        """Answer what is dropped of what is due, and what is pending then: the first that is left."""
        dropped: list[int] = []
        following: int | None = pending
        as_of = milliseconds(self.entry.raw.get("asof"))
        for moment in (self._limit,) if as_of is None else (as_of, self._limit):
            if following is None or len(dropped) == count or self.schedule.due_ms(following) > moment:
                continue
            todo = self._plan(following, moment)
            taken, left = todo.fires[: count - len(dropped)], todo.fires[count - len(dropped) :]
            if not taken:
                continue
            for gap in todo.gaps:
                if not left or gap.last < left[0]:
                    self._passed(gap)
            self._passed(Gap(reason=Reason.OPERATOR, first=taken[0], last=taken[-1], count=len(taken)))
            dropped += taken
            following = left[0] if left else todo.next
        if dropped:
            lag = 0 if following is None else self.schedule.due_ms(following) - following
            self.moves = {"moves": True, "nominal": following, "lag": lag}
            self.changes["asof"] = ""
        return dropped, following

    def _plan(self, pending: int, as_of: int) -> Plan:
        schedule, policies = self.schedule, self._policies
        if schedule.policies.is_used_up(self.entry.fired_count):
            return Plan()
        given = (schedule.recurrence, pending, as_of, policies)
        return plan(*given, offset=schedule.offset_ms, holes=self._holes)

    def _ahead(self, pending: int, claimed: bool, count: int) -> list[int]:
        """Answer the next times from the pending one on; of what is due and stays, nothing fires or it is in hand."""
        schedule = self.schedule
        if schedule.policies.is_used_up(self.entry.fired_count):
            return []
        due = claimed or schedule.due_ms(pending) <= self._limit
        after = max(pending, self.now) if due else pending - 1
        times = upcoming(schedule.recurrence, pending, after, self._policies, holes=self._holes)
        return list(islice(times, count))

    def _passed(self, gap: Gap) -> None:
        self.gaps.append(gap)
        if gap.reason in SKIPS:
            self.changes["last_outcome"] = "skipped"
            self.skipped += gap.count
            self.letters = LETTERS["skipped"] + self.letters
            self.lines.append(skip_line(gap.reason, gap.first, gap.count, nominal=gap.last, at=self.now))
            return
        rows = [f"{row.first}-{row.last}-{row.count}" for row in self._holes.rows(self.schedule.grid, gap)]
        kept = self.changes.get("missed", self.entry.raw.get("missed", "")).split()
        self.changes["missed"] = " ".join([*reversed(rows), *kept][:20])
        self.changes["missed_count"] = self.changes.get("missed_count", self.entry.missed_count) + gap.count
        self.changes["last_outcome"] = "missed"
        self.letters = LETTERS["missed"] + self.letters
        first = gap.first if gap.first != gap.last else None
        values = {"nominal": gap.last, "first": first, "count": gap.count}
        self.lines.append(line(at=self.now, outcome="missed", reason=gap.reason, **values))

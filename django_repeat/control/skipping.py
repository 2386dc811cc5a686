"""Skip the next nominal times of a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from django_repeat.codec import LETTERS, line, milliseconds
from django_repeat.codec import skip as skip_line
from django_repeat.control.deciding import Order, carry_out, rev
from django_repeat.entry import Entry
from django_repeat.exceptions import Conflict
from django_repeat.instants import from_ms
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.plan import Gap, Holes, Plan, plan, upcoming
from django_repeat.reason import SKIPS, Reason
from django_repeat.registry import Decision
from django_repeat.schedule import Schedule

MOST = 100
MOST_AHEAD = 1_000


def skip(name: str, count: int = 1, *, queue: str = DEFAULT_QUEUE, by: str = "", reason: str = "") -> list[datetime]:
    """Drop the next ``count`` nominal times that would fire, 100 at most; answer which.

    One that is due and in no ticker's hand is dropped at once, also one that an engine refuses again and again. What a
    ticker has in hand still runs. The cadence stays. Fewer are answered where the schedule ends before; Conflict if
    there is none, if the record is damaged or not ours; ScheduleNotFound, RegistryUnavailable.
    """
    if type(count) is not int or not 1 <= count <= MOST:
        raise ValueError(f"count: give a whole number from 1 to {MOST}, not {count!r:.40}.")
    order = Order(verb="skip", name=name, queue=queue, by=by, reason=reason)
    dropped: list[int] = []

    def decide(entry: Entry, now: int) -> Decision:
        if entry.schedule is None:
            raise Conflict(f"Schedule {name!r} cannot be read ({entry.broken_reason}): its next times are unknown.")
        dropping = _Dropping(entry=entry, schedule=entry.schedule, now=now)
        dropped[:] = dropping.drop(count)
        if not dropped:
            raise Conflict(f"Schedule {name!r} has no further times to skip.")
        if len(dropping.instants) > MOST_AHEAD:
            raise Conflict(f"Schedule {name!r} has {MOST_AHEAD:,} skipped times ahead; pause it instead.")
        said = order.line(now, first=dropped[0], nominal=dropped[-1], count=len(dropped))
        return dropping.decision(said)

    carry_out(order, decide)
    return [from_ms(one) for one in dropped]


@dataclass
class _Dropping:
    """What is dropped of one entry: a time that waits, those that are due, and instants ahead."""

    entry: Entry
    schedule: Schedule
    now: int
    instants: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    letters: str = ""
    skipped: int = 0
    changes: dict[str, Any] = field(default_factory=dict)
    moves: dict[str, Any] = field(default_factory=dict)

    def drop(self, count: int) -> list[int]:
        holes = Holes.read(self.entry.raw.get("holes", ""))
        self.instants = list(holes.instants)
        found = [*self._waiting()][:count]
        pending, after = milliseconds(self.entry.raw.get("nominal")), self.now
        claimed = "fence" in self.entry.raw
        if pending is not None and not claimed and len(found) < count and self.schedule.due_ms(pending) <= self.now:
            due = self._due(pending, holes, count - len(found))
            found += due
        elif pending is not None and pending <= self.now and not claimed:
            after = pending - 1  # its spread puts it off until later
        ended = self.moves.get("nominal", pending) is None
        if pending is not None and len(found) < count and not ended:
            ahead = self._ahead(pending, after, holes, count - len(found))
            self.instants += ahead
            found += ahead
        self.changes["holes"] = str(Holes.of(holes.windows, self.instants))
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

    def _waiting(self) -> Iterator[int]:
        waiting = milliseconds(self.entry.raw.get("wait"))
        if waiting is not None and "fence" not in self.entry.raw:
            self.changes.update(wait="", poll="")
            self._passed(Gap(reason=Reason.OPERATOR, first=waiting, last=waiting, count=1))
            yield waiting

    def _due(self, pending: int, holes: Holes, count: int) -> list[int]:
        """Answer what is dropped of what is due; the rest is planned again from the first that is left."""
        todo = self._plan(pending, holes)
        dropped, left = list(todo.fires[:count]), todo.fires[count:]
        if not dropped:
            return []
        for gap in todo.gaps:
            if not left or gap.last < left[0]:
                self._passed(gap)
        self._passed(Gap(reason=Reason.OPERATOR, first=dropped[0], last=dropped[-1], count=len(dropped)))
        following = left[0] if left else todo.next
        lag = 0 if following is None else self.schedule.due_ms(following) - following
        self.moves = {"moves": True, "nominal": following, "lag": lag}
        self.changes["asof"] = ""
        return dropped

    def _plan(self, pending: int, holes: Holes) -> Plan:
        schedule, as_of = self.schedule, milliseconds(self.entry.raw.get("asof"))
        return plan(
            schedule.recurrence,
            pending,
            self.now if as_of is None else as_of,
            schedule.policies,
            fired=self.entry.fired_count,
            offset=schedule.offset_ms,
            holes=holes,
        )

    def _ahead(self, pending: int, after: int, holes: Holes, count: int) -> list[int]:
        schedule = self.schedule
        fired = self.entry.fired_count
        times = upcoming(schedule.recurrence, pending, after, schedule.policies, fired=fired, holes=holes)
        return list(islice(times, count))

    def _passed(self, gap: Gap) -> None:
        if gap.reason in SKIPS:
            self.skipped += gap.count
            self.letters = LETTERS["skipped"] + self.letters
            self.lines.append(skip_line(gap.reason, gap.first, gap.count, nominal=gap.last, at=self.now))
            return
        missed = self.changes.get("missed_count", self.entry.missed_count) + gap.count
        ranges = f"{gap.first}-{gap.last}-{gap.count} {self.changes.get('missed', self.entry.raw.get('missed', ''))}"
        self.changes.update(missed_count=missed, missed=" ".join(ranges.split()[:20]))
        self.letters = LETTERS["missed"] + self.letters
        values = {"nominal": gap.last, "first": gap.first, "count": gap.count}
        self.lines.append(line(at=self.now, outcome="missed", reason=gap.reason, **values))

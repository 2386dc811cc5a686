"""How far a claim has come, and what is to be written for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django_repeat.codec import LETTERS
from django_repeat.occurrence import Occurrence
from django_repeat.plan import Gap, Plan, plan
from django_repeat.policies import Overlap
from django_repeat.reason import SKIPS
from django_repeat.registry import Claim, Ended, Release, Settlement, ended
from django_repeat.schedule import Schedule
from django_repeat.ticker.report import backoff

# How often an engine is asked about a run that others wait for: after a twentieth of its time so far, within these.
SHORTEST_POLL_MS, LONGEST_POLL_MS = 1_000, 30_000


@dataclass
class Course:
    """One claim on its way: what was decided so far, up to ``last``, and ``rest``, the nominal time that is next.

    ``busy`` while a run has not ended and no other may begin; ``waiting`` is the nominal time that waits for that.
    ``tried`` is the one that an engine was asked to take last.
    """

    claim: Claim
    schedule: Schedule
    rest: int | None
    busy: bool = False
    waiting: int | None = None
    tried: int | None = None
    fired: list[Occurrence] = field(default_factory=list)
    missed: int = 0
    skipped: int = 0
    declined: int = 0
    result: str = ""
    lines: list[str] = field(default_factory=list)
    letters: str = ""
    ranges: list[str] = field(default_factory=list)
    last: int | None = None
    todo: Plan = field(default_factory=Plan)

    @property
    def began(self) -> bool:
        """Answer whether an occurrence has been decided on."""
        return bool(self.fired or self.declined)

    @property
    def failures(self) -> int:
        """Answer the failures in a row: what came of the claim ends the row."""
        return 0 if self.began else self.claim.failures

    @property
    def following(self) -> int | None:
        """Answer the nominal time after all that was decided, whatever the bounds of the schedule."""
        return self.rest if self.last is None else self.schedule.grid.after_ms(self.last, self.last)

    @property
    def one_at_a_time(self) -> bool:
        """Answer whether no run may begin while another is on its way."""
        return self.schedule.policies.overlap is not Overlap.ALLOW

    def plan(self) -> Plan:
        """Answer the plan of what is left, which is then carried out."""
        self.todo = plan(
            self.schedule.recurrence,
            self.rest,
            self.claim.as_of,
            self.schedule.policies,
            fired=self.claim.fired_count + len(self.fired),
            offset=self.schedule.offset_ms,
            holes=self.claim.holes,
            busy=self.busy,
            waiting=self.waiting,
            inherited=not self.claim.first,
        )
        return self.todo

    def took(self, occurrence: Occurrence, result: str) -> None:
        """Keep that an engine took an occurrence."""
        self.fired.append(occurrence)
        self.result = result
        self.busy = self.one_at_a_time
        self.letters = LETTERS["fired"] + self.letters

    def passed(self, gap: Gap, line: str) -> None:
        """Keep that nominal times passed without firing."""
        if gap.reason in SKIPS:
            self.skipped += gap.count
            self.letters = LETTERS["skipped"] + self.letters
        else:
            self.missed += gap.count
            self.letters = LETTERS["missed"] + self.letters
            for row in self.claim.holes.rows(self.schedule.grid, gap):
                self.ranges.insert(0, f"{row.first}-{row.last}-{row.count}")
        self.lines.append(line)

    def settlement(self, following: int | None, now: int) -> Settlement:
        """Answer what to write when the plan is carried out; ``following`` is the nominal time after it, if any."""
        came_to = self._came_to(now)
        if following is None:
            return Settlement(**came_to, next=None, digest=self.claim.digest, beyond=self.following)
        lag = self.schedule.due_ms(following) - following
        return Settlement(**came_to, next=following, lag=lag, digest=self.claim.digest)

    def release(self, now: int) -> Release:
        """Answer what to write when it is to go on later: nothing was enqueued for the rest."""
        return Release(**self._came_to(now), rest=self.rest, left=self._left(now), forget=self.claim.first)

    def failed(self, line: str, error: str, *, now: int, certain: bool, broken: bool) -> Release:
        """Answer what to write when the rest failed; ``certain`` if nothing can have been enqueued for it."""
        written = failure(self.failures, error, broken=broken)
        self.lines.append(line)
        self.letters = written.pop("letters") + self.letters
        forget = certain and self.claim.first
        if not self.began:
            return Release(**self._came_to(now), forget=forget, **written)
        return Release(**self._came_to(now), rest=self.rest, left=self._left(now), forget=forget, **written)

    def _left(self, at: int) -> Ended:
        """Answer what of the plan is not carried out: from ``rest`` on."""
        rest = self.rest or 0
        fires = tuple(nominal for nominal in self.todo.fires if nominal >= rest)
        return ended(Plan(fires=fires, gaps=tuple(gap for gap in self.todo.gaps if gap.first > rest)), at)

    def _came_to(self, now: int) -> dict[str, Any]:
        claim = self.claim
        return {
            "name": claim.name,
            "token": claim.token,
            "nominal": claim.nominal,
            "fired": len(self.fired),
            "missed": self.missed,
            "skipped": self.skipped,
            "fired_nominal": self.fired[-1].nominal_ms if self.fired else None,
            "fired_at": self.fired[-1].fired_ms if self.fired else None,
            "result": self.result,
            "lines": [line for line in self.lines if line],
            "letters": self.letters[:20],
            "ranges": self.ranges[:20],
            "fields": tuple(self._fields(now)) if self.one_at_a_time or claim.waiting is not None else (),
        }

    def _fields(self, now: int) -> Iterable[tuple[str, str | int]]:
        if self.fired and self.one_at_a_time:
            yield "run", f"{self.fired[-1].fired_ms} {self.result}"
        if self.waiting != self.claim.waiting:
            yield "wait", "" if self.waiting is None else self.waiting
        if self.waiting is not None:
            yield "poll", now + self._poll(now)
        elif self.claim.waiting is not None:
            yield "poll", ""

    def _poll(self, now: int) -> int:
        begun = [int(run.split(" ")[0]) for run in self.claim.runs if not self.fired]
        return max(SHORTEST_POLL_MS, min(LONGEST_POLL_MS, (now - max(begun, default=now)) // 20))


def failure(failures: int, error: str, *, broken: bool) -> dict[str, Any]:
    """Answer what is written of the ``failures + 1``-th failure in a row."""
    return {
        "backoff": backoff(failures),
        "error": error[:1_000],
        "broken": error[:1_000] if broken else "",
        "letters": "" if failures else LETTERS["failed"],
    }

"""How far a claim has come, and what is to be written for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django_repeat.occurrence import Occurrence
from django_repeat.plan import Gap, Plan, plan
from django_repeat.registry import Claim, Ended, Release, Settlement, ended
from django_repeat.schedule import Schedule
from django_repeat.ticker.report import backoff


@dataclass
class Course:
    """One claim on its way: what was decided so far, up to ``last``, and ``rest``, the nominal time that is next."""

    claim: Claim
    schedule: Schedule
    rest: int
    fired: list[Occurrence] = field(default_factory=list)
    missed: int = 0
    skipped: int = 0
    result: str = ""
    lines: list[str] = field(default_factory=list)
    last: int | None = None
    todo: Plan = field(default_factory=Plan)

    @property
    def began(self) -> bool:
        """Answer whether an occurrence has been decided on."""
        return bool(self.fired or self.skipped)

    @property
    def failures(self) -> int:
        """Answer the failures in a row: what came of the claim ends the row."""
        return 0 if self.began else self.claim.failures

    @property
    def following(self) -> int | None:
        """Answer the nominal time after all that was decided, whatever the bounds of the schedule."""
        return self.rest if self.last is None else self.schedule.grid.after_ms(self.last, self.last)

    def plan(self) -> Plan:
        """Answer the plan of what is left, which is then carried out."""
        schedule, fired = self.schedule, self.claim.fired_count + len(self.fired)
        self.todo = plan(
            schedule.grid, self.rest, self.claim.as_of, schedule.policies, fired=fired, offset=schedule.offset_ms
        )
        return self.todo

    def settlement(self, following: int | None) -> Settlement:
        """Answer what to write when the plan is carried out; ``following`` is the nominal time after it, if any."""
        if following is None:
            return Settlement(**self._came_to(), next=None, digest=self.claim.digest, beyond=self.following)
        lag = self.schedule.due_ms(following) - following
        return Settlement(**self._came_to(), next=following, lag=lag, digest=self.claim.digest)

    def release(self, at: int) -> Release:
        """Answer what to write when it is to go on later: nothing was enqueued for the rest."""
        return Release(**self._came_to(), rest=self.rest, left=self._left(at), forget=self.claim.first)

    def failed(self, line: str, error: str, at: int, *, certain: bool, broken: bool) -> Release:
        """Answer what to write when the rest failed; ``certain`` if nothing can have been enqueued for it."""
        written = failure(self.failures, error, broken=broken)
        self.lines.append(line)
        forget = certain and self.claim.first
        if not self.began:
            return Release(**self._came_to(), forget=forget, **written)
        return Release(**self._came_to(), rest=self.rest, left=self._left(at), forget=forget, **written)

    def _left(self, at: int) -> Ended:
        """Answer what of the plan is not carried out: from ``rest`` on."""
        fires = tuple(nominal for nominal in self.todo.fires if nominal >= self.rest)
        return ended(Plan(fires=fires, gaps=tuple(after(self.todo.gaps, self.rest))), at)

    def _came_to(self) -> dict[str, Any]:
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
        }


def failure(failures: int, error: str, *, broken: bool) -> dict[str, Any]:
    """Answer what is written of the ``failures + 1``-th failure in a row."""
    return {"backoff": backoff(failures), "error": error[:1_000], "broken": error[:1_000] if broken else ""}


def before(gaps: Iterable[Gap], nominal: int) -> list[Gap]:
    """Answer the gaps that lie before a nominal time."""
    return [gap for gap in gaps if gap.last < nominal]


def after(gaps: Iterable[Gap], nominal: int) -> list[Gap]:
    """Answer the gaps that lie after a nominal time."""
    return [gap for gap in gaps if gap.first > nominal]

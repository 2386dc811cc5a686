"""What a ticker does with one claim: read the definition, plan, fire, and say what is to be written."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django_repeat.codec import decode
from django_repeat.dispatch import Dispatcher
from django_repeat.exceptions import DispatchFailed, InvalidSchedule
from django_repeat.occurrence import Occurrence
from django_repeat.plan import Gap, Plan
from django_repeat.reason import SKIPS, Reason
from django_repeat.registry import Claim, Release, Settlement
from django_repeat.schedule import Schedule
from django_repeat.ticker.course import Course, failure
from django_repeat.ticker.pace import Pace
from django_repeat.ticker.report import Report

logger = logging.getLogger("django_repeat")

# Definitions read once; about two kilobytes each.
REMEMBERED = 20_000


class Firing:
    """Turn claims of one queue into settlements and releases."""

    def __init__(
        self, *, queue: str, ticker: str, dispatcher: Dispatcher, now: Callable[[Claim], int], logged: bool
    ) -> None:
        self._queue = queue
        self._report = Report(queue=queue, ticker=ticker, logged=logged)
        self._dispatcher = dispatcher
        self._now = now
        self._known: dict[str, tuple[tuple[Any, ...], Schedule]] = {}

    def fire(self, claim: Claim, pace: Pace) -> tuple[Settlement | Release, list[Occurrence]]:
        """Fire what a claim's plan says, as far as the pace allows; answer what to write for it, and what fired.

        Never raises for what one entry holds or its engine does: such a claim is released with a back-off.
        """
        try:
            schedule = self._schedule(claim)
        except InvalidSchedule as error:
            return self._unreadable(claim, str(error)), []
        except Exception as error:  # noqa: BLE001 - one entry must never stop the others
            return self._unreadable(claim, self._unexpected(claim, error)), []
        course = Course(claim=claim, schedule=schedule, rest=claim.nominal, waiting=claim.waiting)
        try:
            return self._carry_out(course, pace), course.fired
        except DispatchFailed as error:
            return self._refused(course, error), course.fired
        except Exception as error:  # noqa: BLE001 - likewise
            # Where it went wrong is not known, so neither is whether something was enqueued.
            return self._broken(course, self._unexpected(claim, error)), course.fired

    def _schedule(self, claim: Claim) -> Schedule:
        known = self._known.get(claim.name)
        if known is None or known[0] != claim.definition:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._known[claim.name] = claim.definition, decode(claim.name, self._queue, claim.fields)
        return known[1]

    def _carry_out(self, course: Course, pace: Pace) -> Settlement | Release:
        if course.one_at_a_time and course.claim.runs:
            course.busy = self._dispatcher.is_busy(course.schedule, course.claim.runs, self._now(course.claim))
        todo = course.plan()
        if todo.queued is not None:
            self._decide(course, todo.queued, [])
            course.waiting = None
            pace.took()
            # If its condition said no, its place goes to one that is due.
            todo = course.plan()
        while todo.fires:
            declined, gaps = course.declined, list(todo.gaps)
            for nominal in todo.fires:
                course.rest = nominal
                if course.began and (pace.is_over or pace.is_full):
                    return course.release(self._now(course.claim))
                earlier = [gap for gap in gaps if gap.last < nominal]
                self._decide(course, nominal, earlier)
                gaps = [gap for gap in gaps if gap.last >= nominal]
                course.last = nominal
                pace.took()
            another = course.schedule.policies.max_runs is not None or course.one_at_a_time
            if course.declined == declined or not another or course.following is None:
                return self._done(course, gaps, todo)
            # What was skipped leaves its place to a later one.
            course.rest = course.following
            todo = course.plan()
        return self._done(course, todo.gaps, todo)

    def _done(self, course: Course, gaps: Iterable[Gap], todo: Plan) -> Settlement:
        for gap in gaps:
            self._pass(course, gap)
        course.waiting = todo.waits
        return course.settlement(todo.next, self._now(course.claim))

    def _decide(self, course: Course, nominal: int, gaps: Sequence[Gap]) -> None:
        """Fire one nominal time, or skip it; what passed before it is said once that is done."""
        occurrence = Occurrence(
            schedule=course.schedule,
            nominal_ms=nominal,
            fired_ms=self._now(course.claim),
            missed_count=sum(gap.count for gap in gaps if gap.reason not in SKIPS),
        )
        course.tried = nominal
        agrees = self._dispatcher.agrees(occurrence)
        result = self._dispatcher.fire(occurrence) if agrees else ""
        for gap in gaps:
            self._pass(course, gap)
        if agrees:
            course.took(occurrence, result)
            course.lines.append(self._report.fired(occurrence, result))
        else:
            course.declined += 1
            self._pass(course, Gap(reason=Reason.CONDITION, first=nominal, last=nominal, count=1))

    def _pass(self, course: Course, gap: Gap) -> None:
        course.last = max(course.last or 0, gap.last)
        course.passed(gap, self._report.passed(course.claim.name, gap, self._now(course.claim)))

    def _refused(self, course: Course, error: DispatchFailed) -> Release:
        claim, failures, now = course.claim, course.failures, self._now(course.claim)
        untried = course.tried is None
        nominal = course.rest if untried else course.tried
        line = self._report.refused(claim, nominal, error, failures, now)
        # Certain: the entry itself is at fault (its task cannot be found), and is marked. Untried: only the question
        # whether a run has ended failed. Either way nothing can have been enqueued.
        certain = error.certain or untried
        return course.failed(line, str(error), now=now, certain=certain, broken=error.certain)

    def _broken(self, course: Course, why: str) -> Release:
        now = self._now(course.claim)
        return course.failed(self._report.broken(course.claim, why, now), why, now=now, certain=False, broken=True)

    def _unreadable(self, claim: Claim, why: str) -> Release:
        line = self._report.broken(claim, why, self._now(claim))
        return Release(
            name=claim.name,
            token=claim.token,
            nominal=claim.nominal,
            lines=[line] if line else (),
            forget=claim.first,
            **failure(claim.failures, why, broken=True),
        )

    def _unexpected(self, claim: Claim, error: Exception) -> str:
        logger.error("entry failed: queue=%s name=%r", self._queue, claim.name, exc_info=error)
        return type(error).__name__

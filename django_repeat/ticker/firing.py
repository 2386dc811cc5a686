"""What a ticker does with one claim: read the definition, plan, fire, and say what is to be written."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django_repeat import signals
from django_repeat.codec import decode, line
from django_repeat.dispatch import Dispatcher
from django_repeat.exceptions import DispatchFailed, InvalidSchedule
from django_repeat.occurrence import Occurrence
from django_repeat.plan import Plan, plan
from django_repeat.registry import Claim, Release, Settlement
from django_repeat.schedule import Schedule

logger = logging.getLogger("django_repeat")

LONGEST_BACKOFF_MS = 60_000
# Definitions read once; about two kilobytes each.
REMEMBERED = 20_000


def backoff(failures: int) -> int:
    """Answer the wait after the ``failures + 1``-th failure in a row: one second, doubling to a minute."""
    return min(LONGEST_BACKOFF_MS, 1_000 << min(failures, 6))


class Firing:
    """Turn claims of one queue into settlements and releases."""

    def __init__(
        self, *, queue: str, ticker: str, dispatcher: Dispatcher, now: Callable[[Claim], int], logged: bool
    ) -> None:
        self._queue = queue
        self._ticker = ticker
        self._dispatcher = dispatcher
        self._now = now
        self._logged = logged
        self._known: dict[str, tuple[tuple[Any, ...], Schedule]] = {}

    def fire(self, claim: Claim) -> tuple[Settlement | Release, list[Occurrence]]:
        """Fire what a claim's plan says; answer what to write for it, and what fired.

        Never raises for what one entry holds or its engine does: such a claim is released with a back-off.
        """
        try:
            schedule = self._schedule(claim)
            todo = plan(schedule.recurrence, claim.nominal, claim.as_of)
            return self._dispatch(claim, schedule, todo)
        except InvalidSchedule as error:
            return self._broken(claim, str(error)), []
        except DispatchFailed as error:
            return self._failed(claim, error), []
        except Exception as error:  # one entry must never stop the others
            logger.exception("entry failed: queue=%s name=%r", self._queue, claim.name)
            # Where it went wrong is not known, so neither is whether something was enqueued.
            return self._broken(claim, type(error).__name__, certain=False), []

    def _schedule(self, claim: Claim) -> Schedule:
        known = self._known.get(claim.name)
        if known is None or known[0] != claim.definition:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._known[claim.name] = claim.definition, decode(claim.name, self._queue, claim.fields)
        return known[1]

    def _dispatch(self, claim: Claim, schedule: Schedule, todo: Plan) -> tuple[Settlement | Release, list[Occurrence]]:
        fired, lines, result = [], [], ""
        for nominal in todo.fires:
            occurrence = Occurrence(
                schedule=schedule, nominal_ms=nominal, fired_ms=self._now(claim), missed_count=todo.missed
            )
            result = self._dispatcher.fire(occurrence)
            fired.append(occurrence)
            lines.append(self._fired(occurrence, result))
        if todo.missed:
            lines.insert(0, self._missed(claim, todo))
        settlement = Settlement(
            name=claim.name,
            token=claim.token,
            nominal=claim.nominal,
            next=todo.next,
            fired=len(fired),
            missed=todo.missed,
            fired_nominal=fired[-1].nominal_ms if fired else None,
            result=result,
            lines=lines if self._logged else (),
        )
        return settlement, fired

    def _fired(self, occurrence: Occurrence, result: str) -> str:
        late = occurrence.late_ms
        signals.occurrence_fired.send_robust(Firing, occurrence=occurrence, result_id=result, late_ms=late)
        return self._line(
            nominal=occurrence.nominal_ms,
            at=occurrence.fired_ms,
            outcome="fired",
            late=late,
            missed=occurrence.missed_count,
            result=result,
            trigger=occurrence.trigger,
        )

    def _missed(self, claim: Claim, todo: Plan) -> str:
        first, last = todo.first_missed, todo.last_missed
        signals.occurrences_missed.send_robust(
            Firing, queue=self._queue, name=claim.name, first=first, last=last, count=todo.missed, reason="coalesced"
        )
        return self._line(
            nominal=last,
            at=self._now(claim),
            outcome="missed",
            reason="coalesced",
            first=first if first != last else None,
            count=todo.missed,
        )

    def _broken(self, claim: Claim, reason: str, *, certain: bool = True) -> Release:
        signals.entry_broken.send_robust(
            Firing, queue=self._queue, name=claim.name, reason=reason, attempt=claim.failures + 1
        )
        return self._release(claim, reason, "broken", broken=reason, certain=certain)

    def _failed(self, claim: Claim, error: DispatchFailed) -> Release:
        reason = str(error)
        signals.dispatch_failed.send_robust(
            Firing,
            queue=self._queue,
            name=claim.name,
            nominal=claim.nominal,
            error=error,
            attempt=claim.failures + 1,
            retry_ms=backoff(claim.failures),
        )
        # Nothing can have been enqueued: the entry itself is at fault (its task cannot be found), and is marked.
        broken = reason if error.certain else ""
        return self._release(claim, reason, "engine_error", broken=broken, certain=error.certain)

    def _release(self, claim: Claim, error: str, reason: str, *, broken: str, certain: bool) -> Release:
        # One line for a row of failures: sixty in an hour would push everything else out of the run log.
        written = "" if claim.failures else self._line(
            nominal=claim.nominal, at=self._now(claim), outcome="failed", reason=reason, error=error[:200]
        )  # fmt: skip
        return Release(
            name=claim.name,
            token=claim.token,
            nominal=claim.nominal,
            backoff=backoff(claim.failures),
            error=error[:1_000],
            broken=broken[:1_000],
            forget=certain and claim.first,
            line=written,
        )

    def _line(self, **values: Any) -> str:
        """Answer a run log line, or "" where none are kept."""
        return line(**values, ticker=self._ticker) if self._logged else ""

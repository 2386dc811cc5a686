"""What a ticker says of its decisions: a signal for each, and its line in the run log."""

from __future__ import annotations

from typing import Any

from django_repeat import signals
from django_repeat.codec import line, skip
from django_repeat.exceptions import DispatchFailed
from django_repeat.occurrence import Occurrence
from django_repeat.plan import Gap
from django_repeat.reason import SKIPS, Reason
from django_repeat.registry import Claim

LONGEST_BACKOFF_MS = 60_000


def backoff(failures: int) -> int:
    """Answer the wait after the ``failures + 1``-th failure in a row: one second, doubling to a minute."""
    return min(LONGEST_BACKOFF_MS, 1_000 << min(failures, 6))


class Report:
    """Say what became of occurrences of one queue; each verb answers the run log line, "" where none are kept."""

    def __init__(self, *, queue: str, ticker: str, logged: bool) -> None:
        self._queue = queue
        self._ticker = ticker
        self._logged = logged

    def fired(self, occurrence: Occurrence, result: str) -> str:
        """An engine took it."""
        late = occurrence.late_ms
        signals.occurrence_fired.send_robust(Report, occurrence=occurrence, result_id=result, late_ms=late)
        return self._line(
            nominal=occurrence.nominal_ms,
            at=occurrence.fired_ms,
            outcome="fired",
            late=late,
            missed=occurrence.missed_count,
            result=result,
            trigger=occurrence.trigger,
        )

    def passed(self, name: str, gap: Gap, at: int) -> str:
        """Nominal times passed without firing: skipped by intent, or missed."""
        if gap.reason in SKIPS:
            signals.occurrences_skipped.send_robust(
                Report, queue=self._queue, name=name, first=gap.first, last=gap.last, count=gap.count, reason=gap.reason
            )
            if not self._logged:
                return ""
            return skip(gap.reason, gap.first, gap.count, nominal=gap.last, at=at, ticker=self._ticker)
        signals.occurrences_missed.send_robust(
            Report, queue=self._queue, name=name, first=gap.first, last=gap.last, count=gap.count, reason=gap.reason
        )
        return self._line(
            nominal=gap.last,
            at=at,
            outcome="missed",
            reason=gap.reason,
            first=gap.first if gap.first != gap.last else None,
            count=gap.count,
        )

    def refused(self, claim: Claim, nominal: int | None, error: DispatchFailed, failures: int, at: int) -> str:
        """The engine did not take it, for the ``failures + 1``-th time in a row."""
        signals.dispatch_failed.send_robust(
            Report,
            queue=self._queue,
            name=claim.name,
            nominal=nominal,
            error=error,
            attempt=failures + 1,
            retry_ms=backoff(failures),
        )
        return self._failed(nominal, Reason.ENGINE_ERROR, str(error), failures, at)

    def broken(self, claim: Claim, why: str, at: int) -> str:
        """The entry cannot be read."""
        signals.entry_broken.send_robust(
            Report, queue=self._queue, name=claim.name, reason=why, attempt=claim.failures + 1
        )
        return self._failed(claim.nominal, Reason.BROKEN, why, claim.failures, at)

    def _failed(self, nominal: int | None, reason: Reason, error: str, failures: int, at: int) -> str:
        # One line for a row of failures: sixty in an hour would push everything else out of the run log.
        if failures:
            return ""
        return self._line(nominal=nominal, at=at, outcome="failed", reason=reason, error=error[:200])

    def _line(self, **values: Any) -> str:
        return line(**values, ticker=self._ticker) if self._logged else ""

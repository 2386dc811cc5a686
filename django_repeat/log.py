"""Log lines: receivers of every signal, on the logger ``django_repeat``.

Names, reasons and errors are other people's text: ``%r`` keeps them on their line, so none can forge another.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from django.dispatch import Signal

from django_repeat import signals
from django_repeat.answer import Answer
from django_repeat.instants import iso
from django_repeat.masking import masked

logger = logging.getLogger("django_repeat")

CHANGES = (Answer.REGISTERED, Answer.UPDATED, Answer.CANCELLED)


def connect() -> None:
    """Let every signal write its line; called again it changes nothing."""
    for signal, receiver in RECEIVERS.items():
        signal.connect(receiver, dispatch_uid=f"django_repeat.log.{receiver.__name__}")


def is_worth_a_line(attempt: int) -> bool:
    """Answer whether this attempt of a failure that goes on is logged: the first three, then powers of two."""
    return attempt <= 3 or attempt & (attempt - 1) == 0


def _thinned(attempt: int) -> int:
    return logging.ERROR if is_worth_a_line(attempt) else logging.DEBUG


def _when(ms: Any) -> str:
    try:
        return iso(ms)
    except (OverflowError, TypeError, ValueError):
        return repr(ms)


def _said(error: object) -> str:
    return str(masked(str(error)))


def _registered(*, queue: str, name: str, answer: Answer, **_: Any) -> None:
    logger.debug("schedule registered: queue=%s name=%r answer=%s", queue, name, answer)


def _synced(*, answers: Mapping[tuple[str, str], Answer], **_: Any) -> None:
    counts = Counter(str(answer) for answer in answers.values())
    level = logging.INFO if any(counts[answer] for answer in CHANGES) else logging.DEBUG
    text = " ".join([f"total={counts.total()}", *(f"{answer}={counts[answer]}" for answer in Answer if counts[answer])])
    logger.log(level, "schedules synced: %s", text)


def _sync_failed(*, error: object, role: str, **_: Any) -> None:
    logger.warning("schedules not synced: role=%s error=%r", role, _said(error))


def _fired(*, occurrence: Any, result_id: str, late_ms: int, **_: Any) -> None:
    if logger.isEnabledFor(logging.INFO):
        logger.info(
            "occurrence fired: queue=%s name=%r nominal=%s late_ms=%d trigger=%s result=%r",
            occurrence.schedule.queue,
            occurrence.schedule.name,
            _when(occurrence.nominal_ms),
            late_ms,
            occurrence.trigger,
            result_id,
        )


def _missed(*, queue: str, name: str, first: int, last: int, count: int, reason: str, **_: Any) -> None:
    logger.warning(
        "occurrences missed: queue=%s name=%r count=%d first=%s last=%s reason=%r",
        queue,
        name,
        count,
        _when(first),
        _when(last),
        str(reason),
    )


def _skipped(*, queue: str, name: str, first: int, last: int, count: int, reason: str, **_: Any) -> None:
    logger.info(
        "occurrences skipped: queue=%s name=%r count=%d first=%s last=%s reason=%r",
        queue,
        name,
        count,
        _when(first),
        _when(last),
        str(reason),
    )


def _decided(*, queue: str, name: str | None, verb: str, by: str, reason: str, **_: Any) -> None:
    logger.info("operator decided: queue=%s name=%r verb=%s by=%r reason=%r", queue, name, verb, by, reason)


def _failed(*, queue: str, name: str, nominal: int, error: object, attempt: int, retry_ms: int, **_: Any) -> None:
    logger.log(
        _thinned(attempt),
        "dispatch failed: queue=%s name=%r nominal=%s attempt=%d retry_ms=%d error=%r",
        queue,
        name,
        _when(nominal),
        attempt,
        retry_ms,
        _said(error),
    )


def _broken(*, queue: str, name: str, reason: str, attempt: int, **_: Any) -> None:
    logger.log(
        _thinned(attempt), "entry broken: queue=%s name=%r attempt=%d reason=%r", queue, name, attempt, _said(reason)
    )


def _claim_lost(*, queue: str, name: str, step: str, **_: Any) -> None:
    logger.debug("claim lost: queue=%s name=%r step=%s", queue, name, step)


def _started(*, ticker: str, queues: Any, **_: Any) -> None:
    logger.info("ticker started: ticker=%s queues=%s", ticker, ",".join(queues))


def _stopped(*, ticker: str, **_: Any) -> None:
    logger.info("ticker stopped: ticker=%s", ticker)


def _clocks_differed(*, host: int, server: int, **_: Any) -> None:
    logger.warning("clocks differ: host=%s server=%s seconds=%.1f", _when(host), _when(server), (host - server) / 1000)


def _lost(*, error: object, seconds: float, **_: Any) -> None:
    logger.warning("registry lost: seconds=%.1f error=%r", seconds, _said(error))


def _recovered(*, seconds: float, **_: Any) -> None:
    # As loud as the loss, so that the end of an outage is seen wherever its start was.
    logger.warning("registry recovered: seconds=%.1f", seconds)


RECEIVERS: dict[Signal, Callable[..., None]] = {
    signals.schedule_registered: _registered,
    signals.sync_completed: _synced,
    signals.sync_failed: _sync_failed,
    signals.occurrence_fired: _fired,
    signals.occurrences_missed: _missed,
    signals.occurrences_skipped: _skipped,
    signals.operator_decided: _decided,
    signals.dispatch_failed: _failed,
    signals.entry_broken: _broken,
    signals.claim_lost: _claim_lost,
    signals.ticker_started: _started,
    signals.ticker_stopped: _stopped,
    signals.clocks_differed: _clocks_differed,
    signals.registry_lost: _lost,
    signals.registry_recovered: _recovered,
}

from __future__ import annotations

import logging

import pytest

from django_repeat import log, signals
from django_repeat.answer import Answer
from django_repeat.exceptions import DispatchFailed, RegistryUnavailable
from django_repeat.reason import Reason
from tests.engines.making import occurrence

EPOCH = "1970-01-01T00:00:00"
HOSTILE = "x\n2026-01-01 ERROR root: forged \x1b[31m\u2028y"


@pytest.fixture
def lines(caplog):
    """Answer the level and text of each line that a signal writes."""
    log.connect()
    caplog.set_level(logging.DEBUG, "django_repeat")

    def send(signal, **what):
        caplog.clear()
        for _, answer in signal.send_robust(log, **what):
            assert not isinstance(answer, Exception), answer
        return [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "django_repeat"]

    return send


def failed(attempt):
    return {
        "queue": "q",
        "name": "s",
        "nominal": 0,
        "error": DispatchFailed("no"),
        "attempt": attempt,
        "retry_ms": 1000,
    }


def test_every_signal_has_its_line():
    assert set(log.RECEIVERS) == {value for value in vars(signals).values() if isinstance(value, signals.Signal)}


def test_connecting_twice_writes_one_line(lines):
    log.connect()
    assert len(lines(signals.ticker_stopped, ticker="t1")) == 1


@pytest.mark.parametrize(
    "signal, what, level, text",
    [
        (
            signals.schedule_registered,
            {"queue": "q", "name": "s", "answer": Answer.UPDATED},
            "DEBUG",
            "schedule registered: queue=q name='s' answer=updated",
        ),
        (
            signals.sync_failed,
            {"error": RegistryUnavailable("away"), "role": "server"},
            "WARNING",
            "schedules not synced: role=server error='away'",
        ),
        (
            signals.occurrence_fired,
            {"occurrence": occurrence(name="é", nominal=0), "result_id": "r", "late_ms": 5},
            "INFO",
            f"occurrence fired: queue=default name='é' nominal={EPOCH}Z late_ms=5 trigger=schedule result='r'",
        ),
        (
            signals.occurrences_missed,
            {"queue": "q", "name": "s", "first": 0, "last": 500, "count": 2, "reason": ""},
            "WARNING",
            f"occurrences missed: queue=q name='s' count=2 first={EPOCH}Z last={EPOCH}.500Z reason=''",
        ),
        (
            signals.occurrences_skipped,
            {"queue": "q", "name": "é", "first": 0, "last": 500, "count": 2, "reason": Reason.CONDITION},
            "INFO",
            f"occurrences skipped: queue=q name='é' count=2 first={EPOCH}Z last={EPOCH}.500Z reason='condition'",
        ),
        (
            signals.operator_decided,
            {"queue": "q", "name": "é", "verb": "pause", "by": "anna", "reason": "month end\nx"},
            "INFO",
            "operator decided: queue=q name='é' verb=pause by='anna' reason='month end\\nx'",
        ),
        (
            signals.dispatch_failed,
            failed(1),
            "ERROR",
            "dispatch failed: queue=q name='s' nominal=1970-01-01T00:00:00Z attempt=1 retry_ms=1000 error='no'",
        ),
        (
            signals.entry_broken,
            {"queue": "q", "name": "s", "reason": "no cron", "attempt": 1},
            "ERROR",
            "entry broken: queue=q name='s' attempt=1 reason='no cron'",
        ),
        (
            signals.claim_lost,
            {"queue": "q", "name": "s", "step": "claim"},
            "DEBUG",
            "claim lost: queue=q name='s' step=claim",
        ),
        (
            signals.ticker_started,
            {"ticker": "t1", "queues": ["a", "b"]},
            "INFO",
            "ticker started: ticker=t1 queues=a,b",
        ),
        (signals.ticker_stopped, {"ticker": "t1"}, "INFO", "ticker stopped: ticker=t1"),
        (
            signals.clocks_differed,
            {"host": 86_400_000, "server": 100},
            "WARNING",
            "clocks differ: host=1970-01-02T00:00:00Z server=1970-01-01T00:00:00.100Z seconds=86399.9",
        ),
        (
            signals.registry_lost,
            {"error": RegistryUnavailable("away"), "seconds": 30},
            "WARNING",
            "registry lost: seconds=30.0 error='away'",
        ),
        (signals.registry_recovered, {"seconds": 61.24}, "WARNING", "registry recovered: seconds=61.2"),
    ],
)
def test_line(lines, signal, what, level, text):
    assert lines(signal, **what) == [(level, text)]


@pytest.mark.parametrize("signal", [signals.dispatch_failed, signals.entry_broken])
def test_a_failure_that_goes_on_is_an_error_ever_more_rarely(lines, signal):
    loud = []
    for attempt in range(1, 70):
        [(level, _)] = lines(signal, reason="no", **failed(attempt))
        assert level in ("ERROR", "DEBUG")
        if level == "ERROR":
            loud.append(attempt)
    assert loud == [1, 2, 3, 4, 8, 16, 32, 64]


@pytest.mark.parametrize(
    "answers, level, text",
    [
        ([Answer.EXISTS, Answer.REGISTERED, Answer.EXISTS], "INFO", "total=3 registered=1 exists=2"),
        ([Answer.UPDATED], "INFO", "total=1 updated=1"),
        ([Answer.CANCELLED], "INFO", "total=1 cancelled=1"),
        ([Answer.EXISTS, Answer.CONFLICT, Answer.STALE], "DEBUG", "total=3 exists=1 stale=1 conflict=1"),
        ([], "DEBUG", "total=0"),
    ],
)
def test_a_sync_is_one_line_that_is_loud_only_after_a_change(lines, answers, level, text):
    [line] = lines(signals.sync_completed, answers={("q", str(n)): answer for n, answer in enumerate(answers)})
    assert line == (level, f"schedules synced: {text}")


@pytest.mark.parametrize(
    "signal", [signals.dispatch_failed, signals.entry_broken, signals.sync_failed, signals.registry_lost]
)
def test_no_line_holds_a_secret(lines, signal):
    said = "no route to redis://u:s3cret@h"
    [(_, text)] = lines(
        signal, **{**failed(1), "error": DispatchFailed(said)}, reason=said, role="serving", seconds=1.0
    )
    assert "no route to redis://u:********@h" in text


def test_hostile_text_stays_on_its_line(lines):
    for signal in log.RECEIVERS:
        for _, text in lines(
            signal,
            occurrence=occurrence(),
            result_id=HOSTILE,
            late_ms=1,
            answers={("q", HOSTILE): Answer.EXISTS},
            answer=Answer.EXISTS,
            role="server",
            first=0,
            last=10**18,
            count=1,
            reason=HOSTILE,
            verb="skip",
            by=HOSTILE,
            step="claim",
            ticker="t",
            queues=["q"],
            seconds=1,
            host=1,
            server=10**18,
            **{**failed(1), "name": HOSTILE, "error": RuntimeError(HOSTILE)},
        ):
            assert len(text.splitlines()) == 1
            assert "\x1b" not in text


def test_an_instant_beyond_the_calendar_is_shown_as_it_is(lines):
    [(_, text)] = lines(signals.dispatch_failed, **{**failed(1), "nominal": 10**18})
    assert "nominal=1000000000000000000 " in text

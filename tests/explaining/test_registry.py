"""What is explained of a real registry, with real tickers: the sentences are of what happened."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from django_repeat import backfill, explain, get, pause, pause_all, resume, resume_all, service, skip, trigger
from django_repeat.exceptions import ScheduleNotFound
from django_repeat.testing import freeze
from django_repeat.why import explain_entry
from tests.ticker import support
from tests.ticker.minutely import MINUTE, START, put, tick_at
from tests.ticker.support import seconds


@pytest.fixture(autouse=True)
def script(repeat_registry: object) -> Iterator[support.Script]:
    support.SCRIPT.__init__()  # type: ignore[misc]
    with support.scripted():
        yield support.SCRIPT


def minute(number: float) -> datetime:
    return seconds(START, number * MINUTE)


def said(number: float, *, now: float) -> str:
    """Answer what is said ``now`` of a minute after START."""
    with freeze(minute(now)):
        return explain("s", minute(number))


def test_a_life_is_explained() -> None:
    put()
    tick_at(0)
    tick_at(5 * MINUTE + 3)
    assert said(0, now=6).startswith(
        "It fired for 2026-03-01 10:00:00 UTC at 2026-03-01 10:00:00 UTC, on time, by ticker "
    )
    assert said(5, now=6).startswith(
        "It fired for 2026-03-01 10:05:00 UTC at 2026-03-01 10:05:03 UTC, 3s after it fell due"
    )
    for number in range(1, 5):
        assert said(number, now=6).endswith(
            "one of 4 in a row: a later nominal time fired for it, that of 2026-03-01 10:05:00 UTC."
        )
    assert said(5.5, now=6).startswith("It fired for 2026-03-01 10:05:00 UTC")
    assert said(-1, now=6).endswith("or not with these times: the first one known is 2026-03-01 10:00:00 UTC.")
    assert "It has not fired for 2026-03-01 10:06:00 UTC yet: no ticker has decided on it; no ticker serves" in said(
        6, now=6.5
    )
    assert said(7, now=6).startswith("It will fire at 2026-03-01 10:07:00 UTC, in 1m")


def test_what_operators_did_is_explained() -> None:
    put()
    tick_at(0)
    with freeze(minute(0.5)):
        skip("s", by="anna", reason="holiday")
    assert (
        said(1, now=0.6) == "It will not fire at 2026-03-01 10:01:00 UTC; an operator skipped it (by anna: 'holiday')."
    )
    tick_at(2 * MINUTE)
    assert said(1, now=2) == "It skipped 2026-03-01 10:01:00 UTC: an operator skipped it (by anna: 'holiday')."
    with freeze(minute(2.5)):
        pause("s", by="ben", reason="month end", until=minute(5.5))
        assert explain("s").startswith("It is paused (by ben: 'month end') since 2026-03-01 10:02:30 UTC until ")
    assert said(4, now=3).startswith("It will not fire at 2026-03-01 10:04:00 UTC; it is paused (by ben: 'month end') ")
    assert said(4, now=4.5).startswith(
        "It does not fire for 2026-03-01 10:04:00 UTC; it is paused (by ben: 'month end') "
    )
    tick_at(6 * MINUTE)
    assert said(4, now=6) == (
        "It skipped 2026-03-01 10:04:00 UTC, one of 3 in a row: "
        "the schedule, or its queue, was paused (by ben: 'month end')."
    )
    with freeze(minute(6.2)):
        trigger("s", by="cleo")
        backfill("s", minute(4), minute(4), force=True, by="dora")
    assert said(6.2, now=7) == "It was fired by hand at 2026-03-01 10:06:12 UTC (by cleo), as 'result-4'."
    assert said(6, now=7).startswith("It fired for 2026-03-01 10:06:00 UTC ")
    assert said(4, now=7).startswith(
        "It fired for 2026-03-01 10:04:00 UTC afterwards at 2026-03-01 10:06:12 UTC, by a backfill"
    )


def test_a_pause_of_the_queue_is_explained_also_after_its_end() -> None:
    put()
    tick_at(0)
    with freeze(minute(0.5)):
        pause_all(by="anna")
        assert explain("s").startswith(
            "Its whole queue is paused (by anna) since 2026-03-01 10:00:30 UTC until it is resumed"
        )
    with freeze(minute(2.5)):
        resume_all()
    assert said(1, now=2.6) == (
        "It does not fire for 2026-03-01 10:01:00 UTC; the schedule, or its queue, was paused then."
    )


def test_what_fails_is_explained_until_it_fires(script: support.Script) -> None:
    put()
    script.before = support.raising(OSError, times=2)
    tick_at(0)
    text = said(0, now=0.01)
    assert text.startswith(
        "It failed for 2026-03-01 10:00:00 UTC at 2026-03-01 10:00:00 UTC: the engine did not take it: "
    )
    assert text.endswith("it has failed 1 times in a row, and the next try is at 2026-03-01 10:00:01 UTC.")
    tick_at(2)
    with freeze(seconds(START, 3)):
        assert "2 times in a row" in explain("s")
    tick_at(10)
    assert "10s after it fell due" in said(0, now=0.2)
    assert "; at first the engine did not take it: " in said(0, now=0.2)


def test_a_full_run_log_says_how_far_it_reaches() -> None:
    with support.scripted(HISTORY=2):
        put()
        for number in range(4):
            tick_at(number * MINUTE)
        assert said(1, now=4).endswith(
            "the run log is full (HISTORY: 2) and reaches back only to 2026-03-01 10:02:00 UTC."
        )
    with support.scripted(HISTORY=0):
        assert said(1, now=4).endswith("no run log is kept (HISTORY is 0).")


def test_names_that_are_not_there_and_naive_instants_are_refused() -> None:
    put()
    with pytest.raises(ScheduleNotFound, match="Did you mean"):
        explain("ss")
    with pytest.raises(ValueError, match="naive"):
        explain("s", datetime(2026, 3, 1))


def test_a_log_that_was_read_is_not_read_again() -> None:
    put()
    tick_at(0)
    entry, log = get("s"), service.runs("s")
    resume("s")
    with freeze(minute(0.5)):
        assert explain_entry(entry, minute(0), log=log) == explain_entry(entry, minute(0))
        assert "is not known" not in explain_entry(entry, minute(0), log=[])

"""The plan is pure: what fires, what was missed, what comes next."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from django_repeat.instants import from_ms, iso, to_ms
from django_repeat.plan import plan
from django_repeat.recurrence import Cron, Every, Recurrence
from tests.ticker.support import at

QUARTER = Every("15m", phase=0)


def ms(text: str) -> int:
    return to_ms(at(text))


@pytest.mark.parametrize(
    "recurrence, pending, now, fires, missed, following",
    [
        (QUARTER, "2026-06-03T10:15:00", "2026-06-03T10:07:30", None, 0, "2026-06-03T10:15:00Z"),
        (QUARTER, "2026-06-03T10:00:00", "2026-06-03T10:00:00", "2026-06-03T10:00:00Z", 0, "2026-06-03T10:15:00Z"),
        (QUARTER, "2026-06-03T08:15:00", "2026-06-03T10:07:30", "2026-06-03T10:00:00Z", 7, "2026-06-03T10:15:00Z"),
        (
            Every("15m", phase="5m"),
            "2026-06-03T08:20:00",
            "2026-06-03T10:07:30",
            "2026-06-03T10:05:00Z",
            7,
            "2026-06-03T10:20:00Z",
        ),
        (
            Cron("0 9 * * *", "Europe/Berlin"),
            "2026-05-31T07:00:00",
            "2026-06-03T10:07:30",
            "2026-06-03T07:00:00Z",
            3,
            "2026-06-04T07:00:00Z",
        ),
        # The night that New York has no 02:30, and the one in which it has 01:30 twice.
        (
            Cron("30 2 * * *", "America/New_York"),
            "2026-03-08T07:00:00",
            "2026-03-08T15:00:00",
            "2026-03-08T07:00:00Z",
            0,
            "2026-03-09T06:30:00Z",
        ),
        (
            Cron("30 1 * * *", "America/New_York"),
            "2026-11-01T05:30:00",
            "2026-11-01T06:10:00",
            "2026-11-01T05:30:00Z",
            0,
            "2026-11-02T06:30:00Z",
        ),
        (
            Cron("* * * * *", "UTC"),
            "2026-06-01T00:01:00",
            "2026-06-03T10:07:30",
            "2026-06-03T10:07:00Z",
            3486,
            "2026-06-03T10:08:00Z",
        ),
        (
            Cron("0 0 1 * *", "America/Sao_Paulo"),
            "2026-06-01T03:00:00",
            "2026-06-03T10:07:30",
            "2026-06-01T03:00:00Z",
            0,
            "2026-07-01T03:00:00Z",
        ),
    ],
)
def test_latest_missed_time_fires_and_the_rest_is_counted(
    recurrence: Recurrence, pending: str, now: str, fires: str | None, missed: int, following: str
) -> None:
    answer = plan(recurrence, ms(pending), ms(now))
    assert [iso(one) for one in answer.fires] == ([fires] if fires else [])
    assert answer.missed == missed
    assert answer.next is not None
    assert iso(answer.next) == following


def test_first_and_last_missed_are_named() -> None:
    answer = plan(QUARTER, ms("2026-06-03T08:15:00"), ms("2026-06-03T10:07:30"))
    assert answer.first_missed == ms("2026-06-03T08:15:00")
    assert answer.last_missed == ms("2026-06-03T09:45:00")


def test_one_missed_is_first_and_last() -> None:
    answer = plan(QUARTER, ms("2026-06-03T08:15:00"), ms("2026-06-03T08:31:00"))
    assert (answer.first_missed, answer.last_missed) == (ms("2026-06-03T08:15:00"), ms("2026-06-03T08:15:00"))


def test_a_pending_time_that_left_the_grid_still_fires() -> None:
    """New zone data can move a nominal time that was stored under the old."""
    answer = plan(QUARTER, ms("2026-06-03T10:03:00"), ms("2026-06-03T10:04:00"))
    assert answer.fires == (ms("2026-06-03T10:03:00"),)
    assert answer.next == ms("2026-06-03T10:15:00")


def test_nothing_comes_after_the_end_of_year_9999() -> None:
    answer = plan(Cron("0 0 1 1 *", "UTC"), ms("9999-01-01T00:00:00"), ms("9999-06-01T00:00:00"))
    assert answer.fires == (ms("9999-01-01T00:00:00"),)
    assert answer.next is None


RECURRENCES = st.one_of(
    st.builds(lambda n: Every(timedelta(milliseconds=n)), st.integers(1, 10**7)),
    st.sampled_from([QUARTER, Cron("*/7 * * * *", "UTC"), Cron("30 2 * * *", "Europe/Berlin"), Cron("@hourly", "UTC")]),
)


@given(RECURRENCES, st.integers(0, 10**13), st.integers(0, 10**9))
def test_every_nominal_time_is_fired_missed_or_still_to_come(recurrence: Recurrence, start: int, passed: int) -> None:
    pending = recurrence.after_ms(start, start)
    assert pending is not None
    now = pending + passed
    answer = plan(recurrence, pending, now)
    assert answer.next is not None
    assert answer.next > now
    due = recurrence.count_ms(pending - 1, answer.next - 1, pending)
    assert len(answer.fires) + answer.missed == due
    assert answer.fires == (recurrence.before_ms(now, pending),)
    assert from_ms(answer.fires[0]) <= from_ms(now)

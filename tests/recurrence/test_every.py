"""Intervals: the grid, its anchor and its phase."""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Every
from django_repeat.recurrence.moments import MAX_MS, MIN_MS

ANCHOR = datetime(2021, 7, 2, 2, 2, tzinfo=UTC)


def test_sixty_late_looks_leave_the_grid_where_it_was() -> None:
    every, nominal = Every(60), ANCHOR
    for run in range(60):
        late = nominal + timedelta(milliseconds=400 + run * 7)
        following = every.after(late, anchor=nominal)
        assert following is not None
        nominal = following
    assert nominal == datetime(2021, 7, 2, 3, 2, tzinfo=UTC)


def test_a_phase_is_one_grid_for_every_machine() -> None:
    every = Every("15m", "5m")
    assert every.after(datetime(2025, 1, 1, 10, 5, tzinfo=UTC)) == datetime(2025, 1, 1, 10, 20, tzinfo=UTC)
    assert every.before(datetime(2025, 1, 1, 10, 4, tzinfo=UTC)) == datetime(2025, 1, 1, 9, 50, tzinfo=UTC)
    assert every.after(datetime(1960, 1, 1, 0, 0, tzinfo=UTC)) == datetime(1960, 1, 1, 0, 5, tzinfo=UTC)
    elsewhere = ANCHOR + timedelta(seconds=7)
    assert every.after(ANCHOR, anchor=elsewhere) == every.after(ANCHOR)


def test_the_phase_zero_needs_no_anchor() -> None:
    assert Every("1h", 0).after(ANCHOR) == datetime(2021, 7, 2, 3, 0, tzinfo=UTC)


def test_the_grid_reaches_back_before_its_anchor() -> None:
    every = Every("10m")
    assert every.after(ANCHOR - timedelta(minutes=25), anchor=ANCHOR) == ANCHOR - timedelta(minutes=20)
    assert every.before(ANCHOR - timedelta(minutes=25), anchor=ANCHOR) == ANCHOR - timedelta(minutes=30)


def test_without_phase_or_anchor_there_is_no_grid() -> None:
    every = Every("10m")
    for verb in (every.after, every.before):
        with pytest.raises(ValueError, match="anchor="):
            verb(ANCHOR)
    with pytest.raises(ValueError, match="anchor="):
        every.count(ANCHOR, ANCHOR)


def test_the_milliseconds_are_the_same_story() -> None:
    every, anchor = Every(1.5), 1_735_689_600_250
    assert every.after_ms(anchor + 1500, anchor) == anchor + 3000
    assert every.before_ms(anchor + 1499, anchor) == anchor
    assert every.count_ms(anchor, anchor + 31_536_000_000, anchor) == 21_024_000
    assert every.count_ms(anchor + 9, anchor - 9_000, anchor) == 0


def test_a_year_of_seconds_is_counted_without_a_walk() -> None:
    every, later = Every("1s"), ANCHOR + timedelta(days=365)
    begin = time.perf_counter()
    assert every.after(later, anchor=ANCHOR) == later + timedelta(seconds=1)
    assert every.count(ANCHOR, later, anchor=ANCHOR) == 31_536_000
    assert time.perf_counter() - begin < 0.01


def test_nothing_comes_after_year_9999() -> None:
    every = Every(timedelta(days=365 * 7000))
    assert every.after(ANCHOR, anchor=ANCHOR) is not None
    assert Every(timedelta(days=365 * 8000)).after(ANCHOR, anchor=ANCHOR) is None
    assert every.before(ANCHOR - timedelta(seconds=1), anchor=ANCHOR) is None


def test_milliseconds_beyond_the_calendar_are_its_ends() -> None:
    every = Every("1d", 0)
    assert every.after_ms(MIN_MS - 10**15) == MIN_MS
    assert every.before_ms(MAX_MS + 10**15) == MAX_MS + 1 - 86_400_000
    assert every.count_ms(MIN_MS - 10**15, MAX_MS + 10**15) == date.max.toordinal()


@pytest.mark.parametrize("period", [0, 0.0, -60, -0.001, timedelta(0), timedelta(days=-1), "0s", "0ms", "-5s"])
def test_a_period_is_longer_than_zero(period: Any) -> None:
    with pytest.raises(InvalidSchedule):
        Every(period)


@pytest.mark.parametrize(
    "period",
    [False, True, None, float("nan"), float("inf"), b"5s", [], ANCHOR, "", "5", "5 m", timedelta(microseconds=1500)],
)
def test_a_period_is_a_duration(period: Any) -> None:
    with pytest.raises(InvalidSchedule):
        Every(period)


@pytest.mark.parametrize(
    "period", [timedelta(milliseconds=9_007_199_254_740_993), 10**15, 1e300, timedelta.max, "99999999999w"]
)
def test_a_period_beyond_year_9999_is_refused(period: Any) -> None:
    with pytest.raises(InvalidSchedule, match="9999"):
        Every(period)


@pytest.mark.parametrize("phase", ["15m", "16m", -1, True, "x", float("nan"), timedelta(microseconds=1)])
def test_a_phase_lies_inside_the_period(phase: Any) -> None:
    with pytest.raises(InvalidSchedule):
        Every("15m", phase)


@pytest.mark.parametrize("period, ms", [("1s", 1000), ("200ms", 200), (0.2, 200), (timedelta(days=35), 3_024_000_000)])
def test_short_and_long_periods_are_exact(period: Any, ms: int) -> None:
    assert Every(period).period_ms == ms
    assert Every(period).phase_ms is None

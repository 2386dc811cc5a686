"""What is said of nominal times around a change of the clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from django_repeat.instants import to_ms
from django_repeat.recurrence import Cron, Every, Excluding
from django_repeat.recurrence.marks import Mark, change_near, left_out, marks, shift_text, side
from django_repeat.recurrence.walltimes import wall_times
from tests.recurrence.test_cases import CASES

BERLIN = ZoneInfo("Europe/Berlin")
RULES = [case for case in CASES if "expect" in case and "expr" in case]


def of(case_id: str) -> list[str]:
    """Answer what is said of the expected instants of a case."""
    (case,) = [case for case in RULES if case["id"] == case_id]
    rule, times = Cron(case["expr"], case["tz"]), instants(case)
    return [
        str(one)
        for one in marks(rule, times, ZoneInfo(case["tz"]), before=rule.before(times[0] - timedelta.resolution))
    ]


def instants(case: dict[str, Any]) -> list[datetime]:
    return [datetime.fromisoformat(text) for text in case["expect"]]


@pytest.mark.parametrize("case_id, said", [
    ("P01", ["+1h, for 02:30, which is left out", "", ""]),
    ("P06", ["+1h, for 00:00, which is left out", "", ""]),
    ("P09", ["+30m, for 02:15, which is left out", "", ""]),
    ("P11", ["", "+1h, for 02:30, which is left out", "", ""]),
    ("P12", ["+1h, for 02:00, which is left out", "", ""]),
    ("P17", ["+30m, for 23:45, which is left out", "", ""]),
    ("Q01", ["first of two", "-1h", ""]),
    ("Q05", ["-1h", "", ""]),
    ("Q13", ["first of two", "-2h", ""]),
    ("W01", ["first of two", "-1h, second of two", "", ""]),
    ("W06", ["", "+1h", ""]),
    ("W17", ["+1h", "", ""]),
])  # fmt: skip
def test_what_is_said(case_id: str, said: list[str]) -> None:
    assert of(case_id) == said


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in RULES])
def test_a_time_is_its_own_or_comes_for_one_that_is_left_out(case: dict[str, Any]) -> None:
    rule, zone = Cron(case["expr"], case["tz"]), ZoneInfo(case["tz"])
    times, wildcard = wall_times(rule.text)
    for moment in instants(case):
        found = left_out(rule, moment)
        wall = moment.astimezone(zone).replace(tzinfo=None)
        minute = to_ms((wall if found is None else found).replace(tzinfo=UTC)) // 60_000
        assert times.first(minute) == minute
        if found is not None:
            assert not wildcard
            assert found.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) != found


def test_what_is_excluded_of_a_gap_is_made_up_by_nothing() -> None:
    landing = datetime(2025, 3, 30, 1, tzinfo=UTC)
    rule = Cron("30 2,3 * * *", "Europe/Berlin")
    assert left_out(rule, landing) == datetime(2025, 3, 30, 2, 30)
    assert left_out(Excluding(rule, ["30 3 * * *"]), landing) == datetime(2025, 3, 30, 2, 30)
    assert left_out(Excluding(Cron("0,30 2,3 * * *", "Europe/Berlin"), ["* 2 * * *"]), landing) is None


def test_an_interval_has_shifts_and_sides_on_the_clock_that_it_is_shown_on() -> None:
    start = datetime(2025, 10, 26, tzinfo=UTC)
    times = [start + timedelta(hours=hour) for hour in range(3)]
    grid = Every("1h", "0s")
    assert marks(grid, times, BERLIN) == [Mark(side="first"), Mark(shift_ms=-3_600_000, side="second"), Mark()]
    assert [bool(mark) for mark in marks(grid, times, UTC, before=start)] == [False, False, False]
    assert not marks(Excluding(grid, ["* 4 * * *"], "Europe/Berlin"), times, UTC)[0]


@pytest.mark.parametrize("zone", [UTC, BERLIN, ZoneInfo("Pacific/Apia")])
@pytest.mark.parametrize("moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_ends_of_the_calendar_have_no_marks(moment: datetime, zone: Any) -> None:
    assert side(moment, zone) == ""
    assert change_near(moment, zone, timedelta(days=1)) is None


@pytest.mark.parametrize("zone, around, change, shift", [
    ("Europe/Berlin", "2025-03-30T12:00Z", "2025-03-30T01:00Z", "+1h"),
    ("Europe/Berlin", "2025-10-25T14:00Z", "2025-10-26T01:00Z", "-1h"),
    ("Australia/Lord_Howe", "2025-10-04T15:00:01Z", "2025-10-04T15:30Z", "+30m"),
    ("Pacific/Apia", "2011-12-30T10:00Z", "2011-12-30T10:00Z", "+1d"),
])  # fmt: skip
def test_a_change_of_the_clocks_is_found_to_the_second(zone: str, around: str, change: str, shift: str) -> None:
    found = change_near(datetime.fromisoformat(around), ZoneInfo(zone), timedelta(hours=13))
    assert found is not None
    assert (found[0], shift_text(found[1])) == (datetime.fromisoformat(change), shift)


def test_no_change_is_near_on_other_days() -> None:
    assert change_near(datetime(2025, 4, 2, tzinfo=UTC), BERLIN, timedelta(hours=13)) is None

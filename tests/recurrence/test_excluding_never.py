"""Exclusions that leave nothing, or nothing more: what is refused, and where a search ends."""

from datetime import date, timedelta
from typing import Any

import pytest

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron, Every, Excluding
from tests.recurrence.test_dst import utc

BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    "recurrence, items, zone",
    [
        (Cron("0 3 * * *", BERLIN), ["* 3 * * *"], None),
        (Cron("0 3 * * *", "Europe/Helsinki"), ["* 3 * * *"], None),
        (Cron("*/5 * * * *", "UTC"), ["* 0-11 * * *", "* 12-23 * * *"], None),
        (Cron("0 9 * * 1", "UTC"), ["* * * * 1-5"], None),
        (Cron("0 9 1 1 *", "UTC"), ["* * * 1-6 *", "2020-01-01"], None),
        (Cron("0 9 * * *", "UTC"), ["0001-01-01..9999-12-31"], None),
        (Every("1s"), ["* * * * *"], BERLIN),
        (Every("1s"), [(date.min, date(2020, 1, 1)), "* * * 1-11 *", "2020-01-02..9999-12-31"], BERLIN),
        (Every("1h", 0), ["1999-12-31..9999-12-31"], BERLIN),
        (Cron("0 9 * * *", BERLIN), ["1999-12-31..9999-12-31"], None),
        (Every("1d", "3h"), ["* 3 * * *"], "UTC"),
        (Every("1h", "30m"), ["30 * * * *"], BERLIN),
        (Every("1w", "4d"), ["* * * * MON"], "UTC"),
    ],
)
def test_exclusions_that_leave_nothing_are_refused(
    recurrence: Every | Cron, items: list[Any], zone: str | None
) -> None:
    with pytest.raises(InvalidSchedule, match="never comes with these exclusions") as caught:
        Excluding(recurrence, items, zone)
    assert str(recurrence) in str(caught.value)


def test_what_clocks_leave_is_no_reason_to_refuse() -> None:
    nepal = Excluding(Every("1h", "30m"), ["30 * * * *"], "Asia/Kathmandu")
    assert nepal.after(utc("2026-06-01T00:00")) == utc("2026-06-01T00:30")
    assert Excluding(Every("1w", "4d"), ["* * * * MON"], "America/New_York").after(utc("2026-06-01T00:00"))
    future = Excluding(Every("1d", "3h"), [(date.min, date(2500, 1, 1))], "UTC")
    assert future.after(utc("2026-06-01T00:00")) == utc("2500-01-02T03:00")


def test_after_the_last_time_comes_none() -> None:
    for recurrence in (Cron("0 3 * * *", BERLIN), Cron("* 3 * * *", BERLIN), Every("1h", 0)):
        rule = Excluding(recurrence, ["2026-06-01..9999-12-31"], BERLIN)
        last = rule.before(utc("2026-07-01T00:00"))
        assert last is not None
        assert last < utc("2026-05-31T22:00")
        assert rule.after(last) is None
        assert rule.count(last, utc("2200-01-01T00:00")) == 0


def test_a_search_reaches_the_next_but_one_leap_year() -> None:
    leap_days = Excluding(Every("1d", "12h"), ["* 12 * 1,3-12 *", "* 12 1-28 2 *"], "UTC")
    assert leap_days.after(utc("2026-06-01T00:00")) == utc("2028-02-29T12:00")
    assert leap_days.after(utc("2096-02-29T12:00")) == utc("2104-02-29T12:00")
    assert leap_days.before(utc("2104-02-29T00:00")) == utc("2096-02-29T12:00")


def test_a_search_passes_over_what_dates_close() -> None:
    yearly = Excluding(Every("1d", "3h"), ["* 3 2-31 * *", "* 3 1 2-12 *", "2001-01-01..2499-12-31"], "UTC")
    assert yearly.after(utc("2026-06-01T00:00")) == utc("2500-01-01T03:00")
    assert yearly.before(utc("2026-06-01T00:00")) == utc("2000-01-01T03:00")


def test_a_search_without_hope_ends() -> None:
    anchor = utc("2026-06-01T03:00")
    daily = Excluding(Every("1d"), ["* 3 * * *"], "UTC")
    assert daily.after(anchor, anchor=anchor) is None
    assert daily.before(anchor, anchor=anchor) is None
    assert daily.after(anchor, anchor=anchor + timedelta(hours=1)) == anchor + timedelta(hours=1)
    gaps = Excluding(Cron("30 2 25-31 3 */7", BERLIN), ["* 3 25-31 3 */7"])
    assert gaps.after(anchor) is None
    assert gaps.before(anchor) == utc("1980-03-30T01:30")


def test_what_is_open_beyond_the_ends_of_the_calendar_is_no_answer() -> None:
    west = Excluding(Every("1h", 0), ["* 18 * * *"], "America/New_York")
    assert west.after(utc("9999-12-31T22:30")) is None
    east = Excluding(Every("1h", 0), ["* 9 * * *"], "Asia/Tokyo")
    assert east.before(utc("0001-01-01T00:30")) is None

"""Recurrences with exclusions: which times go, in which zone, around the changes of clocks."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from django_repeat.recurrence import Cron, Every, Excluding
from tests.recurrence.test_dst import utc

BERLIN = "Europe/Berlin"
NIGHT = ["* 0-6 * * *"]


def times(recurrence: Excluding, start: str, end: str, anchor: str | None = None) -> list[str]:
    """Answer the nominal times in (start, end], found forwards, after asking backwards and counting."""
    origin = None if anchor is None else utc(anchor)
    found, moment = [], recurrence.after(utc(start), anchor=origin)
    while moment is not None and moment <= utc(end):
        found.append(moment)
        moment = recurrence.after(moment, anchor=origin)
    back, moment = [], recurrence.before(utc(end), anchor=origin)
    while moment is not None and moment > utc(start):
        back.append(moment)
        moment = recurrence.before(moment - timedelta(milliseconds=1), anchor=origin)
    assert back[::-1] == found
    assert recurrence.count(utc(start), utc(end), anchor=origin) == len(found)
    return [moment.replace(tzinfo=None).isoformat(timespec="minutes") for moment in found]


@pytest.mark.parametrize(
    "text, items, expected",
    [
        ("0 */6 * * *", NIGHT, ["2026-06-01T10:00", "2026-06-01T16:00", "2026-06-02T10:00"]),
        ("0 6,18 * * *", ["2026-06-01"], ["2026-06-02T04:00"]),
        ("0 6,18 * * *", ["2026-05-20..2026-06-01"], ["2026-06-02T04:00"]),
        ("0 6,18 * * *", [date(2026, 5, 31), "2026-06-02"], ["2026-06-01T04:00", "2026-06-01T16:00"]),
        ("0 6,18 * * *", ["* * * * MON"], ["2026-06-02T04:00"]),
        ("0 6,18 * * *", ["0 6 * * *"], ["2026-06-01T16:00"]),
        ("0 6,18 * * *", ["1 6 * * *", "2025-06-01"], ["2026-06-01T04:00", "2026-06-01T16:00", "2026-06-02T04:00"]),
        ("0 6,18 * * *", ["* 18 * * *", "* * 1 6 *", "2026-07-01"], ["2026-06-02T04:00"]),
        ("0 6,18 * * *", [], ["2026-06-01T04:00", "2026-06-01T16:00", "2026-06-02T04:00"]),
        ("0 0 * * *", ["2026-06-02"], []),
        ("59 23 * * *", ["2026-06-02"], ["2026-06-01T21:59"]),
    ],
)
def test_a_rule_leaves_out_what_is_excluded(text: str, items: list[Any], expected: list[str]) -> None:
    rule = Excluding(Cron(text, BERLIN), items)
    assert times(rule, "2026-06-01T00:00", "2026-06-02T12:00") == expected


def test_all_seconds_of_an_excluded_minute_go() -> None:
    every = Excluding(Every("10s"), ["30 * * * *"], "UTC")
    anchor, before = utc("2026-06-01T00:00:05.250"), utc("2026-06-01T12:29:55.250")
    assert every.after(before, anchor=anchor) == utc("2026-06-01T12:31:05.250")
    assert every.before(utc("2026-06-01T12:31:05.249"), anchor=anchor) == before
    assert every.count(before, utc("2026-06-01T12:31:05.249"), anchor=anchor) == 0


def test_the_milliseconds_at_both_ends_of_what_is_excluded_stay() -> None:
    edge = Excluding(Every("1ms", 0), ["30 * * * *", "2026-06-02"], "UTC")
    assert edge.after(utc("2026-06-01T12:29:59.999")) == utc("2026-06-01T12:31:00")
    assert edge.before(utc("2026-06-01T12:30:59.999")) == utc("2026-06-01T12:29:59.999")
    assert edge.after(utc("2026-06-02T12:00")) == utc("2026-06-03T00:00")
    assert edge.before(utc("2026-06-02T12:00")) == utc("2026-06-01T23:59:59.999")
    assert edge.count(utc("2026-06-01T12:00"), utc("2026-06-04T12:00")) == 2 * 24 * 59 * 60_000
    last = Excluding(Every("1h", timedelta(milliseconds=3_599_999)), ["* 7 * * *"], "UTC")
    assert last.after(utc("2026-06-01T06:59")) == utc("2026-06-01T06:59:59.999")
    assert last.after(utc("2026-06-01T07:00")) == utc("2026-06-01T08:59:59.999")
    assert last.count(utc("2026-06-01T00:00"), utc("2026-06-11T00:00")) == 230


def test_a_point_at_the_first_excluded_minute_goes() -> None:
    hourly = Excluding(Every("1h", 0), ["0 7 * * *"], "UTC")
    assert times(hourly, "2026-06-01T05:00", "2026-06-01T08:00") == ["2026-06-01T06:00", "2026-06-01T08:00"]


def test_the_grid_of_an_interval_stays() -> None:
    every = Excluding(Every("7h"), NIGHT, BERLIN)
    expected = ["2026-06-01T07:00", "2026-06-01T14:00", "2026-06-01T21:00", "2026-06-02T11:00"]
    assert times(every, "2026-06-01T00:00", "2026-06-02T12:00", anchor="2026-06-01T00:00") == expected


@pytest.mark.parametrize(
    "zone, first, last",
    [
        ("Pacific/Kiritimati", "2026-12-23T09:00", "2026-12-24T10:00"),
        ("Pacific/Pago_Pago", "2026-12-24T10:00", "2026-12-25T11:00"),
        ("Asia/Kathmandu", "2026-12-23T18:00", "2026-12-24T19:00"),
        ("UTC", "2026-12-23T23:00", "2026-12-25T00:00"),
    ],
)
def test_a_date_is_that_of_the_zone(zone: str, first: str, last: str) -> None:
    every = Excluding(Every("1h", 0), ["2026-12-24"], zone)
    assert every.after(utc(first)) == utc(last)
    assert every.before(utc(last) - timedelta(seconds=1)) == utc(first)


def test_a_year_ends_within_a_range() -> None:
    rule = Excluding(Cron("@daily", BERLIN), ["2026-12-24..2027-01-06"])
    assert times(rule, "2026-12-22T00:00", "2027-01-08T00:00") == [
        "2026-12-22T23:00",
        "2027-01-06T23:00",
        "2027-01-07T23:00",
    ]


def test_both_times_of_a_repeated_hour_go() -> None:
    # 02:00 to 03:00 comes twice on 25 October
    for recurrence in (Cron("*/30 * * * *", BERLIN), Every("30m", 0)):
        rule = Excluding(recurrence, ["* 2 * * *"], BERLIN)
        found = times(rule, "2026-10-24T23:00", "2026-10-25T02:00")
        assert found == ["2026-10-24T23:30", "2026-10-25T02:00"]
    once = Excluding(Cron("30 1,2 * * *", BERLIN), ["* 2 25 10 *"])
    assert times(once, "2026-10-24T20:00", "2026-10-26T00:00") == ["2026-10-24T23:30"]


def test_a_missing_hour_takes_nothing_from_real_time() -> None:
    # 02:00 to 03:00 is missing on 29 March
    for recurrence in (Cron("*/30 * * * *", BERLIN), Every("30m", 0)):
        rule = Excluding(recurrence, ["* 2 * * *"], BERLIN)
        assert times(rule, "2026-03-29T00:00", "2026-03-29T01:30") == [
            "2026-03-29T00:30",
            "2026-03-29T01:00",
            "2026-03-29T01:30",
        ]


def test_a_gap_may_end_what_is_excluded() -> None:
    for recurrence in (Cron("*/30 * * * *", BERLIN), Every("30m", 0)):
        rule = Excluding(recurrence, ["* 0-2 * * *"], BERLIN)
        found = times(rule, "2026-03-28T22:00", "2026-03-29T01:30")
        assert found == ["2026-03-28T22:30", "2026-03-29T01:00", "2026-03-29T01:30"]


@pytest.mark.parametrize(
    "text, items, expected",
    [
        ("30 2 * * *", ["* 4 * * *"], ["2026-03-29T01:00"]),
        ("30 2 * * *", ["* 3 * * *"], []),
        ("30 2 * * *", ["0 3 29 3 *"], []),
        ("30 2 * * *", ["1-59 3 * * *"], ["2026-03-29T01:00"]),
        ("30 2 * * *", ["* 2 29 3 *"], []),
        ("0,30 2 * * *", ["30 2 * * *"], ["2026-03-29T01:00"]),
        ("0-59 2,3 * * *", ["0-29 3 * * *"], [f"2026-03-29T01:{minute}" for minute in range(30, 60)]),
    ],
)
def test_a_time_that_a_gap_moves_goes_by_either_of_its_minutes(
    text: str, items: list[str], expected: list[str]
) -> None:
    rule = Excluding(Cron(text, BERLIN), items)
    assert times(rule, "2026-03-29T00:00", "2026-03-29T02:00") == expected


def test_a_moved_time_that_goes_leaves_the_other_days() -> None:
    rule = Excluding(Cron("30 2 * * *", BERLIN), ["* 3 * * *"])
    assert times(rule, "2026-03-27T12:00", "2026-03-30T12:00") == ["2026-03-28T01:30", "2026-03-30T00:30"]
    assert Cron("30 2 * * *", BERLIN).count(utc("2026-01-01T00:00"), utc("2029-01-01T00:00")) == 1096
    assert rule.count(utc("2026-01-01T00:00"), utc("2029-01-01T00:00")) == 1093


@pytest.mark.parametrize(
    "item, expected",
    [
        ("2011-12-29", ["2011-12-30T10:00", "2011-12-30T22:00"]),
        ("2011-12-30", ["2011-12-29T22:00", "2011-12-30T22:00"]),
        ("2011-12-31", ["2011-12-29T22:00"]),
        ("* * 30 12 *", ["2011-12-29T22:00", "2011-12-30T22:00"]),
    ],
)
def test_the_day_that_apia_left_out(item: str, expected: list[str]) -> None:
    # noon of 30 December would run as 31 December starts; noon of the 29th is 22:00Z of the 29th
    rule = Excluding(Cron("0 12 * * *", "Pacific/Apia"), [item])
    assert times(rule, "2011-12-29T12:00", "2011-12-31T12:00") == expected
    daily = Excluding(Every("1d", "22h"), [item], "Pacific/Apia")
    real = {"2011-12-29": ["2011-12-30T22:00"], "2011-12-31": ["2011-12-29T22:00"]}
    assert times(daily, "2011-12-29T12:00", "2011-12-31T12:00") == real.get(
        item, ["2011-12-29T22:00", "2011-12-30T22:00"]
    )


def test_a_repeated_day_goes_twice() -> None:
    # Kwajalein lived through 30 September 1969 twice
    for recurrence in (Cron("@hourly", "Pacific/Kwajalein"), Every("1h", 0)):
        rest = Excluding(recurrence, ["1969-09-30"], "Pacific/Kwajalein")
        assert times(rest, "1969-09-29T11:00", "1969-10-01T12:00") == ["1969-09-29T12:00", "1969-10-01T12:00"]


def test_without_exclusions_nothing_goes_up_to_the_ends_of_the_calendar() -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    for recurrence in (Every("1h", "7m"), Cron("0 */4 * * *", "UTC"), Cron("0 4 * * *", "UTC")):
        for zone in ("UTC",) if isinstance(recurrence, Cron) else ("Asia/Tokyo", "America/New_York"):
            rule = Excluding(recurrence, [], zone)
            latest = rule.before(last)
            assert latest == recurrence.before(last)
            assert rule.after(latest or first) is None
            assert rule.after(first) == recurrence.after(first)
            assert rule.before(first) == recurrence.before(first)
            assert rule.count(first, last) == recurrence.count(first, last)

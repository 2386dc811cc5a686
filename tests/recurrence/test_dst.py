"""Gaps, repeats and the offsets of zones, by behaviour."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat.recurrence import Cron


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def next_two(text: str, zone: str, asked: str) -> list[datetime]:
    cron = Cron(text, zone)
    first = cron.after(utc(asked))
    assert first is not None
    second = cron.after(first)
    assert second is not None
    return [first, second]


@pytest.mark.parametrize(
    "text, zone, asked, expected",
    [
        ("0 2 * * *", "Europe/Berlin", "2023-10-28T12:00", ["2023-10-29T00:00", "2023-10-30T01:00"]),
        ("30 2 * * *", "Europe/Berlin", "2025-03-29T12:00", ["2025-03-30T01:00", "2025-03-31T00:30"]),
        ("0 12 * * 0", "Europe/Berlin", "2022-03-24T11:00", ["2022-03-27T10:00", "2022-04-03T10:00"]),
        ("30 1 * * *", "Europe/Dublin", "2025-03-29T12:00", ["2025-03-30T01:00", "2025-03-31T00:30"]),
        ("30 1 * * *", "Europe/Dublin", "2025-10-25T12:00", ["2025-10-26T00:30", "2025-10-27T01:30"]),
        ("30 2 * * *", "Africa/Casablanca", "2025-04-05T12:00", ["2025-04-06T02:00", "2025-04-07T01:30"]),
        ("0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00", ["2018-11-04T03:00", "2018-11-05T02:00"]),
        ("30 23 * * *", "America/Sao_Paulo", "2018-02-17T12:00", ["2018-02-18T01:30", "2018-02-19T02:30"]),
        ("0 0 * * *", "America/St_Johns", "2006-10-28T12:00", ["2006-10-29T02:30", "2006-10-30T03:30"]),
        ("25 8-16 * * *", "Asia/Jakarta", "2026-09-10T00:00", ["2026-09-10T01:25", "2026-09-10T02:25"]),
        ("30 2 * * *", "Europe/Berlin", "9998-03-28T12:00", ["9998-03-29T01:00", "9998-03-30T00:30"]),
    ],
)
def test_fixed_times_fire_once_a_day(text: str, zone: str, asked: str, expected: list[str]) -> None:
    assert next_two(text, zone, asked) == [utc(each) for each in expected]


def test_a_missing_day_fires_once_where_it_would_have_been() -> None:
    # Samoa went from 29 December 24:00 to 31 December 00:00
    apia = "Pacific/Apia"
    assert next_two("0 12 * * *", apia, "2011-12-30T00:00") == [utc("2011-12-30T10:00"), utc("2011-12-30T22:00")]
    assert next_two("0 12 30 12 *", apia, "2011-01-01T00:00") == [utc("2011-12-30T10:00"), utc("2012-12-29T22:00")]
    assert next_two("0 0 * * *", apia, "2011-12-29T11:00") == [utc("2011-12-30T10:00"), utc("2011-12-31T10:00")]
    day = utc("2011-12-30T09:59"), utc("2011-12-31T09:59")
    assert Cron("0 */6 * * *", apia).count(*day) == 4
    assert Cron("0,15,30,45 0-23 * * *", apia).count(*day) == 96


def test_a_repeated_day_fires_once_for_fixed_times() -> None:
    # Kwajalein lived through 30 September 1969 twice
    kwajalein = "Pacific/Kwajalein"
    assert next_two("15 6 * * *", kwajalein, "1969-09-29T12:00") == [utc("1969-09-29T19:15"), utc("1969-10-01T18:15")]
    assert Cron("@hourly", kwajalein).count(utc("1969-09-29T12:00"), utc("1969-10-02T12:00")) == 72


def test_the_day_that_kwajalein_left_out() -> None:
    expected = [utc("1993-08-21T12:00"), utc("1993-08-21T21:00")]
    assert next_two("0 9 * * *", "Pacific/Kwajalein", "1993-08-21T00:00") == expected


def test_a_gap_counts_no_missed_minutes() -> None:
    change = utc("2025-03-30T01:00")
    rules = [Cron(f"{minute} * * * *", "Europe/Berlin") for minute in range(60)]
    assert [rule.before(change) == change for rule in rules] == [True] + [False] * 59
    day = utc("2025-03-29T22:59"), utc("2025-03-30T21:59")
    assert {rule.count(*day) for rule in rules} == {23}


@pytest.mark.parametrize("hours", ["0-23", "2", "2,3"])
def test_missing_times_of_one_rule_collapse(hours: str) -> None:
    gap = utc("2025-03-30T00:59"), utc("2025-03-30T01:00")
    assert Cron(f"0-59 {hours} * * *", "Europe/Berlin").count(*gap) == 1


@pytest.mark.parametrize("change", ["2025-03-30T01:00", "2025-10-26T01:00", "2025-07-01T00:00"])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"])
def test_every_minute_is_every_real_minute(zone: str, change: str) -> None:
    cron, start = Cron("* * * * *", zone), utc(change) - timedelta(hours=12)
    assert all(
        cron.after(start + timedelta(minutes=minute)) == start + timedelta(minutes=minute + 1) for minute in range(1440)
    )


@pytest.mark.parametrize(
    "zone, month, weekday, hours, hour, fixed",
    [
        ("Europe/Berlin", 3, 7, 1, 2, 40),
        ("Europe/Berlin", 10, 7, 1, 2, 39),
        ("Africa/Cairo", 4, 5, -2, 0, 40),
    ],
)
def test_each_change_counts_once_for_four_centuries(
    zone: str, month: int, weekday: int, hours: int, hour: int, fixed: int
) -> None:
    minutely, daily = Cron("* * * * *", zone), Cron(f"0,30 {hour} * * *", zone)
    for year in range(2023, 2423):
        last = datetime(year, month + 1, 1, tzinfo=UTC) - timedelta(days=1)
        change = last - timedelta(days=(last.isoweekday() - weekday) % 7) + timedelta(hours=hours)
        around = change - timedelta(days=10), change + timedelta(days=10)
        assert minutely.count(*around) == 20 * 1440
        assert daily.count(*around) == fixed


def test_a_sparse_wildcard_rule_sees_both_sides_of_a_repeat() -> None:
    yearly = Cron("*/30 2 26 10 *", "Europe/Berlin")
    assert yearly.after(utc("2025-10-26T00:30")) == utc("2025-10-26T01:00")
    assert yearly.after(utc("2025-10-26T01:30")) == utc("2026-10-26T01:00")
    # Newfoundland went from 00:01 on the 29th back to 23:01 on the 28th: midnight came twice
    yearly = Cron("*/30 0 29 10 *", "America/St_Johns")
    assert yearly.before(utc("2006-10-29T02:40")) == utc("2006-10-29T02:30")
    assert yearly.before(utc("2006-10-29T02:29")) == utc("2005-10-29T03:00")
    assert yearly.after(utc("2006-10-29T02:30")) == utc("2006-10-29T03:30")


def test_a_gap_that_ends_within_a_minute_fires_at_the_next_whole_one() -> None:
    # Liberia went from 00:00:00 to 00:44:30 on 7 January 1972
    monrovia = Cron("10,45 0 * * *", "Africa/Monrovia")
    assert monrovia.after(utc("1972-01-06T12:00")) == utc("1972-01-07T00:45")
    assert monrovia.after(utc("1972-01-07T00:44:59")) == utc("1972-01-07T00:45")
    assert monrovia.before(utc("1972-01-07T00:44:59")) == utc("1972-01-06T01:29:30")
    assert monrovia.count(utc("1972-01-07T00:40"), utc("1972-01-07T00:45")) == 1
    assert monrovia.count(utc("1972-01-07T00:44:31"), utc("1972-01-07T00:45")) == 1
    assert monrovia.count(utc("1972-01-07T00:45"), utc("1972-01-08T00:44:59")) == 1


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    zone=st.sampled_from(["Europe/Amsterdam", "Africa/Monrovia", "America/New_York", "Asia/Manila", "America/Juneau"]),
    text=st.sampled_from(["0 6 * * *", "*/20 * * * *", "7 */5 * * 1-5", "0 0 29 2 *"]),
    moment=st.datetimes(datetime(2, 1, 1), datetime(1972, 1, 1), timezones=st.just(UTC)),
)
def test_offsets_with_seconds(zone: str, text: str, moment: datetime) -> None:
    cron = Cron(text, zone)
    following, earlier = cron.after(moment), cron.before(moment)
    assert following is not None
    assert earlier is None or earlier <= moment < following
    assert cron.before(following - timedelta(seconds=1)) == earlier
    assert cron.count(moment, following) == 1
    wall = following.astimezone(ZoneInfo(zone))
    assert wall.second == 0

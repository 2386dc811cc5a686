"""What lies ahead of schedules, alone and together."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import pytest

from django_repeat import Schedule
from django_repeat.ahead import Fire, fires, fires_count, nominal_times
from django_repeat.instants import from_ms, iso, to_ms
from tests.explaining.saying import known, ms, record

START = to_ms(datetime.fromisoformat("2030-01-01T00:00Z"))
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def make(name: str = "a", **fields: Any) -> Schedule:
    return Schedule(name, command="check", **{**({} if "cron" not in fields else {"timezone": "UTC"}), **fields})


def between(schedules: list[Schedule], start: int, end: int) -> list[str]:
    return [f"{fire.name} {iso(fire.due_ms)[11:19]}" for fire in fires(schedules, start, end)]


def test_many_come_in_the_order_of_time_both_ends_included() -> None:
    schedules = [make("b", cron="*/30 * * * *"), make("a", every="1h", phase="0s"), make("c", every="40m")]
    assert between(schedules, START, START + HOUR) == [
        "a 00:00:00", "b 00:00:00", "c 00:00:00", "b 00:30:00", "c 00:40:00", "a 01:00:00", "b 01:00:00",
    ]  # fmt: skip


def test_they_are_worked_out_one_by_one() -> None:
    endless = fires([make("a", every="1ms"), make("b", every="1ms")], START, START + 10**13)
    assert [fire.nominal_ms for fire in islice(endless, 4)] == [START, START, START + 1, START + 1]


@pytest.mark.parametrize("fields", [
    {"cron": "*/20 * * * *"},
    {"cron": "*/20 * * * *", "start_at": "2030-01-01T05:30Z"},
    {"cron": "*/20 * * * *", "end_at": "2030-01-01T05:30Z"},
    {"cron": "*/20 * * * *", "max_runs": 7},
    {"cron": "*/20 * * * *", "exclude": ["* 2-3 * * *"]},
    {"cron": "*/20 * * * *", "spread": "19m"},
    {"cron": "0 * * * *", "spread": "59m", "max_runs": 3, "start_at": "2030-01-01T05:30Z"},
    {"cron": "0 0 29 2 *"},
    {"cron": "30 2 * * *", "timezone": "Europe/Berlin"},
    {"every": "7m"},
    {"every": "7m", "first_in": "2h"},
    {"every": "7m", "start_at": "2030-01-01T05:30Z", "end_at": "2030-01-01T07:30Z"},
    {"every": "7m", "phase": "3m", "spread": "5m"},
    {"every": "7m", "exclude": ["* 2-3 * * *"], "exclude_zone": "Asia/Kathmandu"},
    {"every": "7m", "end_at": "2029-01-01T00:00Z"},
])  # fmt: skip
@pytest.mark.parametrize("start, length", [(0, DAY), (1, DAY), (10 * MINUTE, 5 * HOUR + 1), (HOUR, 0), (HOUR, -1)])
def test_the_count_by_arithmetic_is_that_of_the_list(fields: dict[str, Any], start: int, length: int) -> None:
    schedule = make(**fields)
    begin, end = START + start, START + start + length
    found = list(fires([schedule], begin, end))
    assert fires_count(schedule, begin, end) == len(found)
    assert all(begin <= fire.due_ms <= end and fire.due_ms == schedule.due_ms(fire.nominal_ms) for fire in found)


def test_a_spread_puts_off_into_the_span_what_lies_before() -> None:
    schedule = make(cron="0 * * * *", spread="50m")
    offset = schedule.offset_ms
    assert offset > 1
    (fire,) = fires([schedule], START + 1, START + offset)
    assert fire == Fire(START + offset, "default", "a", START, schedule)
    assert list(fires([schedule], START + 1, START + offset - 1)) == []


def test_what_falls_due_after_the_span_is_not_counted() -> None:
    schedule = make(cron="0 * * * *", spread="50m")
    end = START + HOUR + schedule.offset_ms
    assert [fires_count(schedule, START, last) for last in (end - 1, end)] == [1, 2]


def test_skips_ahead_of_what_is_due_are_left_out() -> None:
    stored = record({"nominal": "06:00", "holes": f"s{ms('07:00')} s{ms('09:00')}"})
    found = nominal_times(known(stored, "06:00:30").entry, from_ms(ms("06:00:30")))
    assert [iso(to_ms(one))[11:16] for one in islice(found, 3)] == ["08:00", "10:00", "11:00"]


def test_a_century_of_seconds_is_counted_at_once() -> None:
    end = to_ms(from_ms(START) + timedelta(days=36_525))
    assert fires_count(make(every="1s"), START, end) == 36_525 * 86_400 + 1

"""The plan is pure: what fires, what was missed and why, what comes next."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest

from django_repeat.instants import iso, to_ms
from django_repeat.plan import Plan, plan, upcoming
from django_repeat.policies import Policies
from django_repeat.recurrence import Cron, Every, Recurrence
from tests.ticker.missed import CASES, Missed
from tests.ticker.support import at

QUARTER = Every("15m", phase=0)
DAY = "2026-06-03T"


def ms(text: str) -> int:
    return to_ms(at(text))


def planned(
    pending: str = "08:15:00", now: str = "10:07:30", recurrence: Recurrence = QUARTER, *, fired: int = 0,
    offset: int = 0, **fields: Any,
) -> Plan:  # fmt: skip
    return plan(recurrence, ms(DAY + pending), ms(DAY + now), Policies.read(fields), fired=fired, offset=offset)


def clock(*moments: int) -> list[str]:
    return [iso(one).removeprefix(DAY).removesuffix("Z").removesuffix(":00") for one in moments]


def gaps(answer: Plan) -> list[tuple[Any, ...]]:
    return [(str(gap.reason), *clock(gap.first, gap.last), gap.count) for gap in answer.gaps]


@pytest.mark.parametrize("row, fields, fires", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_table(row: Missed, fields: dict[str, Any], fires: list[datetime]) -> None:
    pending = row.recurrence.after(row.last)
    assert pending is not None
    answer = plan(row.recurrence, to_ms(pending), to_ms(row.now), Policies.read(fields))
    assert answer.fires == tuple(map(to_ms, fires))
    assert sum(gap.count for gap in answer.gaps) == row.due - len(fires)
    assert answer.next == to_ms(row.next)


def test_each_gap_names_its_reason_its_first_and_its_last() -> None:
    assert gaps(planned()) == [("coalesced", "08:15", "09:45", 7)]
    assert gaps(planned(window="1h")) == [("window", "08:15", "09:00", 4), ("coalesced", "09:15", "09:45", 3)]
    assert gaps(planned(catch_up="all", window="1h", limit=3)) == [
        ("window", "08:15", "09:00", 4), ("limit", "09:15", "09:15", 1),
    ]  # fmt: skip
    assert gaps(planned("10:15:00")) == gaps(planned("10:00:00")) == []


def test_what_lies_ahead_fires_nothing() -> None:
    assert planned("10:15:00") == Plan(next=ms(DAY + "10:15:00"))
    assert planned("10:15:00", "10:15:00") == Plan(fires=(ms(DAY + "10:15:00"),), next=ms(DAY + "10:30:00"))


def test_the_window_includes_its_edge() -> None:
    assert clock(*planned("10:00:00", "10:10:00", window="10m").fires) == ["10:00"]
    assert planned("10:00:00", "10:10:00.001", window="10m").fires == ()


@pytest.mark.parametrize("pending, now, fires, missed", [
    ("10:00:00", "10:00:59.999", ["10:00"], []),
    ("10:00:00", "10:01:00", [], [("grace", "10:00", "10:00", 1)]),
    ("08:15:00", "10:00:30", ["10:00"], [("grace", "08:15", "09:45", 7)]),
    ("08:15:00", "10:07:30", [], [("grace", "08:15", "10:00", 8)]),
])  # fmt: skip
def test_nothing_is_made_up(pending: str, now: str, fires: list[str], missed: list[Any]) -> None:
    answer = planned(pending, now, catch_up="none")
    assert (clock(*answer.fires), gaps(answer)) == (fires, missed)


def test_of_several_within_the_grace_the_latest_fires() -> None:
    answer = planned("09:59:00", "10:00:02", Every("1s", phase=0), catch_up="none", grace="5s")
    assert clock(*answer.fires) == ["10:00:02"]
    assert gaps(answer) == [
        ("grace", "09:59", "09:59:57", 58), ("coalesced", "09:59:58", "10:00:01", 4),
    ]  # fmt: skip


def test_a_window_inside_the_grace_says_window() -> None:
    answer = planned("09:59:00", "10:00:02", Every("1s", phase=0), catch_up="none", grace="5s", window="2s")
    assert gaps(answer) == [("window", "09:59", "09:59:59", 60), ("coalesced", "10:00", "10:00:01", 2)]


def test_before_start_at_nothing_is_missed() -> None:
    answer = planned(start_at=DAY + "09:40:00Z")
    assert (clock(*answer.fires), gaps(answer)) == (["10:00"], [("coalesced", "09:45", "09:45", 1)])
    assert planned(start_at=DAY + "10:00:00Z") == Plan(fires=(ms(DAY + "10:00:00"),), next=ms(DAY + "10:15:00"))
    assert planned(start_at=DAY + "12:00:01Z") == Plan(next=ms(DAY + "12:15:00"))


def test_an_interval_without_phase_starts_at_start_at() -> None:
    later = planned("10:01:00", "10:01:00", Every("15m"), start_at=DAY + "12:03:00Z")
    assert later == Plan(next=ms(DAY + "12:03:00"))
    running = planned("10:18:00", "10:18:00", Every("15m"), start_at=DAY + "08:03:00Z")
    assert running == Plan(fires=(ms(DAY + "10:18:00"),), next=ms(DAY + "10:33:00"))
    off_its_grid = planned("10:20:00", "10:20:00", Every("15m"), start_at=DAY + "08:03:00Z")
    assert off_its_grid == Plan(fires=(ms(DAY + "10:20:00"),), next=ms(DAY + "10:33:00"))


def test_end_at_is_the_last_instant_of_an_occurrence() -> None:
    answer = planned(end_at=DAY + "09:45:00Z")
    assert (clock(*answer.fires), gaps(answer), answer.next) == (["09:45"], [("coalesced", "08:15", "09:30", 6)], None)
    answer = planned(end_at=DAY + "10:14:59Z")
    assert (clock(*answer.fires), answer.next) == (["10:00"], None)
    answer = planned(end_at=DAY + "10:15:00Z")
    assert answer.next == ms(DAY + "10:15:00")
    assert planned(end_at=DAY + "08:14:59Z") == Plan()
    assert planned(end_at=DAY + "09:00:00Z", window="10m").fires == ()


def test_max_runs_leaves_room_for_the_oldest() -> None:
    answer = planned(catch_up="all", max_runs=5, fired=2)
    assert clock(*answer.fires) == ["08:15", "08:30", "08:45"]
    assert (gaps(answer), answer.next) == ([("ended", "09:00", "10:00", 5)], None)
    answer = planned(max_runs=1)
    assert (clock(*answer.fires), gaps(answer), answer.next) == (["10:00"], [("coalesced", "08:15", "09:45", 7)], None)
    assert planned(max_runs=2).next == ms(DAY + "10:15:00")
    assert planned(max_runs=2, fired=2) == planned(max_runs=2, fired=3) == Plan()
    answer = planned(catch_up="all", limit=3, max_runs=2)
    assert gaps(answer) == [("limit", "08:15", "09:15", 5), ("ended", "10:00", "10:00", 1)]


def test_spread_puts_off_and_lateness_counts_from_there() -> None:
    minute = 60_000
    assert planned("10:00:00", "10:04:59.999", offset=5 * minute) == Plan(next=ms(DAY + "10:00:00"))
    assert clock(*planned("10:00:00", "10:05:00", offset=5 * minute).fires) == ["10:00"]
    answer = planned("08:15:00", "10:04:00", offset=5 * minute)
    assert (clock(*answer.fires), clock(answer.next or 0)) == (["09:45"], ["10:00"])
    assert gaps(answer) == [("coalesced", "08:15", "09:30", 6)]
    assert clock(*planned("10:00:00", "10:06:00", offset=5 * minute, window="1m").fires) == ["10:00"]
    assert planned("10:00:00", "10:06:00.001", offset=5 * minute, window="1m").fires == ()
    assert clock(*planned("08:15:00", "10:06:00", offset=5 * minute, window="16m", catch_up="all").fires) == [
        "09:45", "10:00",
    ]  # fmt: skip
    assert clock(*planned("10:00:00", "10:05:59", offset=5 * minute, catch_up="none").fires) == ["10:00"]


def test_spread_never_reaches_the_next_nominal_time() -> None:
    day = 86_400_000
    assert planned("10:00:00", "10:14:59.998", offset=day) == Plan(next=ms(DAY + "10:00:00"))
    answer = planned("10:00:00", "10:14:59.999", offset=day)
    assert (clock(*answer.fires), clock(answer.next or 0)) == (["10:00"], ["10:15"])
    assert planned("10:00:00", "10:15:00", offset=day).gaps == ()


def test_a_pending_time_that_left_the_grid_still_fires() -> None:
    """New zone data can move a nominal time that was stored under the old."""
    answer = planned("10:03:00", "10:04:00")
    assert (clock(*answer.fires), clock(answer.next or 0)) == (["10:03"], ["10:15"])
    answer = planned("09:33:00", catch_up="all")
    assert clock(*answer.fires) == ["09:33", "09:45", "10:00"]
    assert gaps(planned("09:33:00", window="10m")) == [("window", "09:33", "09:45", 2)]


def test_nothing_comes_after_the_end_of_year_9999() -> None:
    answer = plan(Cron("0 0 1 1 *", "UTC"), ms("9999-01-01T00:00:00"), ms("9999-06-01T00:00:00"))
    assert answer == Plan(fires=(ms("9999-01-01T00:00:00"),))


@pytest.mark.parametrize("fields", [{}, {"window": "1d"}, {"catch_up": "all"}, {"catch_up": "none"}], ids=str)
def test_three_missed_years_are_counted_not_walked(fields: dict[str, Any]) -> None:
    rule, policies = Cron("* * * * *", "Europe/Berlin"), Policies.read(fields)
    start, now = ms("2023-06-03T10:00:00"), ms("2026-06-03T10:00:30")
    took = []
    for _ in range(5):
        begin = time.perf_counter()
        answer = plan(rule, start, now, policies)
        took.append(time.perf_counter() - begin)
    assert len(answer.fires) + sum(gap.count for gap in answer.gaps) == 3 * 365 * 1440 + 1440 + 1
    assert min(took) < 0.02


def test_upcoming_times_end_where_the_policies_do() -> None:
    after, quarters = ms(DAY + "10:00:00"), [f"10:{minute}" for minute in (15, 30, 45)]
    until = Policies.read({"end_at": DAY + "10:59:00Z"})
    assert clock(*upcoming(QUARTER, None, after, until)) == quarters
    assert clock(*upcoming(QUARTER, after, after, Policies.read({"max_runs": 5}), fired=2)) == quarters
    assert clock(*upcoming(QUARTER, after + 1, after, until)) == ["10:00:00.001", *quarters]
    start = Policies.read({"start_at": DAY + "12:03:00Z", "max_runs": 2})
    assert clock(*upcoming(Every("15m"), after, after, start)) == ["12:03", "12:18"]
    late = Policies.read({"end_at": DAY + "10:00:00Z"})
    assert clock(*upcoming(QUARTER, after + 1, after, late)) == []

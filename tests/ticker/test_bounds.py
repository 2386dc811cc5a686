"""start_at, end_at and max_runs on the real server: when a schedule begins and when it is finished."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat import get, service
from tests.ticker.minutely import HOUR, MINUTE, START, minute_of, put, state, text_at, tick_at
from tests.ticker.support import Script, seconds


def test_nothing_fires_before_start_at_or_after_end_at(script: Script) -> None:
    put(start_at=text_at(2 * MINUTE), end_at=text_at(4 * MINUTE))
    assert state() == ("scheduled", 2)
    assert [tick_at(minute * MINUTE) for minute in range(7)] == [[], [], [2], [3], [4], [], []]
    assert state() == ("finished", None)
    assert get("s").missed_count == 0


@pytest.mark.parametrize("start, first", [(90, 90), (-50, 10), (-130, 50)])
def test_start_at_anchors_an_interval_without_phase(script: Script, start: int, first: int) -> None:
    put(0, every=MINUTE, start_at=text_at(start))
    assert get("s").next == seconds(START, first)
    assert len(tick_at(first)) == 1
    assert get("s").next == seconds(START, first + MINUTE)


def test_start_at_and_first_in_hold_both(script: Script) -> None:
    put(0, start_at=text_at(3 * MINUTE), first_in=5 * MINUTE)
    assert state() == ("scheduled", 6)


def test_an_outage_past_end_at_makes_up_what_lay_before_it(script: Script) -> None:
    put(end_at=text_at(3 * MINUTE))
    assert tick_at(HOUR) == [3]
    assert state() == ("finished", None)
    assert get("s").missed_count == 3


def test_an_outage_past_end_at_and_the_window_makes_up_nothing(script: Script) -> None:
    put(end_at=text_at(3 * MINUTE), window="10m")
    assert tick_at(HOUR) == []
    assert (state(), get("s").missed_count) == (("finished", None), 4)


def test_what_ended_before_it_was_registered_is_finished(script: Script) -> None:
    assert put(end_at=text_at(-HOUR)) == "registered"
    assert state() == ("finished", None)
    put(every=MINUTE, end_at=text_at(-2))
    assert state() == ("finished", None)


def test_a_start_at_that_moves_moves_what_is_pending(script: Script) -> None:
    put(start_at=text_at(4 * 365 * 24 * HOUR))
    assert put(0, start_at=text_at(5 * MINUTE)) == "updated"
    assert state() == ("scheduled", 5)
    put(0, start_at=text_at(30 * MINUTE))
    assert state() == ("scheduled", 30)
    put(0)
    assert state() == ("scheduled", 1)
    put(0, every=MINUTE, start_at=text_at(HOUR))
    put(7, every=MINUTE)
    assert get("s").next == seconds(START, 7)


def test_an_end_at_that_moves_finishes_and_revives(script: Script) -> None:
    put()
    tick_at(0)
    assert put(5, end_at=text_at(30)) == "updated"
    assert state() == ("finished", None)
    assert put(10 * MINUTE, end_at=text_at(HOUR)) == "updated"
    assert state() == ("scheduled", 11)
    assert tick_at(11 * MINUTE) == [11]
    assert get("s").missed_count == 0


@pytest.mark.parametrize(
    "fields", [{"window": "1h"}, {"catch_up": "all"}, {"when": "a.b.c"}, {"pass_occurrence": True}]
)
@pytest.mark.parametrize("after", [5, 70], ids=["idle", "overdue"])
def test_other_policies_leave_the_cadence(script: Script, fields: dict[str, Any], after: int) -> None:
    put(-1, every="45s", first_in="30s")
    before = get("s").next
    assert put(after, every="45s", first_in="30s", **fields) == "updated"
    assert get("s").next == before
    assert put(after, every="45s", first_in="30s", **fields) == "exists"


def test_max_runs_are_fired_and_the_entry_stays_finished(script: Script) -> None:
    put(max_runs=3)
    assert [tick_at(minute * MINUTE) for minute in range(5)] == [[0], [1], [2], [], []]
    assert state() == ("finished", None)
    for after in (HOUR, 2 * HOUR):
        assert put(after, max_runs=3) == "exists"
        assert put(after, max_runs=3, args=[after]) == "updated"
        assert state() == ("finished", None)
        assert put(after, max_runs=3) == "updated"
    assert tick_at(3 * HOUR) == []
    assert get("s").missed_count == 0


def test_max_runs_that_grow_revive_and_never_look_back(script: Script) -> None:
    put(max_runs=2)
    assert [tick_at(0), tick_at(MINUTE)] == [[0], [1]]
    put(HOUR, max_runs=3)
    assert state() == ("scheduled", 61)
    assert tick_at(61 * MINUTE) == [61]
    assert state() == ("finished", None)


def test_max_runs_that_shrink_end_at_once(script: Script) -> None:
    put(max_runs=9)
    assert [tick_at(0), tick_at(MINUTE)] == [[0], [1]]
    put(90, max_runs=2)
    assert state() == ("finished", None)
    put(91, max_runs=9)
    tick_at(2 * MINUTE)
    put(4 * MINUTE, max_runs=1)
    assert state(4 * MINUTE) == ("due", 3)
    assert tick_at(4 * MINUTE) == []
    assert (state(), get("s").missed_count) == (("finished", None), 0)


@pytest.mark.parametrize("fields, goes_on", [
    ({"max_runs": 3}, True), ({"end_at": text_at(HOUR)}, True), ({}, True), ({"max_runs": 1, "args": [1]}, False),
])  # fmt: skip
def test_bounds_that_change_while_the_last_run_is_in_hand(
    script: Script, fields: dict[str, Any], goes_on: bool
) -> None:
    put(max_runs=1, end_at=text_at(30))
    script.after = lambda occurrence: put(5, **fields)
    assert tick_at(1) == [0]
    script.after = lambda occurrence: None
    assert tick_at(MINUTE) == ([1] if goes_on else [])
    assert state()[0] == ("scheduled" if goes_on else "finished")
    assert get("s").missed_count == 0


def test_max_runs_count_over_a_changed_recurrence(script: Script) -> None:
    put(max_runs=2)
    tick_at(0)
    put(30, max_runs=2, cron="*/5 * * * *")
    assert tick_at(5 * MINUTE) == [5]
    assert put(6 * MINUTE, max_runs=2, cron="*/7 * * * *", timezone="UTC") == "updated"
    assert state() == ("finished", None)


def test_max_runs_and_all(script: Script) -> None:
    put(max_runs=4, catch_up="all")
    tick_at(0)
    assert tick_at(10 * MINUTE) == [1, 2, 3]
    assert (state(), get("s").missed_count) == (("finished", None), 7)
    (last, *_) = service.runs("s")
    assert (last["outcome"], last["reason"], last["count"]) == ("missed", "ended", 7)
    assert (minute_of(last["first"]), minute_of(last["nominal"])) == (4, 10)

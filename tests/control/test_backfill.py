"""Backfill: nominal times of the past, with the ids that the scheduled ones have, throttled, and not by accident."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from django_repeat import backfill, pause, service, skip
from django_repeat.control import times_of
from django_repeat.exceptions import Conflict, DispatchFailed, ScheduleNotFound
from django_repeat.instants import to_ms
from tests.control.looking import entry_at, frozen, log, minutes, moment, next_at, score
from tests.ticker import support
from tests.ticker.minutely import MINUTE, put, tick_at
from tests.ticker.support import raising, scripted

Filled = Callable[..., list[int]]


def filled(first: float, last: float, *, at: float = 60, sleep: Any = lambda seconds: None, **more: Any) -> list[int]:
    with frozen(at):
        done = backfill("s", moment(first), moment(last), sleep=sleep, **more)
    return [one.nominal_ms // 60_000 - to_ms(moment(0)) // 60_000 for one in done]


def times(first: float, last: float, *, at: float = 60, **more: Any) -> list[int]:
    with frozen(at):
        return minutes(times_of("s", moment(first), moment(last), **more))


def ranges() -> list[tuple[int, int, int]]:
    return [(*minutes([one.first, one.last]), one.count) for one in entry_at(60).missed_ranges]


def missed_to(last: int, **fields: Any) -> None:
    """Let minutes 0 to last - 1 be missed, and the last one fire."""
    put(**fields)
    assert tick_at(last * MINUTE) == [last]
    support.SCRIPT.taken.clear()


def test_what_was_missed_is_fired_oldest_first_with_the_scheduled_ids() -> None:
    missed_to(5)
    assert ranges() == [(0, 4, 5)]
    assert times(1, 3) == [1, 2, 3]
    assert support.SCRIPT.taken == []
    assert filled(1, 3, by="anna", reason="outage") == [1, 2, 3]
    assert support.SCRIPT.ids == [f"s@{to_ms(moment(one))}" for one in (1, 2, 3)]
    assert {one.trigger for one in support.SCRIPT.taken} == {"backfill"}
    assert ranges() == [(0, 0, 1), (4, 4, 1)]
    assert log()[-3:] == ["fired 1 backfill", "fired 2 backfill", "fired 3 backfill"]
    assert {(run.get("by"), run.get("note")) for run in service.runs("s")[:3]} == {("anna", "outage")}


def test_next_run_counters_and_limits_stay() -> None:
    missed_to(5, max_runs=2)
    before, old = entry_at(5), score()
    filled(0, 4)
    after = entry_at(5)
    assert score() == old
    for key in ("next", "fired_count", "missed_count", "last_nominal", "last_fired"):
        assert getattr(after, key) == getattr(before, key)
    assert after.outcomes == "fffff" + before.outcomes
    assert ranges() == []
    assert tick_at(6 * MINUTE) == [6]


def test_both_ends_count_and_what_is_not_on_the_grid_does_not() -> None:
    missed_to(5)
    assert times(0.5, 2.5) == [1, 2]
    assert times(2, 2) == [2]
    assert times(2.1, 2.9) == []
    assert filled(2.1, 2.9) == []


def test_what_is_not_known_as_missed_needs_force() -> None:
    missed_to(5)
    for first, last, strange in ((4, 5, "1 of 2"), (5, 5, "1 of 1"), (-3, 1, "3 of 5")):
        with pytest.raises(Conflict, match=f"{strange}.* not known as missed.*force"):
            filled(first, last)
    assert support.SCRIPT.taken == []
    assert filled(4, 6, force=True) == [4, 5, 6]
    assert ranges() == [(0, 3, 4)]


def test_what_an_operator_took_out_is_not_known_as_missed() -> None:
    """A range of missed times does not reach over what was skipped or paused inside it."""
    put()
    with frozen(-0.5):
        skip("s", 2)
    with frozen(3.5):
        pause("s", until=moment(6))
    assert tick_at(8 * MINUTE) == [8]
    assert ranges() == [(6, 7, 2), (2, 3, 2)]
    for first, last in ((1, 2), (3, 4), (5, 6), (2, 7)):
        with pytest.raises(Conflict, match="not known"):
            times(first, last)
    assert [times(2, 3), times(6, 7)] == [[2, 3], [6, 7]]


def test_nor_is_what_a_changed_recurrence_has_there() -> None:
    missed_to(40, cron="*/10 * * * *", timezone="UTC")
    assert ranges() == [(0, 30, 4)]
    put(41 * MINUTE)
    with pytest.raises(Conflict, match="31 of 31"):
        times(0, 30)


def test_what_is_excluded_since_is_no_nominal_time() -> None:
    missed_to(5)
    put(5.5 * MINUTE, exclude=["2-3 10 * * *"])
    assert filled(1, 4) == [1, 4]


def test_a_range_is_cut_where_it_was_filled_and_twenty_are_kept() -> None:
    missed_to(50)
    for one in range(1, 39, 2):
        assert filled(one, one) == [one]
    assert ranges() == [*((one, one, 1) for one in range(0, 38, 2)), (38, 49, 12)]
    filled(40, 40)
    assert ranges()[-1] == (38, 39, 2)
    assert len(ranges()) == 20


def test_what_lies_ahead_is_refused_even_by_force() -> None:
    missed_to(5)
    with pytest.raises(Conflict, match="lies ahead"):
        times(4, 61, force=True)
    with pytest.raises(ValueError, match="before start"):
        times(4, 3)


def test_too_many_are_refused() -> None:
    missed_to(5)
    with pytest.raises(Conflict, match="10,000"):
        times(-10_001, 0, force=True)
    assert len(times(-9_999, 0, force=True)) == 10_000


def test_it_is_throttled_and_told_of() -> None:
    missed_to(50)
    slept: list[float] = []
    told: list[int] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        assert len(support.SCRIPT.taken) == 10 * len(slept)

    assert len(filled(0, 24, sleep=sleep, per_second=5, each=lambda one: told.append(one.nominal_ms))) == 25
    assert slept == [2, 2]
    assert len(told) == 25


@pytest.mark.parametrize("rate", [0, -1, float("nan")])
def test_a_rate_is_more_than_nothing(rate: float) -> None:
    missed_to(5)
    with pytest.raises(ValueError, match=r"^per_second: "):
        filled(0, 4, per_second=rate)
    assert support.SCRIPT.taken == []


def test_a_refusal_ends_it_and_what_was_fired_is_noted() -> None:
    missed_to(30)
    taken = support.SCRIPT.taken

    def refuse(occurrence: Any) -> None:
        if len(taken) == 13:
            raising(ConnectionError)(occurrence)

    support.SCRIPT.before = refuse
    with pytest.raises(DispatchFailed):
        filled(0, 29)
    assert (len(taken), ranges()) == (13, [(13, 29, 17)])
    support.SCRIPT.before = lambda occurrence: None
    assert filled(13, 29) == list(range(13, 30))


def test_a_death_repeats_ten_at_most() -> None:
    missed_to(30)
    support.SCRIPT.before = lambda occurrence: len(support.SCRIPT.taken) == 15 and raising(support.Death)(occurrence)
    with pytest.raises(support.Death):
        filled(0, 29)
    assert ranges() == [(15, 29, 15)]


def test_it_works_while_paused() -> None:
    missed_to(5)
    with frozen(6):
        pause("s")
    assert filled(0, 4) == [0, 1, 2, 3, 4]
    assert next_at(60) == 61


def test_one_without_phase_has_the_grid_of_its_last_run() -> None:
    put(after=0, every="7m")
    assert tick_at(0) == [0]
    assert tick_at(29 * MINUTE) == [28]
    assert times(0, 28, force=True) == [0, 7, 14, 21, 28]
    assert filled(7, 21) == [7, 14, 21]
    assert tick_at(35 * MINUTE) == [35]


def test_bounds_hold() -> None:
    missed_to(5, start_at=moment(-2))
    assert times(-10, 0, force=True) == [-2, -1, 0]


def test_unknown_or_switched_off() -> None:
    with pytest.raises(ScheduleNotFound):
        filled(0, 1)
    missed_to(5)
    with scripted(ENABLED=False), pytest.raises(Conflict, match="ENABLED"):
        filled(0, 4)
    assert support.SCRIPT.taken == []

"""Catching up on the real server: the table of the plan, in one tick; and a plan that is cut short."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from django_repeat import get, register, service, upsert
from django_repeat.exceptions import DispatchFailed
from django_repeat.testing import freeze
from django_repeat.ticker.pace import GROUP
from tests.ticker.minutely import START, minute_of, outcomes, put, tick_at
from tests.ticker.missed import CASES, Missed
from tests.ticker.support import Death, Elapsed, Script, raising, scripted, seconds, ticker

LEASE = 30


@pytest.mark.parametrize("row, fields, fires", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_table(row: Missed, fields: dict[str, Any], fires: list[datetime], script: Script) -> None:
    with freeze(seconds(row.last, -1)):
        register("s", task="a.b", recurrence=row.recurrence, **fields)
    with freeze(row.last):
        assert [one.nominal for one in ticker().tick().fired] == [row.last]
    with freeze(row.now), scripted(HISTORY=100):
        assert [one.nominal for one in ticker().tick().fired] == fires
        assert ticker().tick().fired == []
    entry = get("s")
    missed = row.due - len(fires)
    assert (entry.next, entry.fired_count, entry.missed_count) == (row.next, 1 + len(fires), missed)
    assert [one.missed_count for one in script.taken[1:]] == ([missed] + [0] * len(fires))[: len(fires)]
    assert len(set(script.ids)) == len(script.ids)
    logged = [run for run in service.runs("s") if run["outcome"] == "missed"]
    assert sum(run["count"] for run in logged) == missed


def minutely(**fields: Any) -> None:
    put(**{"catch_up": "all", **fields})


def minutes(script: Script) -> list[int]:
    return [minute_of(one.nominal_ms) for one in script.taken]


def test_a_long_plan_is_carried_out_by_one_tick_in_groups(script: Script) -> None:
    minutely()
    assert tick_at(59 * 60 + 30) == list(range(60))
    assert get("s").fired_count == 60
    assert get("s").next == seconds(START, 3600)


def test_more_than_the_limit_is_counted_once(script: Script) -> None:
    minutely(limit=2 * GROUP)
    assert tick_at(99 * 60) == list(range(50, 100))
    entry = get("s")
    assert (entry.fired_count, entry.missed_count) == (50, 50)
    assert [one.missed_count for one in script.taken] == [50] + [0] * 49


@pytest.mark.parametrize("at_the", [0, 10, GROUP - 1, GROUP, GROUP + 7])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_death_half_way_repeats_at_most_the_group(script: Script, at_the: int, when: str) -> None:
    minutely(limit=40)

    def dies(occurrence: Any) -> None:
        if len(script.taken) == at_the + (when == "after"):
            raise Death

    setattr(script, when, dies)
    with pytest.raises(Death):
        tick_at(59 * 60)
    script.before = script.after = lambda occurrence: None
    unsettled = at_the % GROUP + (when == "after")
    tick_at(59 * 60 + LEASE + 1)
    tick_at(59 * 60 + LEASE + 2)
    found = minutes(script)
    assert sorted(set(found)) == list(range(20, 60))
    assert len(found) == 40 + unsettled
    assert unsettled <= GROUP
    entry = get("s")
    assert (entry.fired_count, entry.missed_count, entry.next) == (40, 20, seconds(START, 3600))


def test_after_a_death_half_way_nothing_that_may_have_fired_is_called_missed(script: Script) -> None:
    """An hour later the window would leave all of it out; what counts is the instant of the first claim."""
    minutely(window="10m")
    script.after = lambda occurrence: raising(Death)(occurrence) if len(script.taken) == 3 else None
    with pytest.raises(Death):
        tick_at(9 * 60)
    script.after = lambda occurrence: None
    assert tick_at(69 * 60) == list(range(10))
    assert get("s").missed_count == 0
    assert tick_at(69 * 60) == list(range(59, 70))
    assert get("s").missed_count == 49


@pytest.mark.parametrize("half_way", ["stopped", "refused"])
def test_a_second_interruption_does_not_forget_the_first(script: Script, half_way: str) -> None:
    """A dead ticker enqueued five; the next one comes to two, and what it gives back may be among the other three."""
    minutely(window="10m")
    script.after = lambda occurrence: raising(Death)(occurrence) if len(script.taken) == 5 else None
    with pytest.raises(Death):
        tick_at(9 * 60)
    script.after = lambda occurrence: None
    if half_way == "stopped":
        assert tick_at(69 * 60, stopped=lambda: len(script.taken) >= 7) == [0, 1]
    else:
        script.before = lambda occurrence: refused() if len(script.taken) == 7 else None
        assert tick_at(69 * 60) == [0, 1]
        script.before = lambda occurrence: None
    assert tick_at(70 * 60)[:8] == list(range(2, 10))
    tick_at(70 * 60)
    assert get("s").missed_count == 50


def refused() -> None:
    raise DispatchFailed("no such task", certain=True)


@pytest.mark.parametrize("error, reason", [
    (ConnectionError("down"), "engine_error"),
    (DispatchFailed("no such task", certain=True), "engine_error"),
])  # fmt: skip
def test_a_refusal_half_way_keeps_what_fired(script: Script, error: Exception, reason: str) -> None:
    minutely(limit=5)

    def refuse(occurrence: Any) -> None:
        if len(script.taken) == 2:
            raise error

    script.before = refuse
    assert tick_at(6 * 60) == [2, 3]
    entry = get("s")
    assert (entry.next, entry.fired_count, entry.missed_count) == (seconds(START, 4 * 60), 2, 2)
    assert (entry.failures, entry.last_nominal, entry.last_outcome) == (1, seconds(START, 3 * 60), "failed")
    assert outcomes() == [("missed", "limit", 2), ("fired", "", 1), ("fired", "", 1), ("failed", reason, 1)]
    assert tick_at(6 * 60 + 0.9) == []
    script.before = lambda occurrence: None
    assert tick_at(6 * 60 + 1) == [4, 5, 6]
    entry = get("s")
    assert (entry.failures, entry.error, entry.fired_count, entry.missed_count) == (0, "", 5, 2)
    assert entry.next == seconds(START, 7 * 60)
    assert len(set(script.ids)) == 5


def test_what_fires_again_begins_the_row_of_failures_anew(script: Script) -> None:
    minutely()
    script.before = raising(ConnectionError, times=3)
    assert tick_at(120) == tick_at(121) == tick_at(123) == []
    assert get("s").failures == 3
    script.before = lambda occurrence: raising(ConnectionError)(occurrence) if script.taken else None
    assert tick_at(127) == [0]
    entry = get("s")
    assert (entry.failures, entry.state, entry.next) == (1, "failing", seconds(START, 60))
    assert tick_at(127.9) == []
    script.before = lambda occurrence: None
    assert tick_at(128) == [1, 2]


def test_an_engine_outage_and_a_window(script: Script) -> None:
    """What was tried may have been enqueued, and is tried until it works; the window holds for the rest."""
    minutely(window="10m", catch_up="latest")
    script.before = raising(ConnectionError, times=1)
    assert tick_at(0) == []
    assert tick_at(3600) == [0]
    assert tick_at(3600) == [60]
    assert get("s").missed_count == 59
    assert outcomes()[-3:] == [("missed", "window", 49), ("missed", "coalesced", 10), ("fired", "", 1)]


def test_a_task_that_is_away_and_a_window(script: Script) -> None:
    """Nothing can have been enqueued, so the window holds for all."""
    minutely(window="10m", catch_up="latest")

    def gone(occurrence: Any) -> None:
        raise DispatchFailed("gone", certain=True)

    script.before = gone
    assert tick_at(0) == []
    script.before = lambda occurrence: None
    assert tick_at(3600) == [60]
    assert get("s").missed_count == 60


def test_a_stop_half_way_gives_the_rest_back_at_once(script: Script) -> None:
    minutely()
    assert tick_at(600, stopped=lambda: len(script.taken) >= 4) == [0, 1, 2, 3]
    entry = get("s")
    assert (entry.state, entry.fired_count, entry.failures, entry.next) == ("due", 4, 0, seconds(START, 240))
    assert tick_at(600) == list(range(4, 11))


def test_two_thirds_of_the_lease_end_a_plan_too(script: Script) -> None:
    minutely()
    elapsed = Elapsed()

    def slow(occurrence: Any) -> None:
        elapsed.seconds += LEASE / 3

    script.after = slow
    assert tick_at(600, elapsed=elapsed, batch=1) == [0]
    assert get("s").next == seconds(START, 60)
    script.after = lambda occurrence: None
    assert tick_at(600) == list(range(1, 11))
    assert len(set(script.ids)) == 11


def test_a_slow_link_cannot_keep_a_plan_from_going_on(script: Script) -> None:
    """Each look at the time finds the group's time over; still each claim fires one."""
    minutely()
    elapsed = Elapsed()

    def slow() -> float:
        elapsed.seconds += 0.3
        return elapsed.seconds

    fired = tick_at(600, elapsed=slow)
    assert fired == list(range(len(fired)))
    assert fired


def test_a_plan_that_lost_its_fence_records_nothing_more(script: Script) -> None:
    minutely()

    def other(occurrence: Any) -> None:
        if len(script.taken) == 2:
            tick_at(180 + LEASE)

    script.after = other
    tick_at(180)
    assert sorted(minutes(script)) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert get("s").fired_count == 4


def test_a_changed_recurrence_half_way_keeps_what_fired(script: Script) -> None:
    """The claim is superseded: what it fired is recorded, what it had not fired yet is no longer owed."""
    minutely()

    def change(occurrence: Any) -> None:
        if len(script.taken) == GROUP - 1:
            upsert("s", task="a.b", cron="30 * * * *", timezone="UTC")

    script.after = change
    assert tick_at(59 * 60) == list(range(GROUP))
    entry = get("s")
    assert (entry.fired_count, entry.next) == (GROUP, seconds(START, 90 * 60))
    assert entry.last_nominal == seconds(START, (GROUP - 1) * 60)


def test_what_only_missed_says_so(script: Script) -> None:
    minutely(catch_up="none")
    assert tick_at(600 + 30) == [10]
    assert tick_at(20 * 60 - 0.001) == [19]
    with freeze(seconds(START, 19 * 60 + 1)):
        upsert("s", task="a.b", cron="0 * * * *", timezone="UTC", catch_up="none")
    assert tick_at(2 * 3600 - 1) == []
    entry = get("s")
    assert (entry.last_outcome, entry.last_nominal) == ("missed", seconds(START, 19 * 60))
    assert outcomes()[-1] == ("missed", "grace", 1)

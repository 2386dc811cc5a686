"""Two features at once: what is right where both have a say."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat import pause, pause_all, resume, resume_all, skip
from tests.control.looking import entry_at, frozen, log, minutes, moment, next_at, score
from tests.ticker import support
from tests.ticker.minutely import MINUTE, put, tick_at


def paused(at: float, **more: Any) -> None:
    with frozen(at):
        pause("s", **more)


def resumed(at: float, **more: Any) -> None:
    with frozen(at):
        resume("s", **more)


def test_paused_and_overdue_before_it() -> None:
    """Two were due before the pause: as after an outage, the latest of them fires."""
    put()
    paused(1.5)
    assert entry_at(3).state == "paused"
    resumed(4.5)
    assert tick_at(4.6 * MINUTE) == [1]
    assert log()[-3:] == ["missed 0 coalesced", "fired 1", "skipped 2-4 paused"]


def test_paused_until_an_instant_and_overdue_before_it() -> None:
    put()
    paused(0.5, until=moment(3))
    assert score() == moment(3).timestamp() * 1000
    assert tick_at(3 * MINUTE) == [3]
    assert log() == ["pause", "missed 0 coalesced", "skipped 1-2 paused", "fired 3"]


def test_paused_until_an_instant_with_all_made_up() -> None:
    put(catch_up="all")
    paused(0.5, until=moment(3))
    assert tick_at(4 * MINUTE) == [0, 3, 4]


@pytest.mark.parametrize("catch_up", ["latest", "none"])
def test_replay_and_each_way_to_catch_up(catch_up: str) -> None:
    put(catch_up=catch_up)
    paused(-0.5)
    resumed(3.5, replay=True)
    assert tick_at(3.6 * MINUTE) == [3]
    assert log()[-2:] == [f"missed 0-2 {'coalesced' if catch_up == 'latest' else 'grace'}", "fired 3"]


def test_replay_and_all_of_more_than_the_limit() -> None:
    put(catch_up="all", limit=2)
    paused(-0.5)
    resumed(4.5, replay=True)
    assert tick_at(4.6 * MINUTE) == [3, 4]


def test_spread_and_what_a_pause_holds_back() -> None:
    """Its nominal time lies before the pause, the instant that it falls due in it: it fires after it."""
    put(spread="50s")
    paused(0.001)
    resumed(3.5)
    assert tick_at(3.6 * MINUTE) == [0]
    assert log()[-2:] == ["fired 0", "skipped 1-3 paused"]
    assert tick_at(4.5 * MINUTE) == [4]


def test_spread_and_a_nominal_time_inside_the_pause() -> None:
    """Its nominal time lies in the pause, the instant that it falls due after it: it is dropped."""
    put(spread="50s")
    tick_at(0.5 * MINUTE)
    paused(0.9)
    resumed(1.001)
    assert next_at(1.001) == 2
    assert [tick_at(1.5 * MINUTE), tick_at(2.5 * MINUTE)] == [[], [2]]


def test_spread_and_all_made_up_with_a_skip() -> None:
    put(spread="50s", catch_up="all")
    with frozen(-0.5):
        assert minutes(skip("s", 2)) == [0, 1]
    assert tick_at(3.5 * MINUTE) == [2, 3]


def test_max_runs_and_all_with_a_pause() -> None:
    """What a pause dropped is no run: the limit goes to those after it."""
    put(max_runs=2, catch_up="all")
    paused(-0.5)
    resumed(2.5)
    assert tick_at(5.5 * MINUTE) == [3, 4]
    assert entry_at(6).state == "finished"


@pytest.mark.parametrize("fields", [{"cron": "*/5 * * * *", "timezone": "UTC"}, {"every": "5m", "phase": "0s"}])
def test_a_pause_and_a_changed_recurrence(fields: dict[str, str]) -> None:
    put()
    tick_at(0)
    paused(0.5)
    put(2.5 * MINUTE, **fields)
    assert (entry_at(2.5).state, next_at(2.5), score()) == ("paused", 5, float("inf"))
    resumed(7.5)
    assert [tick_at(7.6 * MINUTE), tick_at(10 * MINUTE)] == [[], [10]]
    assert log()[-3:] == ["skipped 5 paused", "resume", "fired 10"]


def test_a_pause_until_an_instant_and_a_changed_recurrence() -> None:
    put(cron="0 * * * *", timezone="UTC")
    tick_at(0)
    paused(0.5, until=moment(10))
    put(1.5 * MINUTE)
    assert next_at(2) == 10
    assert [tick_at(9 * MINUTE), tick_at(10 * MINUTE)] == [[], [10]]


def test_a_paused_queue_and_a_schedule_paused_until_later() -> None:
    put()
    paused(-0.5, until=moment(6))
    with frozen(-0.4):
        pause_all(until=moment(3))
    assert tick_at(3 * MINUTE) == []
    assert (entry_at(4).pause.whole_queue, next_at(4)) == (False, 6)
    assert tick_at(6 * MINUTE) == [6]
    assert entry_at(6).skipped_count == 6


def test_a_schedule_and_its_queue_paused_one_after_the_other() -> None:
    put()
    paused(-0.5, until=moment(2))
    with frozen(4.5):
        pause_all()
    with frozen(6.5):
        resume_all()
    assert tick_at(6.6 * MINUTE) == [4]
    assert log()[1:] == ["skipped 0-1 paused", "missed 2-3 coalesced", "fired 4", "skipped 5-6 paused"]


def test_a_disabled_schedule_keeps_its_pause() -> None:
    put()
    tick_at(0)
    paused(0.5, by="anna")
    put(1.5 * MINUTE, enabled=False)
    assert entry_at(2).state == "disabled"
    put(2.5 * MINUTE)
    assert (entry_at(3).state, entry_at(3).pause.by) == ("paused", "anna")


def test_one_at_its_end_keeps_its_pause_for_a_later_one() -> None:
    put(max_runs=1)
    assert tick_at(0) == [0]
    paused(0.5)
    put(1.5 * MINUTE, max_runs=3)
    assert (entry_at(2).state, next_at(2)) == ("paused", 3)
    assert tick_at(4 * MINUTE) == []


def test_what_is_excluded_is_not_counted_as_paused() -> None:
    put(exclude=["2-3 10 * * *"])
    tick_at(0)
    paused(0.5)
    resumed(5.5)
    assert (entry_at(6).skipped_count, next_at(6)) == (3, 6)
    assert support.SCRIPT.ids[1:] == []


def test_equal_skips_in_a_row_are_one_line() -> None:
    put()
    with frozen(-0.5):
        skip("s", 3)
    for minute in range(4):
        tick_at(minute * MINUTE)
    assert log() == ["skip", "skipped 0-2 operator", "fired 3"]
    assert entry_at(4).outcomes == "fsss"


def test_a_skip_inside_a_pause_counts_once() -> None:
    put()
    with frozen(-0.5):
        skip("s", 2)
    paused(-0.4)
    resumed(3.5)
    assert (entry_at(3.5).skipped_count, next_at(3.5)) == (4, 4)
    assert tick_at(4 * MINUTE) == [4]
    assert "holes" not in entry_at(5).raw

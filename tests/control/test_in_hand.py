"""What an operator does while a ticker has an occurrence in hand, or died with it, or an engine did not take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from django_repeat import cancel, pause, pause_all, resume, resume_all, skip, trigger, upsert
from tests.control.looking import entry_at, frozen, log, minutes, moment, next_at, score
from tests.ticker import support
from tests.ticker.minutely import MINUTE, put, tick_at
from tests.ticker.support import Death, raising


def meanwhile(act: Callable[[], Any]) -> None:
    """Do it once, between the next enqueue and its settle."""

    def step(occurrence: object) -> None:
        support.SCRIPT.after = lambda occurrence: None
        act()

    support.SCRIPT.after = step


def dies_at(after: float) -> None:
    """Let a ticker die between enqueue and settle."""
    support.SCRIPT.after = raising(Death)
    with pytest.raises(Death):
        tick_at(after)
    support.SCRIPT.after = lambda occurrence: None


def test_a_pause_lets_it_run_and_be_recorded() -> None:
    put()
    meanwhile(lambda: pause("s"))
    assert tick_at(0) == [0]
    entry = entry_at(0.5)
    assert (entry.state, entry.fired_count, minutes([entry.next])) == ("paused", 1, [1])
    assert score() == float("inf")
    assert tick_at(5 * MINUTE) == []


def test_a_pause_until_an_instant_outlasts_it() -> None:
    put(cron="0 * * * *", timezone="UTC")
    meanwhile(lambda: pause("s", until=moment(10), by="anna"))
    assert tick_at(0) == [0]
    assert entry_at(5).pause.by == "anna"
    put(5.5 * MINUTE)
    assert tick_at(9.9 * MINUTE) == []
    assert tick_at(10 * MINUTE) == [10]
    assert log()[-2:] == ["skipped 6-9 paused", "fired 10"]


@pytest.mark.parametrize("replay", [False, True])
def test_a_resume_too_leaves_it_alone(replay: bool) -> None:
    put(catch_up="all")

    def act() -> None:
        pause("s")
        with frozen(3.5):
            resume("s", replay=replay)

    meanwhile(act)
    assert tick_at(0) == [0]
    assert tick_at(3.6 * MINUTE) == ([1, 2, 3] if replay else [])
    assert tick_at(4 * MINUTE) == [4]
    assert entry_at(4).skipped_count == (0 if replay else 3)


def test_after_a_death_it_is_repeated_though_it_is_paused() -> None:
    put()
    dies_at(0)
    with frozen(0.1):
        pause("s")
    assert score() == moment(0.5).timestamp() * 1000
    assert tick_at(0.6 * MINUTE) == [0]
    assert support.SCRIPT.ids == [support.SCRIPT.ids[0]] * 2
    assert (score(), entry_at(1).state) == (float("inf"), "paused")


def test_nor_does_a_resume_lose_it() -> None:
    put()
    dies_at(0)
    with frozen(0.1):
        pause("s")
    with frozen(4.5):
        resume("s")
    assert tick_at(4.6 * MINUTE) == [0]
    assert [tick_at(4.7 * MINUTE), tick_at(5 * MINUTE)] == [[], [5]]
    assert log() == ["pause", "resume", "fired 0", "skipped 1-4 paused", "fired 5"]


def test_nor_does_a_pause_of_the_queue() -> None:
    put()
    dies_at(0)
    with frozen(0.1):
        pause_all()
    assert tick_at(4 * MINUTE) == []
    with frozen(4.5):
        resume_all()
    assert tick_at(4.6 * MINUTE) == [0]
    assert [tick_at(4.7 * MINUTE), tick_at(5 * MINUTE)] == [[], [5]]
    assert entry_at(5).missed_count == 0


def test_a_skip_drops_what_comes_after_it() -> None:
    put()
    found: list[int] = []
    meanwhile(lambda: found.extend(minutes(skip("s", 2))))
    assert tick_at(0) == [0]
    assert found == [1, 2]
    assert [tick_at(MINUTE), tick_at(2 * MINUTE), tick_at(3 * MINUTE)] == [[], [], [3]]


def test_a_skip_after_a_death_does_too() -> None:
    put()
    dies_at(0)
    with frozen(0.1):
        assert minutes(skip("s")) == [1]
    assert [tick_at(0.6 * MINUTE), tick_at(MINUTE), tick_at(2 * MINUTE)] == [[0], [], [2]]


def test_a_cancel_leaves_nothing_of_the_operator() -> None:
    put()

    def act() -> None:
        pause("s")
        skip("s", 3)
        cancel("s")
        with frozen(-0.5):
            upsert("s", task="a.b", cron="* * * * *", timezone="UTC")

    meanwhile(act)
    tick_at(0)
    entry = entry_at(0)
    assert (entry.pause, entry.skips, entry.outcomes, entry.fired_count) == (None, (), "", 0)


def test_a_run_by_hand_beside_it_is_another() -> None:
    put()
    meanwhile(lambda: trigger("s"))
    assert tick_at(0) == [0]
    assert [one.trigger for one in support.SCRIPT.taken] == ["schedule", "manual"]
    assert (entry_at(0).fired_count, next_at(0)) == (1, 1)


def test_a_pause_and_a_changed_recurrence_together() -> None:
    put()

    def act() -> None:
        pause("s", by="anna")
        upsert("s", task="a.b", cron="*/5 * * * *", timezone="UTC")

    meanwhile(act)
    assert tick_at(0) == [0]
    entry = entry_at(1)
    assert (entry.state, entry.fired_count, entry.pause.by, minutes([entry.next])) == ("paused", 1, "anna", [5])


def test_what_an_engine_refuses_waits_for_the_end_of_a_pause() -> None:
    put()
    support.SCRIPT.before = raising(ConnectionError)
    tick_at(0)
    with frozen(0.1):
        pause("s", until=moment(3.5))
    support.SCRIPT.before = lambda occurrence: None
    assert tick_at(3 * MINUTE) == []
    assert tick_at(3.5 * MINUTE) == [0]
    assert tick_at(3.6 * MINUTE) == []
    assert log() == ["failed 0 engine_error", "pause", "fired 0", "skipped 1-3 paused"]

"""Skip drops the next nominal times that would fire, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from django_repeat import cancel, get, pause, pause_all, resume, resume_all, service, signals, skip, upsert
from django_repeat.exceptions import Conflict
from tests.control.looking import entry_at, frozen, log, minutes, moment, next_at, score
from tests.ticker import support
from tests.ticker.minutely import MINUTE, put, tick_at
from tests.ticker.support import raising


def skipped(at: float, count: int = 1, **more: Any) -> list[int]:
    with frozen(at):
        return minutes(skip("s", count, **more))


@pytest.fixture
def told() -> Iterator[list[tuple[str, int]]]:
    """What signals say: the reason and how many."""
    found: list[tuple[str, int]] = []

    def receive(*, reason: str, count: int, **_: Any) -> None:
        found.append((str(reason), count))

    signals.occurrences_skipped.connect(receive)
    signals.occurrences_missed.connect(receive)
    yield found
    signals.occurrences_skipped.disconnect(receive)
    signals.occurrences_missed.disconnect(receive)


def test_what_lies_ahead_is_dropped_when_it_falls_due(told: list[tuple[str, int]]) -> None:
    put()
    assert tick_at(0) == [0]
    assert skipped(0.5, 2) == [1, 2]
    entry = entry_at(0.6)
    assert (minutes(entry.skips), next_at(0.6), entry.skipped_count, entry.state) == ([1, 2], 3, 0, "scheduled")
    assert [tick_at(minute * MINUTE) for minute in (1, 2, 3, 4)] == [[], [], [3], [4]]
    assert log() == ["fired 0", "skip", "skipped 1-2 operator", "fired 3", "fired 4"]
    assert (entry_at(5).skipped_count, entry_at(5).skips, entry_at(5).outcomes) == (2, (), "ffssf")
    assert told == [("operator", 1), ("operator", 1)]


def test_one_more_is_the_one_after() -> None:
    put()
    assert [skipped(-0.5), skipped(-0.4), skipped(-0.3, 2)] == [[0], [1], [2, 3]]


def test_what_is_due_is_dropped_at_once(told: list[tuple[str, int]]) -> None:
    put()
    assert skipped(2.5, 2) == [2, 3]
    entry = entry_at(2.5)
    assert (entry.skipped_count, entry.missed_count, next_at(2.5), minutes(entry.skips)) == (1, 2, 4, [3])
    assert (entry.outcomes, entry.last_outcome) == ("sm", "skipped")
    assert score() == moment(3).timestamp() * 1000
    assert log() == ["missed 0-1 coalesced", "skipped 2 operator", "skip"]
    assert [tick_at(2.6 * MINUTE), tick_at(3 * MINUTE), tick_at(4 * MINUTE)] == [[], [], [4]]
    assert told == [("coalesced", 2), ("operator", 1), ("operator", 1)]


def test_who_and_why_are_in_the_log() -> None:
    put()
    skipped(-0.5, 3, by="anna", reason="holiday")
    (said,) = service.runs("s")
    assert (said["verb"], said["by"], said["note"], said["count"]) == ("skip", "anna", "holiday", 3)
    assert minutes([moment(0), moment(2)]) == [0, 2]
    assert (said["first"], said["nominal"]) == tuple(moment(one).timestamp() * 1000 for one in (0, 2))


def test_of_what_is_made_up_the_rest_still_fires() -> None:
    put(catch_up="all", limit=3)
    assert skipped(4.5, 1) == [2]
    assert log() == ["missed 0-1 limit", "skipped 2 operator", "skip"]
    assert tick_at(4.6 * MINUTE) == [3, 4]


@pytest.mark.parametrize("overlap", ["skip", "queue_one"])
def test_of_what_may_not_overlap_it_is_the_first(overlap: str) -> None:
    put(catch_up="all", overlap=overlap, max_runtime="1h")
    assert skipped(2.5, 1) == [0]
    assert tick_at(2.6 * MINUTE) == [1]


def test_what_is_dropped_leaves_its_place_to_a_later_one() -> None:
    put(max_runs=2, catch_up="all")
    assert skipped(-0.5, 3) == [0, 1, 2]
    assert tick_at(9.5 * MINUTE) == [3, 4]
    cancel("s")
    put(max_runs=2, catch_up="all")
    assert skipped(4.5, 3) == [0, 1, 2]
    assert tick_at(9.5 * MINUTE) == [3, 4]


def test_where_the_schedule_ends_there_are_fewer_and_then_none() -> None:
    put(end_at=moment(1))
    assert skipped(-0.5, 5) == [0, 1]
    with pytest.raises(Conflict, match="no further"):
        skipped(-0.4)
    assert tick_at(3 * MINUTE) == []
    assert entry_at(3).state == "finished"
    with pytest.raises(Conflict, match="no further"):
        skipped(3.5)


def test_what_is_too_late_to_fire_is_not_what_is_dropped() -> None:
    put(catch_up="none", grace="10s")
    assert skipped(3.5) == [4]
    assert [tick_at(3.6 * MINUTE), tick_at(4 * MINUTE), tick_at(5 * MINUTE)] == [[], [], [5]]


def test_excluded_times_are_none() -> None:
    put(cron="0 * * * *", timezone="UTC", exclude=["* 11-12 * * *"])
    assert skipped(-1, 3) == [0, 180, 240]


def test_what_waits_for_its_spread_is_next() -> None:
    put(spread="50s")
    at = entry_at(-0.5).due.timestamp() - moment(0).timestamp()
    assert at > 0.4
    assert skipped(0.005) == [0]
    assert [tick_at(0.99 * MINUTE), tick_at(1.99 * MINUTE)] == [[], [1]]


def test_of_one_that_an_engine_refuses_the_retry_is_dropped() -> None:
    put()
    support.SCRIPT.before = raising(ConnectionError)
    tick_at(0)
    assert entry_at(0.1).state == "failing"
    assert skipped(0.2) == [0]
    assert (entry_at(0.2).state, entry_at(0.2).failures, entry_at(0.2).error) == ("scheduled", 0, "")
    support.SCRIPT.before = lambda occurrence: None
    assert [tick_at(0.3 * MINUTE), tick_at(1 * MINUTE)] == [[], [1]]
    assert log() == ["failed 0 engine_error", "skipped 0 operator", "skip", "fired 1"]


def test_and_then_what_has_fallen_due_since() -> None:
    put()
    support.SCRIPT.before = raising(ConnectionError)
    tick_at(0)
    assert skipped(3.5, 3) == [0, 3, 4]
    support.SCRIPT.before = lambda occurrence: None
    assert [tick_at(3.6 * MINUTE), tick_at(4 * MINUTE), tick_at(5 * MINUTE)] == [[], [], [5]]


@pytest.mark.parametrize("whole", [False, True], ids=["alone", "queue"])
def test_while_paused_it_is_what_comes_after_the_pause(whole: bool) -> None:
    put()
    tick_at(0)
    with frozen(0.5):
        pause_all() if whole else pause("s")
    assert skipped(3.5, 2) == [4, 5]
    with frozen(3.6):
        resume_all() if whole else resume("s")
    assert next_at(3.6) == 6
    assert [tick_at(minute * MINUTE) for minute in (3.7, 4, 5, 6)] == [[], [], [], [6]]
    assert (entry_at(6).skipped_count, entry_at(6).missed_count) == (5, 0)


@pytest.mark.parametrize("whole", [False, True], ids=["alone", "queue"])
def test_while_paused_until_an_instant_it_is_what_comes_after_that(whole: bool) -> None:
    put()
    tick_at(0)
    with frozen(0.5):
        pause_all(until=moment(10)) if whole else pause("s", until=moment(10))
    assert skipped(3.5) == [10]
    assert [tick_at(10 * MINUTE), tick_at(11 * MINUTE)] == [[], [11]]


@pytest.mark.parametrize("replay", [False, True])
def test_while_paused_what_was_due_before_is_first_and_a_replay_loses_nothing(replay: bool) -> None:
    put(catch_up="all")
    with frozen(1.5):
        pause("s")
    assert skipped(4.5) == [0]
    assert log() == ["pause", "skipped 0 operator", "skip"]
    assert skipped(4.6, 2) == [1, 5]
    with frozen(4.7):
        resume("s", replay=replay)
    assert tick_at(4.8 * MINUTE) == ([2, 3, 4] if replay else [])
    assert [tick_at(5 * MINUTE), tick_at(6 * MINUTE)] == [[], [6]]


def test_after_a_pause_that_ended_by_itself_its_times_are_not_missed() -> None:
    put()
    tick_at(0)
    with frozen(0.5):
        pause("s", until=moment(3))
    assert skipped(4.5) == [4]
    assert log()[-4:] == ["skipped 1-2 paused", "missed 3 coalesced", "skipped 4 operator", "skip"]
    assert tick_at(5 * MINUTE) == [5]


@pytest.mark.parametrize("count", [0, -1, 101, 1.0, True, "2", None], ids=repr)
def test_how_many_is_a_whole_number(count: Any) -> None:
    put()
    with pytest.raises(ValueError, match=r"^count: "):
        skip("s", count)
    assert get("s").skips == ()


def test_more_than_a_thousand_ahead_are_refused() -> None:
    put()
    for _ in range(10):
        skipped(-0.5, 100)
    with pytest.raises(Conflict, match="pause it"):
        skipped(-0.5)
    assert len(entry_at(-0.5).skips) == 1000


def test_a_deploy_brings_nothing_back() -> None:
    put()
    assert skipped(-0.5, 2) == [0, 1]
    put(-0.4 * MINUTE, args=[7])
    with frozen(-0.3):
        upsert("s", task="a.b", cron="*/1 * * * *", timezone="UTC")
    assert [tick_at(0), tick_at(MINUTE), tick_at(2 * MINUTE)] == [[], [], [2]]

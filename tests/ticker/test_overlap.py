"""Runs that may not overlap: what an engine tells of them decides what fires, what waits and what is skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from django_repeat import get, service
from django_repeat.run import RunState
from django_repeat.testing import freeze
from tests.ticker import running, support
from tests.ticker.minutely import MINUTE, START, outcomes, put, state, tick_at
from tests.ticker.support import raising, scripted, seconds

BOTH = pytest.mark.parametrize("overlap", ["skip", "queue_one"])


@pytest.fixture(autouse=True)
def engine(script: object) -> Iterator[None]:
    with scripted(ENGINE=running.begin()):
        yield


def record() -> dict[str, str]:
    return dict(get("s").raw)


def score() -> float:
    """Answer when a ticker is to look again, in seconds after START."""
    reply = service.store("default").call("page", [], [0, 1, "asc"])[2]
    return float(reply[1]) / 1000 - START.timestamp()


def test_skip_lets_the_next_go_by_until_the_run_ends() -> None:
    put(overlap="skip")
    assert tick_at(0) == [0]
    assert [tick_at(MINUTE), tick_at(2 * MINUTE)] == [[], []]
    running.end()
    assert tick_at(3 * MINUTE) == [3]
    assert outcomes() == [("fired", "", 1), ("skipped", "overlap", 2), ("fired", "", 1)]
    assert (get("s").skipped_count, get("s").missed_count, get("s").outcomes) == (2, 0, "fssf")


def test_queue_one_keeps_the_first_with_its_own_id() -> None:
    put(overlap="queue_one")
    for minute in range(4):
        assert tick_at(minute * MINUTE) == [0] * (minute == 0)
    with freeze(seconds(START, 200)):
        entry = get("s")
    assert (entry.waiting, entry.state) == (seconds(START, MINUTE), "scheduled")
    running.end()
    assert tick_at(3.5 * MINUTE) == [1]
    assert support.SCRIPT.taken[-1].fired_ms - support.SCRIPT.taken[-1].nominal_ms == 150_000
    assert outcomes() == [("fired", "", 1), ("skipped", "overlap", 2), ("fired", "", 1)]
    assert not {"wait", "poll"} & set(record())
    assert tick_at(4 * MINUTE) == []
    running.end()
    assert tick_at(4.5 * MINUTE) == [4]


def test_what_waits_goes_before_what_is_due() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    running.end()
    assert tick_at(2 * MINUTE) == [1]
    assert get("s").waiting == seconds(START, 2 * MINUTE)
    running.end()
    assert tick_at(2.5 * MINUTE) == [2]


def test_the_engine_is_asked_after_a_twentieth_of_the_time_so_far() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    assert score() == MINUTE + 3
    tick_at(90)
    assert score() == 90 + 4.5
    tick_at(115)
    assert score() == 120
    running.ASKED.clear()
    tick_at(118)
    assert running.ASKED == []


@pytest.mark.parametrize("period, wait", [(2, 1), (36_000, 30)])
def test_not_more_than_once_a_second_nor_less_than_twice_a_minute(period: int, wait: int) -> None:
    put(overlap="queue_one", every=period, start_at=START)
    tick_at(0)
    tick_at(period)
    assert float(record()["poll"]) / 1000 - START.timestamp() == period + wait


def test_no_more_than_the_longest_run_is_waited_for() -> None:
    put(overlap="skip", max_runtime="90s")
    tick_at(0)
    assert [tick_at(MINUTE), tick_at(2 * MINUTE)] == [[], [2]]
    assert running.running() == [support.SCRIPT.ids[0], support.SCRIPT.ids[1]]


@BOTH
def test_a_result_that_is_gone_counts_as_ended(overlap: str) -> None:
    put(overlap=overlap)
    tick_at(0)
    running.RUNS.clear()
    assert tick_at(MINUTE) == [1]


@BOTH
def test_so_does_one_that_failed(overlap: str) -> None:
    put(overlap=overlap)
    tick_at(0)
    running.end(state=RunState.FAILED)
    assert tick_at(MINUTE) == [1]


@BOTH
@pytest.mark.parametrize("waits", [RunState.WAITING, RunState.RUNNING])
def test_one_that_has_not_begun_has_not_ended(overlap: str, waits: RunState) -> None:
    put(overlap=overlap)
    tick_at(0)
    running.end(state=waits)
    assert tick_at(MINUTE) == []


@BOTH
def test_an_engine_that_cannot_be_asked_is_a_failure_and_nothing_more(overlap: str) -> None:
    put(overlap=overlap)
    tick_at(0)
    running.Trouble.error = ConnectionError("no broker")
    assert tick_at(MINUTE) == []
    entry = get("s")
    assert (entry.failures, entry.broken_reason, score()) == (1, "", MINUTE + 1)
    assert "no broker" in entry.error
    # Nothing can have been handed over: the next try plans afresh.
    assert "asof" not in entry.raw
    assert tick_at(MINUTE + 1) == []
    assert score() == MINUTE + 3
    running.Trouble.error = None
    assert tick_at(2 * MINUTE) == []
    said = [("fired", "", 1), ("failed", "engine_error", 1)]
    if overlap == "skip":
        assert outcomes() == [*said, ("missed", "coalesced", 1), ("skipped", "overlap", 1)]
    else:
        assert get("s").waiting == seconds(START, 2 * MINUTE)
    running.end()
    assert tick_at(3 * MINUTE) == ([3] if overlap == "skip" else [2])


def test_what_waits_is_kept_while_the_engine_cannot_be_asked() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    running.Trouble.error = SystemExit(3)
    assert tick_at(70) == []
    running.Trouble.error = None
    running.end()
    assert tick_at(80) == [1]


def test_and_while_the_engine_does_not_take_it() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    running.end()
    support.SCRIPT.before = raising(ConnectionError)
    assert tick_at(70) == []
    failed = [run for run in service.runs("s") if run["outcome"] == "failed"]
    assert [run["nominal"] for run in failed] == [int(seconds(START, MINUTE).timestamp() * 1000)]
    support.SCRIPT.before = lambda occurrence: None
    assert tick_at(80) == [1]
    assert state(80) == ("scheduled", 2)


def test_the_last_one_of_a_schedule_waits_too() -> None:
    put(overlap="queue_one", end_at=seconds(START, MINUTE))
    tick_at(0)
    assert tick_at(MINUTE) == []
    assert ("nominal" in record(), state(70)[0]) == (False, "scheduled")
    assert tick_at(70) == []
    running.end()
    assert tick_at(10 * MINUTE) == [1]
    assert (state(11 * MINUTE)[0], record().get("wait"), score()) == ("finished", None, float("inf"))


def test_what_waits_has_its_place_among_max_runs() -> None:
    put(overlap="queue_one", max_runs=2)
    tick_at(0)
    tick_at(MINUTE)
    assert tick_at(2 * MINUTE) == []
    running.end()
    assert tick_at(3 * MINUTE) == [1]
    assert (state(3 * MINUTE)[0], get("s").fired_count) == ("finished", 2)


@pytest.mark.parametrize("overlap, waits", [("skip", None), ("queue_one", 1)])
def test_of_several_that_are_made_up_one_fires(overlap: str, waits: int | None) -> None:
    put(overlap=overlap, catch_up="all")
    assert tick_at(3.5 * MINUTE) == [0]
    found = get("s").waiting
    assert found == (None if waits is None else seconds(START, waits * MINUTE))
    assert outcomes()[-1] == ("skipped", "overlap", 3 if waits is None else 2)

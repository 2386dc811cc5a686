"""Runs that may not overlap: what an engine tells of them decides what fires, what waits and what is skipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from django_repeat import get, pause, resume, service, trigger, upsert
from django_repeat.run import RunState
from django_repeat.testing import freeze
from tests.ticker import running, support
from tests.ticker.minutely import MINUTE, START, outcomes, put, state, tick_at
from tests.ticker.support import Death, raising, scripted, seconds

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


def dies_at(after: float) -> None:
    support.SCRIPT.after = raising(Death)
    with pytest.raises(Death):
        tick_at(after)
    support.SCRIPT.after = lambda occurrence: None


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


@BOTH
def test_after_a_death_the_one_in_hand_is_repeated(overlap: str) -> None:
    put(overlap=overlap)
    dies_at(0)
    assert tick_at(40) == [0]
    assert support.SCRIPT.ids == [support.SCRIPT.ids[0]] * 2
    assert outcomes() == [("fired", "", 1)]


def test_what_a_death_may_have_fired_is_not_said_to_have_been_skipped_for_sure() -> None:
    put(overlap="skip")
    tick_at(0)
    running.end()
    dies_at(MINUTE)
    with freeze(seconds(START, 80)):
        trigger("s")
    assert tick_at(100) == []
    assert outcomes()[-1] == ("skipped", "unsure", 1)


def test_what_waited_is_repeated_after_a_death_too() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    running.end()
    dies_at(70)
    assert tick_at(101) == [1]
    assert support.SCRIPT.ids[1:] == [support.SCRIPT.ids[1]] * 2


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


@BOTH
def test_a_run_by_hand_begins_at_once_and_counts_for_those_after(overlap: str) -> None:
    put(overlap=overlap)
    tick_at(0)
    running.end()
    with freeze(seconds(START, 30)):
        identity = trigger("s").id
    assert running.running() == [identity]
    assert tick_at(MINUTE) == []
    running.end()
    assert tick_at(2 * MINUTE) == ([2] if overlap == "skip" else [1])


def test_a_run_by_hand_beside_another_is_not_kept_from_beginning() -> None:
    put(overlap="skip")
    tick_at(0)
    with freeze(seconds(START, 30)):
        trigger("s")
    assert len(running.running()) == 2
    running.end(support.SCRIPT.ids[0])
    assert tick_at(MINUTE) == []


def test_where_runs_may_overlap_nobody_is_asked() -> None:
    put()
    assert [tick_at(0), tick_at(MINUTE)] == [[0], [1]]
    with freeze(seconds(START, 70)):
        trigger("s")
    assert running.ASKED == []
    assert not {"run", "manual", "wait", "poll"} & set(record())


def test_a_deploy_that_lets_them_overlap_lets_what_waits_go() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    put(70)
    assert tick_at(2 * MINUTE) == [1, 2]
    assert not {"wait", "poll"} & set(record())


def test_a_deploy_that_skips_keeps_what_was_promised_to_wait() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    put(70, overlap="skip")
    assert tick_at(2 * MINUTE) == []
    running.end()
    assert tick_at(150) == [1]
    assert outcomes()[1:] == [("skipped", "overlap", 1), ("fired", "", 1)]


@pytest.mark.parametrize("fields", [{"args": [7]}, {"cron": "*/5 * * * *", "timezone": "UTC"}])
def test_a_deploy_keeps_what_waits(fields: dict[str, Any]) -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    put(70, overlap="queue_one", **fields)
    running.end()
    assert tick_at(80) == [1]


def test_a_pause_keeps_what_waits() -> None:
    put(overlap="queue_one")
    tick_at(0)
    tick_at(MINUTE)
    with freeze(seconds(START, 70)):
        pause("s")
    running.end()
    assert tick_at(5 * MINUTE) == []
    with freeze(seconds(START, 330)):
        resume("s")
    assert tick_at(331) == [1]
    running.end()
    assert tick_at(6 * MINUTE) == [6]


ANSWERS: list[bool] = []


def condition(occurrence: object) -> bool:
    return ANSWERS.pop(0) if ANSWERS else True


def test_where_its_condition_says_no_to_what_waited_its_place_goes_to_what_is_due() -> None:
    put(overlap="queue_one", when=f"{__name__}.condition")
    tick_at(0)
    tick_at(MINUTE)
    running.end()
    ANSWERS[:] = [False, True]
    assert tick_at(2 * MINUTE) == [2]
    assert outcomes()[1:] == [("skipped", "condition", 1), ("fired", "", 1)]
    assert get("s").waiting is None


def test_a_record_that_a_stranger_wrote_into_stops_no_other_entry(repeat_registry: Any) -> None:
    put(overlap="skip", max_runtime="1h")
    with freeze(seconds(START, -1)):
        upsert("t", task="a.b", cron="* * * * *", timezone="UTC")
    tick_at(0)
    with redis.Redis.from_url(repeat_registry.url) as client:
        client.hset(service.store("default").keys.record("s"), "run", "yesterday result-1")
    assert tick_at(MINUTE) == [1]
    assert get("s").failures == 1

"""Runs that may not overlap while tickers die, operators run something by hand or pause, and deploys change it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from django_repeat import get, pause, resume, service, trigger, upsert
from django_repeat.testing import freeze
from tests.ticker import running, support
from tests.ticker.minutely import MINUTE, START, outcomes, put, tick_at
from tests.ticker.support import Death, raising, scripted, seconds

BOTH = pytest.mark.parametrize("overlap", ["skip", "queue_one"])


@pytest.fixture(autouse=True)
def engine(script: object) -> Iterator[None]:
    with scripted(ENGINE=running.begin()):
        yield


def record() -> dict[str, str]:
    return dict(get("s").raw)


def dies_at(after: float) -> None:
    support.SCRIPT.after = raising(Death)
    with pytest.raises(Death):
        tick_at(after)
    support.SCRIPT.after = lambda occurrence: None


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

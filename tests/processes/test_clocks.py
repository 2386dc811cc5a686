"""Tickers on machines whose clocks are wrong (BD52): the server's decides, and each of them says so once."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

import pytest
import redis

from django_repeat import signals
from tests.processes.children import Children, run_ticker, until
from tests.processes.engines import pushed
from tests.processes.rounds import Rounds, counted

pytestmark = pytest.mark.process

HOUR = 3_600_000
SAID = "said"
# Each sleeps until the next instant: by then both have looked.
AHEAD = 1_300


def with_clock(ahead: int) -> Callable[[], None]:
    """Answer a ticker on a machine whose clock is so many ms ahead."""

    def work() -> None:
        real = time.time_ns
        time.time_ns = lambda: real() + ahead * 1_000_000
        time.time = lambda: time.time_ns() / 1e9
        client = redis.Redis.from_url(os.environ["REPEAT_TEST_URL"])

        def say(*, host: int, server: int, **_: object) -> None:
            client.rpush(SAID, json.dumps([os.getpid(), host - server]))

        signals.clocks_differed.connect(say)
        run_ticker()

    return work


def test_bd52_wrong_clocks_fire_nothing_early_miss_nothing_and_are_said_once_each(
    raw: redis.Redis, choose: Callable[..., None], children: Children
) -> None:
    choose(QUEUES=["other"])  # a queue more is no line more
    due = Rounds(raw, 50)
    offsets = {children.fork(with_clock(ahead)): ahead for ahead in (24 * HOUR, -12 * HOUR, 0)}
    pids = list(offsets)
    until(lambda: raw.llen(SAID) >= 2)
    for _ in range(3):
        raw.delete("pushed")
        nominal = due.due(AHEAD)
        due.wait_until_settled(nominal)
        pushes = pushed(raw)
        assert counted(pushes) == due.ids(nominal)
        assert min(push.at - offsets[push.pid] for push in pushes) >= nominal
    children.terminate(*pids)
    assert {entry.missed_count for entry in due.entries()} == {0}
    said = dict(json.loads(line) for line in raw.lrange(SAID, 0, -1))
    assert raw.llen(SAID) == 2
    assert set(said) == set(pids[:2])
    for pid, difference in said.items():
        assert abs(difference - offsets[pid]) < 1_000

"""Many tickers and one instant (BD20): every occurrence is enqueued, and none twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis

from tests.processes.children import Children
from tests.processes.engines import LIST, pushed
from tests.processes.rounds import Rounds, counted

pytestmark = pytest.mark.process

TICKERS, SCHEDULES = 8, 200
# Idle tickers look once a second: by then all of them sleep until the same instant.
AHEAD = 1_300


@pytest.mark.parametrize("rounds", [3, pytest.param(20, marks=pytest.mark.soak)])
def test_eight_tickers_enqueue_each_occurrence_once(
    raw: redis.Redis, choose: Callable[..., None], children: Children, rounds: int
) -> None:
    due = Rounds(raw, SCHEDULES)
    tickers = [children.fork() for _ in range(TICKERS)]
    for _ in range(rounds):
        raw.delete(LIST)
        nominal = due.due(AHEAD)
        due.wait_until_settled(nominal)
        pushes = pushed(raw)
        assert counted(pushes) == due.ids(nominal)
        assert min(push.at for push in pushes) >= nominal
        assert len({push.pid for push in pushes}) > 1
    children.terminate(*tickers)
    assert {entry.fired_count for entry in due.entries()} == {rounds}
    assert {entry.missed_count for entry in due.entries()} == {0}

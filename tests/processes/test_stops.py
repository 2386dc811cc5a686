"""A ticker that stands still in the middle of a tick while another runs (BD21): the lease and the fence decide."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import redis

from django_repeat import service
from tests.processes.children import Children, until
from tests.processes.dying import Child, at_enqueue, at_verb
from tests.processes.engines import Push, pushed
from tests.processes.rounds import Rounds, counted

pytestmark = pytest.mark.process

SCHEDULES = 10
# A ticker that sleeps knows when the lease ends, and is there at that moment; the rest is a slow machine's.
LATE_MS = 2_000


@dataclass
class Stopped:
    """A ticker that stands still with everything claimed, until ``lease_end`` (ms)."""

    pid: int
    due: Rounds
    nominal: int
    lease_end: int


@pytest.fixture
def stop(raw: redis.Redis, choose: Callable[..., None], children: Children) -> Callable[[Child], Stopped]:
    """Answer a function that lets all be due, and starts a ticker that stops itself with all of it claimed."""

    def start(child: Child, lease: str = "3s") -> Stopped:
        choose(LEASE=lease)
        due = Rounds(raw, SCHEDULES)
        nominal = due.due()
        pid = children.fork(child)
        children.wait_until_stopped(pid)
        leases = {int(entry.raw["lease"]) for entry in due.entries()}
        assert len(leases) == 1
        return Stopped(pid, due, nominal, leases.pop())

    return start


def resumed(raw: redis.Redis, children: Children, stopped: Stopped, survivor: int) -> list[Push]:
    """Let it go on alone; answer every enqueue of the round that it stopped in, once it has been through the next."""
    children.terminate(survivor)
    os.kill(stopped.pid, signal.SIGCONT)
    nominal = stopped.due.due()
    stopped.due.wait_until_settled(nominal)
    children.terminate(stopped.pid)
    pushes = pushed(raw)
    following = [push for push in pushes if push.nominal == nominal]
    assert counted(following) == stopped.due.ids(nominal)
    assert {push.pid for push in following} == {stopped.pid}
    return [push for push in pushes if push.nominal != nominal]


def test_one_that_wakes_after_its_lease_enqueues_nothing(
    raw: redis.Redis, stop: Callable[..., Stopped], children: Children
) -> None:
    stopped = stop(at_verb("claim", signal.SIGSTOP, before=False))
    survivor = children.fork()
    stopped.due.wait_until_settled(stopped.nominal)
    pushes = resumed(raw, children, stopped, survivor)
    assert counted(pushes) == stopped.due.ids(stopped.nominal)
    assert {push.pid for push in pushes} == {survivor}
    assert min(push.at for push in pushes) >= stopped.lease_end
    assert max(push.at for push in pushes) < stopped.lease_end + LATE_MS
    assert {entry.fired_count for entry in stopped.due.entries()} == {2}
    print(f"taken over {min(push.at for push in pushes) - stopped.lease_end} ms after the lease ended")


def test_one_that_stops_inside_an_enqueue_repeats_that_one_at_most(
    raw: redis.Redis, stop: Callable[..., Stopped], children: Children
) -> None:
    stopped = stop(at_enqueue(4, signal.SIGSTOP, before=True))
    survivor = children.fork()
    stopped.due.wait_until_settled(stopped.nominal)
    taken_over = pushed(raw)
    pushes = resumed(raw, children, stopped, survivor)
    late = pushes[len(taken_over) :]
    assert [push.pid for push in late] == [stopped.pid]
    assert set(counted(pushes)) == set(stopped.due.ids(stopped.nominal))
    # Three that it fired and did not settle, and the one in hand: the documented window.
    assert sorted(counted(pushes).values()) == [1] * (SCHEDULES - 4) + [2] * 4
    assert min(push.at for push in pushes if push.pid == survivor) >= stopped.lease_end
    assert {(entry.fired_count, entry.missed_count) for entry in stopped.due.entries()} == {(2, 0)}


def test_a_short_stop_changes_nothing(raw: redis.Redis, stop: Callable[..., Stopped], children: Children) -> None:
    stopped = stop(at_verb("claim", signal.SIGSTOP, before=False), lease="10m")
    survivor = children.fork()
    until(lambda: survivor in {ticker["pid"] for ticker in service.tickers()})
    os.kill(stopped.pid, signal.SIGCONT)
    stopped.due.wait_until_settled(stopped.nominal)
    children.terminate(stopped.pid, survivor)
    pushes = pushed(raw)
    assert counted(pushes) == stopped.due.ids(stopped.nominal)
    assert {push.pid for push in pushes} == {stopped.pid}

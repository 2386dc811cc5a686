"""kill -9 anywhere in a tick: nothing is lost, and what repeats is what was fired and not yet settled, under its id."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest
import redis

from django_repeat.instants import to_ms
from django_repeat.ticker.pace import GROUP
from tests.processes.children import Children, until
from tests.processes.dying import Child, at_enqueue, at_verb, slow
from tests.processes.engines import LIST, pushed
from tests.processes.rounds import Rounds, assert_books_balance, counted, fired

pytestmark = pytest.mark.process

SCHEDULES, BATCH, LEASE_MS = 80, 40, 3_000
Choose = Callable[..., None]


@pytest.fixture
def due(raw: redis.Redis, choose: Choose) -> Rounds:
    # A lease that no slow machine reaches: it ends when the test says so.
    choose(BATCH=BATCH, LEASE="10m")
    return Rounds(raw, SCHEDULES)


@dataclass
class Death:
    """What a ticker left behind, and what the next one made of it."""

    claimed: set[str]
    fired: int
    repeated: set[str]


def carry_on(raw: redis.Redis, children: Children, due: Rounds, nominal: int) -> Death:
    """Let another ticker finish what a dead one left; hold that it loses nothing and repeats no more than it may."""
    before = counted(pushed(raw))
    claimed = {f"{name}@{nominal}" for name in due.end_leases()}
    ticker = children.fork()
    due.wait_until_settled(nominal)
    children.terminate(ticker)
    counts = counted(pushed(raw))
    repeated = {one for one, count in counts.items() if count > 1}
    assert set(counts) == set(due.ids(nominal))
    assert set(counts.values()) <= {1, 2}
    # Exactly the window: claimed by the dead ticker, fired by it, and not settled.
    assert repeated == claimed & set(before)
    assert len(repeated) <= GROUP
    assert len(claimed) <= BATCH
    return Death(claimed=claimed, fired=len(before), repeated=repeated)


@pytest.mark.parametrize("child, taken, repeated", [
    (at_verb("claim", signal.SIGKILL, before=True), 0, 0),
    (at_verb("claim", signal.SIGKILL, before=False), 0, 0),
    (at_enqueue(7, signal.SIGKILL, before=True), 6, 6),
    (at_enqueue(7, signal.SIGKILL, before=False), 7, 7),
    (at_verb("settle", signal.SIGKILL, before=True), GROUP, GROUP),
    (at_verb("settle", signal.SIGKILL, before=False), GROUP, 0),
], ids=["before claim", "after claim", "before enqueue", "after enqueue", "before settle", "after settle"])  # fmt: skip
def test_a_kill_at_each_step(
    raw: redis.Redis, due: Rounds, children: Children, child: Child, taken: int, repeated: int
) -> None:
    nominal = due.due()
    assert children.wait(children.fork(child)) == -signal.SIGKILL
    death = carry_on(raw, children, due, nominal)
    # A slow machine settles after a quarter of a second, which may be before the group is full.
    assert death.fired == taken or (taken == GROUP and 0 < death.fired < GROUP)
    assert len(death.repeated) == (death.fired if repeated else 0)
    assert {(entry.fired_count, entry.missed_count) for entry in due.entries()} == {(1, 0)}


@pytest.mark.parametrize("kills", [30, pytest.param(200, marks=pytest.mark.soak)])
def test_kills_at_random(raw: redis.Redis, due: Rounds, children: Children, kills: int) -> None:
    chance, deaths = random.Random(kills), []
    for _ in range(kills):
        raw.delete(LIST)
        nominal, enough = due.due(), chance.randrange(SCHEDULES)
        ticker = children.fork()
        until(partial(has_pushed, raw, enough))
        time.sleep(chance.random() * 0.005)
        children.kill(ticker)
        deaths.append(carry_on(raw, children, due, nominal))
    assert {(entry.fired_count, entry.missed_count) for entry in due.entries()} == {(kills, 0)}
    # The kills did hit ticks: half of them at least came between a claim and its settlement.
    assert sum(bool(death.claimed) for death in deaths) > kills / 2
    print(f"{kills} kills, {sum(bool(one.claimed) for one in deaths)} with claims, repeats", end=" ")
    print(sorted(len(one.repeated) for one in deaths if one.repeated))


def has_pushed(raw: redis.Redis, count: int) -> bool:
    return int(raw.llen(LIST)) >= count


@pytest.mark.parametrize("kills", [10, pytest.param(170, marks=pytest.mark.soak)])
def test_kills_while_schedules_run_every_second(
    raw: redis.Redis, choose: Choose, children: Children, kills: int
) -> None:
    """Leases end by themselves here, and the cadence goes on meanwhile."""
    choose(LEASE=LEASE_MS / 1000, BATCH=10)
    running, chance = Rounds(raw, 60, every="1s"), random.Random(kills)
    first = running.due(500)
    tickers = {children.fork(slow), children.fork(slow)}
    for _ in range(kills):
        until(partial(has_pushed, raw, raw.llen(LIST) + chance.randrange(1, 30)))
        busy = pushed(raw)[-1].pid
        children.kill(busy)
        tickers ^= {busy, children.fork(slow)}
    # What the last one killed had claimed comes back with the end of its lease.
    time.sleep(LEASE_MS / 1000 + 0.5)
    children.terminate(*tickers)
    pushes = pushed(raw)
    counts = counted(pushes)
    for entry in running.entries():
        assert entry.state in ("scheduled", "due")
        assert_books_balance(entry, fired(pushes, entry.name), first, 1_000)
        assert to_ms(entry.last_nominal) >= first + LEASE_MS
    assert 0 < counts.total() - len(counts) <= kills * GROUP
    print(f"{kills} kills, {len(counts)} occurrences, {counts.total() - len(counts)} repeats")

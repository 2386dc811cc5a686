"""The loop: sleep, outage, heartbeat, end."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import pytest
import redis

from django_repeat import register, service
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.registry import Heartbeats, Ticker
from django_repeat.testing import freeze
from django_repeat.testing.plugin import RegistryForTest
from django_repeat.ticker import Loop, Stop
from django_repeat.ticker.outage import Outage
from tests.ticker.support import Elapsed, Script, at, seconds, ticker

START = at("2026-03-01T10:00:00")


class Passes(Stop):
    """A stop that records how long the loop would sleep, lets time pass by that, and ends after some passes."""

    def __init__(self, elapsed: Elapsed, count: int) -> None:
        super().__init__()
        self.elapsed, self.left, self.waits = elapsed, count, list[float]()

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        self.elapsed.seconds += seconds
        self.left -= 1
        if not self.left:
            self.set()
        return self.is_set()


def loop(passes: int, *, make: Callable[[], object] = lambda: None) -> tuple[Loop, Passes, Elapsed]:
    elapsed = Elapsed()
    stop = Passes(elapsed, passes)
    one = Loop(
        ticker=Ticker(id="one", host="here", pid=1),
        queues=[(ticker(elapsed=elapsed), Heartbeats(service.store("default")))],
        register=make,
        stop=stop,
        elapsed=elapsed,
    )
    return one, stop, elapsed


def test_sleeps_until_the_next_is_due_but_never_longer_than_a_second(script: Script) -> None:
    with freeze(START):
        register("soon", task="a.b", every="10s", first_in=0.25)
        one, stop, _ = loop(2)
        one.run()
    assert stop.waits == [0.25, 0.25]


def test_sleeps_a_second_when_nothing_is_due_soon(script: Script) -> None:
    with freeze(START):
        register("later", task="a.b", every="1h", first_in="1h")
        one, stop, _ = loop(3)
        one.run()
    assert stop.waits == [1.0, 1.0, 1.0]


def test_what_was_just_fired_counts_for_the_sleep(script: Script) -> None:
    with freeze(START):
        register("quick", task="a.b", every=0.2)
        one, stop, _ = loop(1)
        one.run()
    assert stop.waits == [0.2]


def test_an_idle_pass_sends_one_command(script: Script, raw: object) -> None:
    """At most two commands a second, heartbeat included."""
    with freeze(START):
        one, _, _ = loop(1)
        one.run()
        before = calls(raw)
        one, _, _ = loop(60)
        one.run()
    # 60 looks, 6 heartbeats, the one that says goodbye, and the one that reads this figure.
    assert calls(raw) - before <= 60 + 6 + 2 + 1


def calls(raw: object) -> int:
    return int(raw.info("stats")["total_commands_processed"])  # type: ignore[attr-defined]


def test_the_heartbeat_names_the_ticker_until_it_ends(script: Script) -> None:
    seen = []
    one, stop, _ = loop(3)
    wait = stop.wait

    def look(seconds: float) -> bool:
        seen.extend(service.tickers())
        return wait(seconds)

    stop.wait = look  # type: ignore[method-assign]
    one.run()
    assert {(beat["id"], beat["host"], beat["pid"]) for beat in seen} == {("one", "here", 1)}
    assert all(beat["last_tick"] >= beat["started"] > 0 for beat in seen)
    assert service.tickers() == []


def test_a_ticker_that_died_is_not_listed_for_long(script: Script) -> None:
    with freeze(START):
        Heartbeats(service.store("default")).beat(Ticker(id="dead", host="h", pid=2), 30_000)
        assert len(service.tickers()) == 1
    with freeze(seconds(START, 30)):
        assert service.tickers() == []


def test_registers_until_it_works_and_then_no_more(script: Script) -> None:
    tries = []

    def register_late() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise RegistryUnavailable("away")

    one, _, _ = loop(6, make=register_late)
    one.run()
    assert len(tries) == 3


def test_a_stop_that_ends_the_registering_is_no_outage(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    def stopped() -> None:
        stop.set()
        stop.check()

    one, stop, _ = loop(3, make=stopped)
    with freeze(START), caplog.at_level(logging.INFO, logger="django_repeat"):
        register("due", task="a.b", every="10s")
        one.run()
    assert script.taken == []
    assert [text.partition(":")[0] for text in caplog.messages] == ["ticker started", "ticker stopped"]
    assert service.tickers() == []


def test_an_outage_is_a_few_lines_and_one_when_it_is_over(caplog: pytest.LogCaptureFixture) -> None:
    """BD69: ten minutes away: at most one line in thirty seconds, then 'recovered'."""
    elapsed = Elapsed()
    outage = Outage(elapsed)
    with caplog.at_level(logging.INFO, logger="django_repeat"):
        for _ in range(600):
            outage.lost(RegistryUnavailable("away"))
            elapsed.seconds += 1
        outage.recovered()
        outage.recovered()
    lost = [text for text in caplog.messages if "lost" in text]
    assert 2 <= len(lost) <= 20
    assert [text for text in caplog.messages if "recovered" in text] == [caplog.messages[-1]]


def test_ten_idle_minutes_write_two_lines(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="django_repeat"):
        one, _, _ = loop(600)
        one.run()
    assert len(caplog.messages) == 2


def test_a_stop_wakes_the_sleeper() -> None:
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    assert stop.wait(30) is True


def test_a_stop_may_be_set_again_and_stays_set() -> None:
    stop = Stop()
    for _ in range(100_000):
        stop.set()
    assert stop.is_set()
    assert stop.wait(30)
    assert stop.wait(30)


def test_a_queue_of_another_type_does_not_stop_the_others(script: Script, repeat_registry: RegistryForTest) -> None:
    with redis.Redis.from_url(repeat_registry.url) as client:
        client.set(f"{repeat_registry.prefix}:{{bad}}:repeat", "x")
        client.set(f"{repeat_registry.prefix}:{{default}}:repeat.tickers", "x")
    with freeze(START):
        register("soon", task="a.b", every="10s")
        elapsed = Elapsed()
        stop = Passes(elapsed, 2)
        pairs = [(ticker(queue, elapsed=elapsed), Heartbeats(service.store(queue))) for queue in ("bad", "default")]
        Loop(
            ticker=Ticker(id="one", host="here", pid=1),
            queues=pairs,
            register=lambda: service.sync(queue="bad"),
            stop=stop,
            elapsed=elapsed,
        ).run()
    assert len(script.taken) == 1


def test_what_cannot_be_registered_does_not_keep_the_rest_from_firing(script: Script) -> None:
    tries = []

    def refused() -> None:
        tries.append(1)
        raise RegistryUnavailable("refused", answered=True)

    with freeze(START):
        register("soon", task="a.b", every="10s")
        one, _, _ = loop(3, make=refused)
        one.run()
    assert len(script.taken) == 1
    assert len(tries) == 3

"""Any order of runs that end, ticks, deaths, refusals and deploys, where runs may not overlap.

Whatever happens: no two occurrences run at once, but for the repeat of one; nothing that ran is said to have been
skipped for sure; what is promised to wait runs; nothing is lost.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from django_repeat import cancel, get, pause, resume, signals, skip, trigger, upsert
from django_repeat import clock as server_clock
from django_repeat.exceptions import Conflict
from django_repeat.instants import to_ms
from django_repeat.occurrence import Occurrence
from django_repeat.ticker import QueueTicker
from tests.ticker import running, support
from tests.ticker.minutely import START
from tests.ticker.support import Death, scripted, ticker

MINUTE = 60_000
FIRST = to_ms(START)
ages = st.sampled_from([3_000, 31_000, MINUTE, 5 * MINUTE])
POLICIES: tuple[dict[str, Any], ...] = (
    {"overlap": "skip"},
    {"overlap": "queue_one"},
    {"overlap": "skip", "catch_up": "all"},
    {"overlap": "queue_one", "catch_up": "all"},
    {"overlap": "queue_one", "catch_up": "none", "grace": "90s"},
)


class Runs(RuleBasedStateMachine):
    """The model: what was handed over, what the log says of the rest, what was promised to wait."""

    def __init__(self) -> None:
        super().__init__()
        support.SCRIPT.__init__()  # type: ignore[misc]
        self.now = FIRST - 1_000
        self.engine = scripted(ENGINE=running.begin())
        self.engine.enable()
        self.sent: set[int] = set()
        self.doubled: set[str] = set()
        self.passed: set[int] = set()
        self.unsure: set[int] = set()
        self.promised: set[int] = set()
        self.wrong: list[str] = []
        self.turns = itertools.count()
        signals.occurrences_missed.connect(self.on_passed)
        signals.occurrences_skipped.connect(self.on_passed)
        cancel("s")

    @initialize(policy=st.sampled_from(POLICIES))
    def begin(self, policy: dict[str, Any]) -> None:
        self.policy = policy
        self.frozen = server_clock.freeze(self.now)
        self.frozen.__enter__()
        self.pair = [self.ticker(), self.ticker()]
        self.deploy()
        self.pass_time(1_000)

    def teardown(self) -> None:
        try:
            self.drain()
        finally:
            signals.occurrences_missed.disconnect(self.on_passed)
            signals.occurrences_skipped.disconnect(self.on_passed)
            self.frozen.__exit__(None, None, None)
            self.engine.disable()

    # -- what happens

    @rule()
    def deploy(self) -> None:
        upsert("s", task="a.b", cron="* * * * *", timezone="UTC", args=[next(self.turns)], **self.policy)

    @rule(ms=ages)
    def pass_time(self, ms: int) -> None:
        self.now += ms
        self.frozen.__exit__(None, None, None)
        self.frozen = server_clock.freeze(self.now)
        self.frozen.__enter__()

    @rule()
    def every_run_ends(self) -> None:
        running.end()

    @rule(ms=ages, who=st.integers(0, 1))
    def tick(self, ms: int, who: int) -> None:
        self.pass_time(ms)
        self.run(who)

    @rule(ms=ages, who=st.integers(0, 1), when=st.sampled_from(["before", "after"]), death=st.booleans())
    def tick_and_fail(self, ms: int, who: int, when: str, death: bool) -> None:
        self.pass_time(ms)

        def fail(occurrence: Occurrence) -> None:
            raise Death("on order") if death else ConnectionError("on order")

        setattr(support.SCRIPT, when, fail)
        self.run(who)
        if death:
            self.pair[who] = self.ticker()

    @rule(ms=ages, who=st.integers(0, 1))
    def tick_while_nobody_can_be_asked(self, ms: int, who: int) -> None:
        self.pass_time(ms)
        running.Trouble.error = ConnectionError("no broker")
        self.run(who)
        running.Trouble.error = None

    @rule(ms=ages, who=st.integers(0, 1), ends=st.booleans(), when=st.sampled_from(["before", "after"]))
    def tick_and_sleep_past_the_lease(self, ms: int, who: int, ends: bool, when: str) -> None:
        self.pass_time(ms)

        def oversleep() -> None:
            self.pass_time(31_000)
            if ends:
                running.end()
            self.run(1 - who)

        self.meanwhile(who, when, oversleep)

    @rule(ms=ages, who=st.integers(0, 1), what=st.sampled_from(["deploy", "pause", "skip"]))
    def tick_and_change_what_is_in_hand(self, ms: int, who: int, what: str) -> None:
        self.pass_time(ms)
        acts = {"deploy": self.deploy, "pause": lambda: self.stop_for_a_while(1 - who, replay=False), "skip": self.drop}
        self.meanwhile(who, "after", acts[what])

    @rule(who=st.integers(0, 1), replay=st.booleans())
    def stop_for_a_while(self, who: int, replay: bool) -> None:
        self.pass_time(1)
        pause("s")
        self.pass_time(61_000)
        self.run(who)
        resume("s", replay=replay)

    @rule()
    def drop(self) -> None:
        try:
            dropped = [to_ms(one) for one in skip("s")]
        except Conflict:
            return
        # An operator may break a promise, and drop what an engine that raised may have stored.
        self.promised -= set(dropped)
        self.unsure |= set(dropped)
        self.doubled |= {f"s@{one}" for one in dropped}

    @rule()
    def run_by_hand(self) -> None:
        if not running.running():
            trigger("s")

    # -- the model

    def ticker(self, **changes: Any) -> QueueTicker:
        return ticker(elapsed=lambda: self.now / 1000, **changes)

    def meanwhile(self, who: int, when: str, act: Callable[[], None]) -> None:
        def step(occurrence: Occurrence) -> None:
            support.SCRIPT.before = support.SCRIPT.after = lambda occurrence: None
            try:
                act()
            except Exception as error:  # noqa: BLE001
                self.wrong.append(f"{type(error).__name__}: {error}")

        setattr(support.SCRIPT, when, step)
        self.run(who)

    def run(self, who: int) -> None:
        outer = support.SCRIPT.noted
        support.SCRIPT.noted = self.on_sent
        try:
            self.pair[who].tick()
        except Death:
            pass
        finally:
            support.SCRIPT.noted = outer
            support.SCRIPT.before = support.SCRIPT.after = lambda occurrence: None
        waiting = get("s").waiting
        if waiting is not None:
            self.promised.add(to_ms(waiting))

    def on_sent(self, occurrence: Occurrence) -> None:
        if occurrence.trigger == "manual":
            return
        nominal = occurrence.nominal_ms
        others = {one for one in running.running() if one != occurrence.id} - self.doubled
        if nominal in self.sent:
            self.doubled.add(occurrence.id)
        elif others:
            self.wrong.append(f"{occurrence.id} began while {others} ran")
        if nominal > self.now:
            self.wrong.append(f"{occurrence.id} fired early")
        self.sent.add(nominal)

    def on_passed(self, *, first: int, last: int, count: int, reason: str, **_: Any) -> None:
        times = set(range(first, last + 1, MINUTE))
        if reason == "unsure":
            self.unsure |= times
        elif reason != "operator" and len(times) == count and times & self.sent:
            self.wrong.append(f"{times & self.sent} ran, and was called {reason}")
        self.passed |= times

    def drain(self) -> None:
        """Let all come to rest: one healthy ticker, and runs that end."""
        for ms in (61_000, 61_000, 61_000, 61_000, 61_000, 5_000, 5_000, 5_000):
            self.pass_time(ms)
            running.end()
            self.run(0)
        last = self.now // MINUTE * MINUTE
        assert get("s").waiting is None
        assert not set(range(FIRST, last + 1, MINUTE)) - self.sent - self.passed
        assert not self.promised - self.sent
        assert not self.wrong

    @invariant()
    def nothing_went_wrong(self) -> None:
        assert not self.wrong
        assert not (self.promised & self.passed) - self.unsure - self.sent


def run(examples: int, steps: int) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Runs,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_four_promises_hold() -> None:
    run(examples=30, steps=25)


@pytest.mark.soak
def test_the_four_promises_hold_for_long() -> None:
    run(examples=2_000, steps=50)

"""Any order of registering, changing, cancelling, ticking, dying and losing replies, against a model in Python."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from django_repeat import Answer, Cron, Every, cancel, count, get, register, service, signals, upsert
from django_repeat import clock as server_clock
from django_repeat.entry import Entry
from django_repeat.exceptions import RegistryUnavailable, ScheduleNotFound
from django_repeat.instants import to_ms
from django_repeat.occurrence import Occurrence
from django_repeat.recurrence import Recurrence
from django_repeat.ticker import QueueTicker
from tests.ticker import support
from tests.ticker.support import Death, ticker
from tests.ticker.test_faults import LostReplies

NAMES = ("a", "b", "c")
RECURRENCES: tuple[Recurrence, ...] = (
    Every("7s", phase="2s"),
    Every("10s"),
    Every("45s"),
    Cron("* * * * *", "UTC"),
    Cron("*/5 * * * *", "Europe/Berlin"),
)
POLICIES: tuple[dict[str, Any], ...] = (
    {},
    {"catch_up": "all"},
    {"catch_up": "all", "limit": 3},
    {"max_runs": 4},
    {"catch_up": "all", "max_runs": 7},
    {"catch_up": "all", "window": "5m"},
    {"catch_up": "none", "grace": "10s"},
)
LEASE_MS = 30_000
HISTORY = 1_000
# Ten minutes before Berlin's clocks go back.
START_MS = 1_792_888_200_000

names = st.sampled_from(NAMES)
recurrences = st.sampled_from(RECURRENCES)
policies = st.sampled_from(POLICIES)
# Most ticks find something due, and some find many of one schedule.
ages = st.sampled_from([7_000, 31_000, 61_000, 200_000, 600_000])


@dataclass
class Live:
    """What the model knows of one registered name, from its registration to its cancel."""

    recurrence: Recurrence
    first: int
    owed: set[int] = field(default_factory=set)
    sent: set[int] = field(default_factory=set)
    missed: set[int] = field(default_factory=set)
    skipped: set[int] = field(default_factory=set)
    enqueues: int = 0
    grids: list[tuple[Recurrence, int]] = field(default_factory=list)
    # all that was ever owed, and whether a bound may have excused some of it
    every: set[int] = field(default_factory=set)
    bounded: bool = False
    # enqueued and not settled when other policies came, by which it may count as missed
    doubtful: set[int] = field(default_factory=set)

    def owe(self, nominal: int) -> None:
        self.owed.add(nominal)
        self.every.add(nominal)

    def __post_init__(self) -> None:
        self.follow(self.recurrence, self.first)

    def follow(self, recurrence: Recurrence, first: int) -> None:
        self.recurrence, self.first = recurrence, first
        self.grids.append((recurrence, first))


class Registry(RuleBasedStateMachine):
    """The model: what each name owes, what was sent for it, and what was called missed."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START_MS
        self.live: dict[str, Live] = {}
        self.excused: set[tuple[int, str]] = set()
        self.wrong: list[str] = []
        self.past: list[Live] = []
        self.turns = itertools.count()
        # of each tick that is under way, the names as they were when it began
        self.ticking: list[dict[str, Live]] = []
        support.SCRIPT.__init__()  # type: ignore[misc]
        signals.occurrences_missed.connect(self.on_missed)
        for name in NAMES:
            cancel(name)

    @initialize(recurrence=recurrences, policy=policies)
    def begin_with_one(self, recurrence: Recurrence, policy: dict[str, Any]) -> None:
        self.frozen = server_clock.freeze(self.now)
        self.frozen.__enter__()
        self.pair = [self.ticker(), self.ticker()]
        self.register(NAMES[0], recurrence, policy)

    def teardown(self) -> None:
        self.drain()
        signals.occurrences_missed.disconnect(self.on_missed)
        self.frozen.__exit__(None, None, None)

    # -- what happens

    @rule(name=names, recurrence=recurrences, policy=policies)
    def register(self, name: str, recurrence: Recurrence, policy: dict[str, Any]) -> None:
        answer = register(name, task="a.b", recurrence=recurrence, **policy)
        assert answer == (Answer.EXISTS if name in self.live else Answer.REGISTERED)
        if answer == Answer.REGISTERED:
            self.begin(name, recurrence, policy)

    @rule(name=names, recurrence=recurrences, policy=policies, number=st.integers(0, 1))
    def upsert(self, name: str, recurrence: Recurrence, policy: dict[str, Any], number: int) -> None:
        before = get(name) if name in self.live else None
        answer = upsert(name, task="a.b", recurrence=recurrence, args=[number], **policy)
        after = get(name)
        if name in self.live:
            live = self.live[name]
            live.bounded |= "max_runs" in policy
            live.doubtful |= {nominal for nominal in live.sent if (id(live), f"{name}@{nominal}") in self.excused}
        if before is None:
            assert answer == Answer.REGISTERED
            self.begin(name, recurrence, policy)
        elif before.schedule is not None and recurrence == before.schedule.recurrence:
            assert answer in (Answer.EXISTS, Answer.UPDATED)
            self.kept(name, before, after)
        else:
            assert answer == Answer.UPDATED
            due = before.next is not None and to_ms(before.next) <= self.now and not used_up(before)
            self.moved(name, recurrence, was_due=due)

    @rule(name=names)
    def cancel(self, name: str) -> None:
        assert cancel(name) == (Answer.CANCELLED if self.live.pop(name, None) else Answer.ABSENT)

    @rule(ms=st.sampled_from([300, 1_000, 7_000, 31_000, 61_000, 600_000, 3_600_000]))
    def pass_time(self, ms: int) -> None:
        for live in self.live.values():
            self.owe(live, self.now, self.now + ms)
        self.now += ms
        self.frozen.__exit__(None, None, None)
        self.frozen = server_clock.freeze(self.now)
        self.frozen.__enter__()

    @rule(who=st.integers(0, 1))
    def tick(self, who: int) -> None:
        self.run(who)

    @rule(
        ms=ages,
        who=st.integers(0, 1),
        when=st.sampled_from(["before", "after"]),
        error=st.sampled_from([Death, ConnectionError]),
        position=st.integers(0, 5),
    )
    def tick_and_fail(self, ms: int, who: int, when: str, error: type[BaseException], position: int) -> None:
        self.pass_time(ms)
        left = itertools.count()

        def fail(occurrence: Occurrence) -> None:
            if next(left) == position:
                raise error("on order")

        setattr(support.SCRIPT, when, fail)
        # What was enqueued and not settled when it died, or stored by an engine that raised, may come once more.
        self.run(who, excused=error is Death or when == "after")
        if error is Death:
            self.pair[who] = self.ticker()

    @rule(ms=ages, who=st.integers(0, 1), verb=st.sampled_from(["claim", "settle", "release"]))
    def tick_and_lose_a_reply(self, ms: int, who: int, verb: str) -> None:
        self.pass_time(ms)
        claims = LostReplies(verb)
        self.pair[who] = self.ticker(claims=claims)
        self.run(who, excused=verb != "claim")
        # A tick that did not come to that verb is not to lose it later, where nobody expects it.
        claims.lose = ""

    @rule(
        ms=ages,
        who=st.integers(0, 1),
        recurrence=recurrences,
        policy=policies,
        what=st.sampled_from(["cancel", "register anew", "change the rest", "change recurrence"]),
    )
    def tick_and_change_what_is_in_hand(
        self, ms: int, who: int, recurrence: Recurrence, policy: dict[str, Any], what: str
    ) -> None:
        """Between enqueue and settle somebody changes the entry, and another ticker looks."""
        self.pass_time(ms)

        def change(occurrence: Occurrence) -> None:
            name, own = occurrence.schedule.name, occurrence.schedule.recurrence
            if what in ("cancel", "register anew"):
                self.cancel(name)
            if what == "register anew":
                self.register(name, own, policy)
            elif what != "cancel":
                self.upsert(name, recurrence if what == "change recurrence" else own, policy, next(self.turns))
            self.run(1 - who)

        self.meanwhile(who, change)

    @rule(ms=ages, who=st.integers(0, 1), taken=st.integers(1, 4))
    def tick_and_stop(self, ms: int, who: int, taken: int) -> None:
        self.pass_time(ms)
        end = len(support.SCRIPT.taken) + taken
        self.pair[who] = self.ticker(stopped=lambda: len(support.SCRIPT.taken) >= end)
        self.run(who)
        self.pair[who] = self.ticker()

    @rule(ms=ages, who=st.integers(0, 1))
    def tick_and_sleep_past_the_lease(self, ms: int, who: int) -> None:
        self.pass_time(ms)

        def oversleep(occurrence: Occurrence) -> None:
            self.pass_time(LEASE_MS + 1_000)
            self.run(1 - who, excused=True)

        self.meanwhile(who, oversleep, excused=True)

    # -- the model

    def ticker(self, **changes: Any) -> QueueTicker:
        """Answer a ticker whose elapsed time is the server's: one that sleeps knows how long."""
        return ticker(elapsed=lambda: self.now / 1000, **changes)

    def begin(self, name: str, recurrence: Recurrence, policy: dict[str, Any]) -> None:
        first = int(get(name).raw["nominal"])
        live = self.live[name] = Live(recurrence=recurrence, first=first, bounded="max_runs" in policy)
        self.past.append(live)
        unphased = isinstance(recurrence, Every) and recurrence.phase_ms is None
        assert live.first == (self.now if unphased else recurrence.after_ms(self.now))
        if live.first <= self.now:
            live.owe(live.first)

    def moved(self, name: str, recurrence: Recurrence, *, was_due: bool) -> None:
        """The recurrence changed: what was owed is superseded, and the run log says so if something was due.

        What a ticker has in hand may still fire, and then its line stands in that one's place.
        """
        live, entry = self.live[name], get(name)
        log = service.runs(name)
        assert not was_due or log[0]["outcome"] == "superseded"
        live.owed.clear()
        if entry.next is None:
            assert used_up(entry)
        else:
            assert to_ms(entry.next) > self.now
        live.follow(recurrence, self.now if entry.next is None else to_ms(entry.next))

    def kept(self, name: str, before: Entry, after: Entry) -> None:
        """The recurrence stayed: so does the pending time, unless max_runs ended the schedule or lets it go on."""
        live = self.live[name]
        if before.next is None and after.next is not None:
            assert not used_up(after)
            assert to_ms(after.next) > self.now
            live.owed.clear()
            live.follow(live.recurrence, to_ms(after.next))
        elif after.next is None:
            assert used_up(after)
        else:
            assert after.next == before.next

    def owe(self, live: Live, start: int, end: int) -> None:
        moment: int | None = start
        while (moment := live.recurrence.after_ms(moment, live.first)) is not None and moment <= end:
            if moment >= live.first:
                live.owe(moment)

    def meanwhile(self, who: int, act: Callable[[Occurrence], None], *, excused: bool = False) -> None:
        """Tick, and act once between the first enqueue and its settle. What fails there would pass for the engine's."""

        def step(occurrence: Occurrence) -> None:
            support.SCRIPT.after = lambda occurrence: None
            try:
                act(occurrence)
            except Exception as error:  # noqa: BLE001
                self.wrong.append(f"{type(error).__name__}: {error}")

        support.SCRIPT.after = step
        self.run(who, excused=excused)

    def run(self, who: int, *, excused: bool = False) -> None:
        lives = dict(self.live)
        self.ticking.append(lives)
        outer = support.SCRIPT.noted
        support.SCRIPT.noted = lambda occurrence: self.sent(occurrence, lives, excused)
        try:
            self.pair[who].tick()
        except (Death, RegistryUnavailable):
            pass
        finally:
            support.SCRIPT.before = support.SCRIPT.after = lambda occurrence: None
            support.SCRIPT.noted = outer
            self.ticking.pop()

    def sent(self, occurrence: Occurrence, lives: dict[str, Live], excused: bool) -> None:
        """An engine took it. ``lives`` are the names as they were when the tick began."""
        name, nominal = occurrence.schedule.name, occurrence.nominal_ms
        # What was in hand when the name was cancelled still runs; nothing else of it does.
        live = lives.get(name) or self.live.get(name)
        if live is None:
            self.wrong.append(f"{occurrence.id} fired without an entry")
            return
        event = (id(live), occurrence.id)
        if nominal > self.now:
            self.wrong.append(f"{occurrence.id} fired early")
        if nominal in live.sent and event not in self.excused:
            self.wrong.append(f"{occurrence.id} fired twice without a fault")
        if nominal in live.missed:
            self.wrong.append(f"{occurrence.id} fired, but was called missed")
        if occurrence.schedule.policies.is_used_up(get(name).fired_count if name in self.live else 0):
            self.wrong.append(f"{occurrence.id} fired beyond max_runs")
        live.sent.add(nominal)
        live.enqueues += 1
        if excused:
            self.excused.add(event)

    def told(self, name: str, live: Live) -> None:
        """Every nominal time that was ever owed has one line in the run log, and the counts are those of the lines."""
        runs, entry = service.runs(name), get(name)
        assert len(runs) < HISTORY
        lines = [run for run in runs if run["outcome"] in ("fired", "missed", "superseded")]
        told: Counter[int] = Counter()
        for run in lines:
            first, last, count = run.get("first", run["nominal"]), run["nominal"], run.get("count", 1)
            told.update(self.span(live, first, last, count))
        twice = [nominal for nominal, times in told.items() if times > 1]
        assert not twice, (name, twice[:3])
        silent = live.every - told.keys()
        assert live.bounded or not silent, (name, sorted(silent)[:3])
        missed = sum(run["count"] for run in lines if run["outcome"] != "fired")
        assert entry.missed_count == missed
        assert entry.fired_count == len([run for run in lines if run["outcome"] == "fired"])

    def on_missed(self, *, name: str, first: int, last: int, count: int, **_: Any) -> None:
        # What was in hand when the name was registered anew is not the new one's.
        live = (self.ticking[-1] if self.ticking else {}).get(name) or self.live.get(name)
        if live is None:
            return
        times = self.span(live, first, last, count)
        if not times:
            self.wrong.append(f"{name}: {count} called missed where another number lies between the first and the last")
            return
        if times & (live.sent - live.doubtful):
            self.wrong.append(f"{name}: called missed, but fired")
        live.missed |= times

    def span(self, live: Live, first: int, last: int, count: int) -> set[int]:
        """Answer the nominal times that are meant, none if there are not so many."""
        # A ticker that had it in hand when the recurrence changed still counts by the old one.
        spans = (self.between(grid, first, last) for grid in reversed(live.grids))
        return next((span for span in spans if len(span) == count and last in span), set())

    def between(self, grid: tuple[Recurrence, int], first: int, last: int) -> set[int]:
        recurrence, anchor = grid
        times = {first}
        moment: int | None = first
        while (moment := recurrence.after_ms(moment, anchor)) is not None and moment <= last:
            times.add(moment)
        return times

    def drain(self) -> None:
        """Let everything come to rest with one healthy ticker; then nothing that was owed may be open."""
        healthy = self.pair[0] = self.ticker()
        for _ in range(4):
            self.pass_time(61_000)
            self.run(0)
        assert healthy is self.pair[0]
        for name, live in self.live.items():
            open_ = set() if used_up(get(name)) else live.owed - live.sent - live.missed - live.skipped
            assert not open_, (name, sorted(open_)[:3], live.first)
            self.told(name, live)
        assert not self.wrong

    # -- what always holds

    @invariant()
    def nothing_went_wrong(self) -> None:
        assert not self.wrong

    @invariant()
    def one_member_and_one_record_per_name(self) -> None:
        if not hasattr(self, "pair"):
            return
        assert count() == len(self.live)
        for name in NAMES:
            if name in self.live:
                entry = get(name)
                assert entry.state not in ("broken", "foreign"), entry
                assert entry.state != "finished" or used_up(entry), entry
                assert entry.schedule is not None
                assert entry.schedule.recurrence == self.live[name].recurrence
                assert entry.fired_count <= self.live[name].enqueues
            else:
                with pytest.raises(ScheduleNotFound):
                    get(name)


def used_up(entry: Entry) -> bool:
    return entry.schedule is not None and entry.schedule.policies.is_used_up(entry.fired_count)


def run(examples: int, steps: int, machine: type[Registry] = Registry) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_nothing_is_lost_doubled_or_resurrected() -> None:
    with support.scripted(HISTORY=HISTORY):
        run(examples=60, steps=30)


@pytest.mark.soak
def test_nothing_is_lost_doubled_or_resurrected_for_long() -> None:
    with support.scripted(HISTORY=HISTORY):
        run(examples=2_000, steps=60)

"""The same, and an operator who pauses, resumes, skips, triggers and backfills at any time."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from django_repeat import backfill, get, pause, pause_all, resume, resume_all, service, signals, skip, trigger
from django_repeat.exceptions import Conflict
from django_repeat.instants import from_ms, to_ms
from django_repeat.occurrence import Occurrence
from django_repeat.registry import Decisions, Reader
from tests.ticker import support
from tests.ticker.test_stateful import Live, Registry, ages, names, run

untils = st.sampled_from([None, 5_000, 90_000, 1_200_000])
QUEUE = 0


def forget_pauses() -> None:
    """Leave the switch of the queue as it was before anybody used it."""
    store = service.store("default")
    fields = dict.fromkeys(["paused", "paused_until", "holes"], "")
    assert Decisions(store).switch(Reader(store).switch().get("rev", ""), fields, "{}", secrets.token_hex()) == "ok"


class Operated(Registry):
    """The model knows what was taken out: windows of pauses, of an entry or the queue, and instants."""

    def __init__(self) -> None:
        self.windows: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.paused: dict[int, tuple[int, int | None]] = {}
        self.dropped: dict[int, set[int]] = defaultdict(set)
        self.held: dict[str, bool] = {}
        self.began = 0
        super().__init__()
        forget_pauses()
        signals.occurrences_skipped.connect(self.on_skipped)

    def teardown(self) -> None:
        try:
            self.windows_of_now()
            self.end(QUEUE, resume_all, replay=False)
            for name, live in self.live.items():
                self.end(id(live), lambda name=name: resume(name), replay=False)
            super().teardown()
        finally:
            signals.occurrences_skipped.disconnect(self.on_skipped)

    # -- what happens

    @rule(name=names, until=untils)
    def pause(self, name: str, until: int | None) -> None:
        if name in self.live:
            self.begin_pause(id(self.live[name]), until, lambda end: pause(name, until=end))

    @rule(until=untils)
    def pause_all(self, until: int | None) -> None:
        self.begin_pause(QUEUE, until, lambda end: pause_all(until=end))

    @rule(name=names, replay=st.booleans())
    def resume(self, name: str, replay: bool) -> None:
        if name not in self.live:
            return
        owner = id(self.live[name])
        if owner not in self.windows_of_now() and QUEUE in self.paused:
            with pytest.raises(Conflict):
                resume(name, replay=replay)
            return
        self.end(owner, lambda: resume(name, replay=replay), replay=replay)

    @rule(replay=st.booleans())
    def resume_all(self, replay: bool) -> None:
        self.end(QUEUE, lambda: resume_all(replay=replay), replay=replay)

    @rule(name=names, count=st.integers(1, 3))
    def skip(self, name: str, count: int) -> None:
        if name in self.live:
            self.drop(name, count)

    @rule(name=names)
    def trigger(self, name: str) -> None:
        if name not in self.live:
            return
        before, taken = get(name), len(support.SCRIPT.taken)
        assert trigger(name).manual_id
        after = get(name)
        assert len(support.SCRIPT.taken) == taken + 1
        assert (after.next, after.state, after.fired_count) == (before.next, before.state, before.fired_count)

    @precondition(lambda self: any(get(name).missed_ranges for name in self.live))
    @rule()
    def backfill(self) -> None:
        name = next(name for name in self.live if get(name).missed_ranges)
        live, moment = self.live[name], get(name).missed_ranges[0].last
        # A recurrence that changed since may have no such time, or others.
        with suppress(Conflict):
            for one in backfill(name, moment, moment):
                assert one.id == f"{name}@{to_ms(moment)}"
                assert one.nominal_ms not in live.sent
                live.missed.discard(one.nominal_ms)
                live.sent.add(one.nominal_ms)

    @rule(
        ms=ages,
        who=st.integers(0, 1),
        until=untils,
        what=st.sampled_from(["pause", "pause_all", "skip", "pause and resume"]),
    )
    def tick_and_operate_on_what_is_in_hand(self, ms: int, who: int, until: int | None, what: str) -> None:
        self.pass_time(ms)

        def act(occurrence: Occurrence) -> None:
            name = occurrence.schedule.name
            if what == "skip":
                self.skip(name, 2)
            elif what == "pause_all":
                self.pause_all(until)
            else:
                self.pause(name, until)
            if what == "pause and resume":
                self.pass_time(7_000)
                self.resume(name, False)
            self.run(1 - who)

        self.meanwhile(who, act)

    # -- the model

    def begin_pause(self, owner: int, until: int | None, verb: Callable[[Any], str]) -> None:
        self.pass_time(1)
        since = self.windows_of_now().get(owner, (self.now, None))[0]
        end = None if until is None else self.now + until
        assert verb(None if end is None else from_ms(end)) == "paused"
        self.paused[owner] = since, end

    def end(self, owner: int, verb: Callable[[], str], *, replay: bool) -> None:
        pauses = self.windows_of_now()
        assert owner in pauses or verb() == "unchanged"
        if owner in pauses:
            since, _ = self.paused.pop(owner)
            if not replay:
                self.windows[owner].append((since, self.now))
            assert verb() == "resumed"

    def windows_of_now(self) -> dict[int, tuple[int, int | None]]:
        """Answer the pauses that last; one that has ended by itself is a window."""
        for owner, (since, end) in list(self.paused.items()):
            if end is not None and end <= self.now:
                del self.paused[owner]
                self.windows[owner].append((since, end))
        return self.paused

    def drop(self, name: str, count: int) -> None:
        live = self.live[name]
        before = get(name)
        try:
            found = [to_ms(one) for one in skip(name, count)]
        except Conflict:
            assert before.schedule is not None
            assert before.schedule.policies.is_used_up(before.fired_count) or before.state == "finished"
            return
        assert len(found) == count
        assert not self.dropped[id(live)] & set(found), "dropped twice"
        self.dropped[id(live)] |= set(found)

    def is_out(self, live: Live, ms: int) -> bool:
        pauses = self.windows_of_now()
        for owner in (QUEUE, id(live)):
            since, until = pauses.get(owner, (None, None))
            if any(start <= ms < end for start, end in self.windows[owner]):
                return True
            if since is not None and since <= ms and (until is None or ms < until):
                return True
        return False

    def run(self, who: int, *, excused: bool = False) -> None:
        outer = self.began, self.held
        self.began, self.held = self.now, {name: "fence" in get(name).raw for name in self.live}
        super().run(who, excused=excused)
        self.began, self.held = outer

    def sent(self, occurrence: Occurrence, lives: dict[str, Live], excused: bool) -> None:
        name, nominal = occurrence.schedule.name, occurrence.nominal_ms
        live = lives.get(name) or self.live.get(name)
        if live is not None:
            if nominal in live.skipped | self.dropped[id(live)] and (id(live), occurrence.id) not in self.excused:
                self.wrong.append(f"{occurrence.id} fired, but was skipped")
            pauses = self.windows_of_now()
            since = [pauses[owner][0] for owner in (QUEUE, id(live)) if owner in pauses]
            if since and min(since) <= self.began and not self.held.get(name):
                self.wrong.append(f"{occurrence.id} fired in a pause")
        super().sent(occurrence, lives, excused)

    def told(self, name: str, live: Live) -> None:
        """Skips in a row are one line here, and lines of the operator push others out: the machine without one asks."""

    def on_skipped(self, *, name: str, first: int, last: int, count: int, reason: str, **_: Any) -> None:
        live = self.live.get(name)
        if live is None:
            return
        times = {one for grid in live.grids for one in super(Operated, self).between(grid, first, last)}
        if reason == "paused":
            self.wrong += [f"{name}@{one} called paused, and was not" for one in times if not self.is_out(live, one)]
            self.wrong += [f"{name}@{one} called paused, but fired" for one in times & live.sent]
        live.skipped |= times - live.sent

    def between(self, grid: Any, first: int, last: int) -> set[int]:
        live = next(live for live in self.past if grid in live.grids)
        times = super().between(grid, first, last)
        return {one for one in times if not self.is_out(live, one) and one not in self.dropped[id(live)]}


def test_nothing_that_an_operator_did_is_undone() -> None:
    run(25, 25, Operated)


@pytest.mark.soak
def test_nothing_that_an_operator_did_is_undone_for_long() -> None:
    run(2_000, 60, Operated)

"""When an occurrence was handed over: one instant, wherever it is said. The clock is the server's own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from django_repeat import get, register, service, signals, upsert
from django_repeat.instants import from_ms, to_ms
from django_repeat.registry import Claim
from django_repeat.testing import freeze
from tests.ticker.support import Elapsed, Script, raising, ticker
from tests.ticker.test_faults import LostReplies

HOUR = timedelta(hours=1)


@pytest.fixture
def heard() -> Iterator[dict[str, list[int]]]:
    """Collect what `occurrence_fired` says, by name."""
    instants: dict[str, list[int]] = {}

    def hear(occurrence: object, late_ms: int, **_: object) -> None:
        instants.setdefault(occurrence.schedule.name, []).append(occurrence.due_ms + late_ms)  # type: ignore[attr-defined]

    signals.occurrence_fired.connect(hear)
    yield instants
    signals.occurrence_fired.disconnect(hear)


def slowly(script: Script, by: float) -> Elapsed:
    """Let every call of the engine take so many seconds of the ticker's own clock, which the server's does not see."""
    elapsed = Elapsed()

    def take(occurrence: object) -> None:
        elapsed.seconds += by

    script.after = take
    return elapsed


def said(name: str) -> tuple[int, list[int]]:
    """Answer when the record says that it fired last, and when the run log says that each did, newest first."""
    found = get(name).last_fired
    assert found is not None
    return to_ms(found), [run["at"] for run in service.runs(name) if run["outcome"] == "fired"]


def test_the_record_the_run_log_the_signal_and_the_task_say_the_same(
    script: Script, heard: dict[str, list[int]]
) -> None:
    for name in "abc":
        register(name, task="a.b", every="1h")
    ticker(elapsed=slowly(script, 3)).tick()
    taken = {one.schedule.name: one.fired_ms for one in script.taken}
    assert {name: said(name) for name in "abc"} == {name: (at, [at]) for name, at in taken.items()}
    assert heard == {name: [at] for name, at in taken.items()}
    first, *_, last = taken.values()
    assert last - first >= 6_000, "each was handed over at its own time"


@pytest.mark.parametrize("by, count", [(0.004, 4), (3, 2), (8, 1)], ids=["settled", "released", "released at the end"])
def test_of_several_it_is_the_last(script: Script, by: float, count: int) -> None:
    with freeze(datetime.now(UTC) - 5 * HOUR):
        register("a", task="a.b", every="1h", catch_up="all", limit=4)
    ticker(elapsed=slowly(script, by)).tick()
    fired = [one.fired_ms for one in script.taken]
    last, log = said("a")
    assert log == sorted(fired, reverse=True)
    assert last == fired[-1]
    assert len(fired) == count


def test_of_one_that_failed_half_way_it_is_the_last_that_fired(script: Script) -> None:
    with freeze(datetime.now(UTC) - 5 * HOUR):
        register("a", task="a.b", every="1h", catch_up="all", limit=4)
    elapsed = slowly(script, 2)
    fail = raising(ConnectionError)
    script.before = lambda occurrence: len(script.taken) == 2 and fail(occurrence)
    ticker(elapsed=elapsed).tick()
    assert said("a") == (script.taken[1].fired_ms, [one.fired_ms for one in reversed(script.taken)])


def test_of_one_whose_recurrence_changed_in_hand_it_is_when_it_was_handed_over(script: Script) -> None:
    register("a", task="a.b", every="1h")
    elapsed = slowly(script, 3)
    take = script.after

    def change(occurrence: object) -> None:
        take(occurrence)  # type: ignore[arg-type]
        if occurrence.schedule.name == "a":  # type: ignore[attr-defined]
            upsert("a", task="a.b", every="2h")

    script.after = change
    ticker(elapsed=elapsed).tick()
    (one,) = script.taken
    assert said("a") == (one.fired_ms, [one.fired_ms])


def test_a_claim_that_was_asked_for_again_counts_from_its_own_reply(script: Script) -> None:
    """The first reply was waited for in vain for five seconds."""
    register("a", task="a.b", every="1h")
    elapsed = Elapsed()

    class Slow(LostReplies):
        def claim(self, *args: object) -> object:  # type: ignore[override]
            lost = bool(self.lose)
            elapsed.seconds += 5 if lost else 0
            answers = super().claim(*args)
            self.now = next(one.now for one in answers if isinstance(one, Claim))  # type: ignore[attr-defined]
            return answers

    claims = Slow("claim")
    ticker(elapsed=elapsed, claims=claims).tick()
    assert from_ms(script.taken[0].fired_ms) == from_ms(claims.now)

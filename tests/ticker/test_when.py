"""when on the real server: a condition is asked for each occurrence."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.dispatch import Signal

from django_repeat import get, service, signals
from django_repeat.instants import to_ms
from django_repeat.occurrence import Occurrence
from tests.ticker.minutely import MINUTE, START, minute_of, put, state, tick_at
from tests.ticker.support import Script, seconds

ASKED: list[Occurrence] = []
REFUSED: set[int] = set()


def condition(occurrence: Occurrence) -> bool:
    """Say no to the minutes in REFUSED."""
    ASKED.append(occurrence)
    return minute_of(occurrence.nominal_ms) not in REFUSED


def raises(occurrence: Occurrence) -> bool:
    raise LookupError("no flag of that name")


def is_cancelled(occurrence: Occurrence) -> bool:
    raise asyncio.CancelledError


WHEN = f"{__name__}.condition"


@pytest.fixture(autouse=True)
def fresh() -> None:
    ASKED.clear()
    REFUSED.clear()


def heard(signal: Signal, told: list[dict[str, Any]]) -> Any:
    def receiver(**values: Any) -> None:
        told.append(values)

    signal.connect(receiver)
    return receiver


def test_a_condition_that_says_no_skips_and_the_entry_goes_on(script: Script) -> None:
    put(when=WHEN)
    REFUSED.add(0)
    told: list[dict[str, Any]] = []
    receiver = heard(signals.occurrences_skipped, told)
    assert [tick_at(0), tick_at(MINUTE)] == [[], [1]]
    assert [(one["name"], one["first"], one["last"], one["count"], one["reason"]) for one in told] == [
        ("s", to_ms(START), to_ms(START), 1, "condition")
    ]
    signals.occurrences_skipped.disconnect(receiver)
    entry = get("s")
    assert (entry.fired_count, entry.missed_count, entry.skipped_count, entry.failures) == (1, 0, 1, 0)
    log = [(run["outcome"], run.get("reason"), run["nominal"], run["at"]) for run in service.runs("s")]
    assert log[1] == ("skipped", "condition", to_ms(START), to_ms(START))
    assert [one.nominal_ms for one in ASKED] == [to_ms(START), to_ms(seconds(START, MINUTE))]


def test_what_was_skipped_last_is_the_last_outcome(script: Script) -> None:
    put(when=condition)
    tick_at(0)
    REFUSED.add(1)
    tick_at(MINUTE)
    entry = get("s")
    assert (entry.last_outcome, entry.last_nominal) == ("skipped", START)


@pytest.mark.parametrize(
    "when", [f"{__name__}.raises", f"{__name__}.is_cancelled", f"{__name__}.gone", "no.such.module", f"{__name__}.WHEN"]
)
def test_a_condition_that_cannot_say_fires_and_is_logged(
    script: Script, when: str, caplog: pytest.LogCaptureFixture
) -> None:
    put(when=when)
    assert tick_at(0) == [0]
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert line.startswith(f"condition failed: queue=default name='s' when={when} error=")


def test_when_and_all_ask_for_each_occurrence(script: Script) -> None:
    put(when=WHEN, catch_up="all")
    REFUSED.update({0, 2, 5})
    assert tick_at(5 * MINUTE) == [1, 3, 4]
    entry = get("s")
    assert (entry.fired_count, entry.skipped_count, entry.missed_count) == (3, 3, 0)
    assert (entry.last_outcome, entry.last_nominal) == ("fired", seconds(START, 4 * MINUTE))
    outcomes = [run["outcome"] for run in reversed(service.runs("s"))]
    assert outcomes == ["skipped", "fired", "skipped", "fired", "fired", "skipped"]


def test_what_is_skipped_is_no_run_of_max_runs(script: Script) -> None:
    put(when=WHEN, max_runs=1)
    REFUSED.update({0, 1})
    assert [tick_at(minute * MINUTE) for minute in range(4)] == [[], [], [2], []]
    assert (state(), get("s").fired_count) == (("finished", None), 1)


def test_when_and_max_runs_and_all(script: Script) -> None:
    put(when=WHEN, max_runs=3, catch_up="all", limit=8)
    REFUSED.update({2, 3, 4, 6})
    assert tick_at(9 * MINUTE) == [5, 7, 8]
    entry = get("s")
    assert (entry.fired_count, entry.skipped_count, entry.missed_count) == (3, 4, 3)
    reasons = [(run["outcome"], run.get("reason"), run.get("count")) for run in reversed(service.runs("s"))]
    assert (reasons[0], reasons[-1]) == (("missed", "limit", 2), ("missed", "ended", 1))
    assert state() == ("finished", None)


def test_when_and_a_refusing_engine_half_way(script: Script) -> None:
    put(when=WHEN, catch_up="all")
    REFUSED.add(0)

    def down(occurrence: Any) -> None:
        raise ConnectionError("down")

    script.before = down
    assert tick_at(2 * MINUTE) == []
    entry = get("s")
    assert (entry.skipped_count, entry.failures, state()) == (1, 1, ("failing", 1))
    script.before = lambda occurrence: None
    assert tick_at(2 * MINUTE + 1) == [1, 2]
    assert get("s").skipped_count == 1

"""A recurrence that changes while a ticker fires: one line for each nominal time, whatever becomes of it."""

from __future__ import annotations

import pytest

from django_repeat import get, register, service, upsert
from django_repeat.exceptions import DispatchFailed
from django_repeat.instants import to_ms
from django_repeat.testing import freeze
from tests.ticker.support import Death, Script, at, raising, seconds, ticker

START = at("2026-03-01T10:00:00")
FIELDS = {"task": "a.b", "timezone": "UTC", "catch_up": "all"}


@pytest.fixture(autouse=True)
def five_are_due(script: Script) -> None:
    """10:00 to 10:04 are due, and a ticker that claims them at 10:04:30 is to fire them all."""
    with freeze(seconds(START, -60)):
        register("report", cron="* * * * *", **FIELDS)


def change() -> None:
    assert upsert("report", cron="30 * * * *", **FIELDS) == "updated"


def told() -> list[tuple[str, int, int]]:
    """Answer (outcome, first minute, last minute) of each line, oldest first; the counts of the entry agree."""
    runs = service.runs("report")[::-1]
    entry = get("report")
    assert entry.fired_count == sum(run["outcome"] == "fired" for run in runs)
    assert entry.missed_count == sum(run["count"] for run in runs if run["outcome"] in ("missed", "superseded"))

    def minute(ms: int) -> int:
        return (ms - to_ms(START)) // 60_000

    return [(run["outcome"], minute(run.get("first", run["nominal"])), minute(run["nominal"])) for run in runs]


def fired(*minutes: int) -> list[tuple[str, int, int]]:
    return [("fired", minute, minute) for minute in minutes]


def test_all_that_was_in_hand_fires(script: Script) -> None:
    script.after = lambda occurrence: len(script.taken) == 2 and change()
    with freeze(seconds(START, 270)):
        ticker().tick()
    assert told() == fired(0, 1, 2, 3, 4)
    assert get("report").next == seconds(START, 1800)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_ticker_that_stops_half_way_leaves_the_rest_superseded(script: Script, count: int) -> None:
    script.after = lambda occurrence: len(script.taken) == count and change()
    with freeze(seconds(START, 270)):
        ticker(stopped=lambda: len(script.taken) >= count).tick()
    assert told() == [*fired(*range(count)), ("superseded", count, 4)]


@pytest.mark.parametrize("error", [ConnectionError("no"), DispatchFailed("no", certain=True)], ids=["down", "refused"])
@pytest.mark.parametrize("count", [1, 4])
def test_an_engine_that_fails_half_way_leaves_the_rest_superseded(script: Script, count: int, error: Exception) -> None:
    def fail(occurrence: object) -> None:
        if len(script.taken) == count:
            change()
            raise error

    script.before = fail
    with freeze(seconds(START, 270)):
        ticker().tick()
    assert told() == [*fired(*range(count)), ("failed", count, count), ("superseded", count, 4)]
    assert get("report").failures == 0, "the new recurrence has not failed"


def test_an_engine_that_fails_at_once_leaves_all_superseded(script: Script) -> None:
    def fail(occurrence: object) -> None:
        change()
        raise ConnectionError("no")

    script.before = fail
    with freeze(seconds(START, 270)):
        ticker().tick()
    assert told() == [("superseded", 0, 4)]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_ticker_that_dies_leaves_all_superseded(script: Script, when: str) -> None:
    """What it enqueued and did not settle is not known to have run."""
    setattr(script, when, raising(Death))
    with freeze(seconds(START, 270)), pytest.raises(Death):
        ticker().tick()
    script.before = script.after = lambda occurrence: None
    with freeze(seconds(START, 390)):
        change()
        ticker().tick()
    assert told() == [("superseded", 0, 4), ("superseded", 5, 6)]


def test_a_ticker_that_wakes_late_replaces_what_it_had_in_hand_alone(script: Script) -> None:
    def oversleep(occurrence: object) -> None:
        script.after = lambda occurrence: None
        with freeze(seconds(START, 390)):
            change()

    script.after = oversleep
    with freeze(seconds(START, 270)):
        ticker().tick()
    assert told() == [("superseded", 5, 6), *fired(0, 1, 2, 3, 4)]


def test_what_was_limited_and_missed_is_said_once(script: Script) -> None:
    with freeze(seconds(START, -60)):
        upsert("report", cron="* * * * *", **FIELDS, limit=2)
    script.after = lambda occurrence: len(script.taken) == 1 and change()
    with freeze(seconds(START, 270)):
        ticker(stopped=lambda: len(script.taken) >= 1).tick()
    assert told() == [("missed", 0, 2), *fired(3), ("superseded", 4, 4)]


def test_what_comes_after_the_last_of_max_runs_is_left_too(script: Script) -> None:
    with freeze(seconds(START, -60)):
        upsert("report", cron="* * * * *", **FIELDS, max_runs=3)
    script.after = lambda occurrence: len(script.taken) == 1 and change()
    with freeze(seconds(START, 270)):
        ticker(stopped=lambda: len(script.taken) >= 1).tick()
    assert told() == [*fired(0), ("superseded", 1, 4)]

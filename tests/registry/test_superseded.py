"""What was due when its recurrence changed: counted, with a line in the run log, however much it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from django_repeat import Schedule, clock
from django_repeat.instants import from_ms
from django_repeat.reason import Reason
from django_repeat.registry import Definitions
from tests.registry.sent import Tape
from tests.registry.support import DAY, HOUR, MINUTE, SECOND, Box, T, hourly

LATER = hourly(cron="0 5 * * *")


def put(registry: Box, at: int, **fields: Any) -> None:
    registry.put(Schedule("hourly", task="shop.tasks.count", **fields), at)


def ended(registry: Box, at: int, wanted: Schedule = LATER) -> dict[str, Any] | None:
    """Change the recurrence at that instant; answer the one line about it, and see that it is counted."""
    before = int(registry.record("hourly").get("missed_count", 0))
    assert registry.put(wanted, at) == "updated"
    lines = registry.runs("hourly")
    assert len(lines) <= 1
    count = lines[0]["count"] if lines else 0
    assert int(registry.record("hourly").get("missed_count", 0)) == before + count
    assert registry.put(wanted, at) == "exists"
    return lines[0] if lines else None


def superseded(at: int, first: int, last: int, count: int) -> dict[str, Any]:
    several = {} if first == last else {"first": first}
    return {
        "nominal": last, "at": at, "outcome": "superseded", "reason": Reason.RECURRENCE_CHANGED, **several,
        "count": count,
    }  # fmt: skip


GRIDS = {
    "cron": {"cron": "* * * * *", "timezone": "UTC"},
    "cron with holes": {"cron": "7,8,40 * * * *", "timezone": "Europe/Berlin"},
    "phased": {"every": "90s", "phase": "7s"},
    "from the first run": {"every": "100s", "first_in": "10s"},
    "from start_at": {"every": "7m", "start_at": from_ms(T + 11 * MINUTE)},
    "spread": {"cron": "*/10 * * * *", "timezone": "UTC", "spread": "9m"},
    "all": {"every": "1m", "phase": 0, "catch_up": "all", "limit": 3},
    "none": {"every": "1m", "phase": 0, "catch_up": "none", "grace": "2s"},
    "window": {"every": "1m", "phase": 0, "window": "3m"},
}


@pytest.mark.parametrize("away", [MINUTE, 47 * MINUTE, 3 * HOUR + 17 * SECOND], ids=["1m", "47m", "3h"])
@pytest.mark.parametrize("fields", GRIDS.values(), ids=GRIDS)
def test_each_nominal_time_since_the_pending_one_is_counted_under_one_line(registry, fields, away):
    put(registry, T + 1, **fields)
    old, pending = Schedule("hourly", task="a.b", **fields), int(registry.record("hourly")["nominal"])
    at = pending + away
    # One after the other, as slowly as can be.
    times, moment = [], pending
    while moment is not None and old.due_ms(moment) <= at:
        times.append(moment)
        moment = old.grid.after_ms(moment, pending)
    expected = superseded(at, times[0], times[-1], len(times)) if times else None
    assert ended(registry, at) == expected
    assert registry.score("hourly") == T + 19 * HOUR


def test_an_outage_of_47_minutes_leaves_47_missed_with_a_reason(registry):
    put(registry, T - 1, cron="* * * * *", timezone="UTC")
    at = T + 46 * MINUTE + SECOND
    assert ended(registry, at, hourly()) == superseded(at, T, T + 46 * MINUTE, 47)
    assert registry.reader.entries(["hourly"])[0].missed_count == 47


@pytest.mark.parametrize("bound, count", [
    ({"end_at": from_ms(T + 10 * MINUTE)}, 10),
    ({"max_runs": 1}, 20),
    ({"max_runs": 5, "catch_up": "all"}, 20),
], ids=str)  # fmt: skip
def test_what_a_bound_leaves_is_counted(registry, bound, count):
    put(registry, T, every="1m", phase=0, **bound)
    at = T + 20 * MINUTE
    assert ended(registry, at) == superseded(at, T + MINUTE, T + count * MINUTE, count)


def test_what_a_bound_that_came_meanwhile_excludes_is_not_counted(registry):
    put(registry, T, every="1m", phase=0)
    put(registry, T + 20 * MINUTE, every="1m", phase=0, end_at=from_ms(T))
    assert ended(registry, T + 20 * MINUTE) is None
    assert "missed_count" not in registry.record("hourly")


def test_a_later_start_that_came_meanwhile_excludes_what_is_before_it(registry):
    put(registry, T, every="1m", phase=0)
    put(registry, T + 20 * MINUTE, every="1m", phase=0, start_at=from_ms(T + 15 * MINUTE))
    at = T + 20 * MINUTE
    assert ended(registry, at) == superseded(at, T + 15 * MINUTE, at, 6)


def test_the_count_adds_to_what_was_missed_before(registry):
    registry.put(hourly())
    registry.settle(T + HOUR, registry.win(T + HOUR, "a:1"), T + 2 * HOUR, missed=5, lines=[])
    at = T + 4 * HOUR
    assert ended(registry, at) == superseded(at, T + 2 * HOUR, at, 3)
    assert registry.record("hourly")["missed_count"] == "8"


@pytest.mark.parametrize("change", [LATER, hourly(cron="0 * * * *", timezone="Europe/Berlin"), hourly(enabled=False)])
def test_it_is_counted_whatever_part_of_the_recurrence_changed(registry, change):
    registry.put(hourly())
    at = T + 3 * HOUR
    assert ended(registry, at, change) == superseded(at, T + HOUR, at, 3)


def test_other_work_ends_nothing(registry):
    registry.put(hourly())
    assert ended(registry, T + 3 * HOUR, hourly(args=[1])) is None


def test_what_is_not_due_ends_without_a_line(registry):
    registry.put(hourly())
    assert ended(registry, T + HOUR - 1) is None


def test_what_was_disabled_was_not_due(registry):
    registry.put(hourly())
    registry.put(hourly(enabled=False))
    assert ended(registry, T + 5 * HOUR) is None


@pytest.mark.parametrize("damage", [
    {"cron": "no"},
    {"tz": "Mars/Olympus"},
    {"cron": "", "every_ms": "x"},
    {"policies": "{"},
    {"policies": '{"limit":0}'},
], ids=str)  # fmt: skip
def test_of_an_old_recurrence_that_cannot_be_read_the_pending_one_is_counted(registry, damage):
    registry.put(hourly())
    registry.set("hourly", digest="another", **damage)
    at = T + 5 * HOUR
    assert ended(registry, at) == superseded(at, T + HOUR, T + HOUR, 1)


def test_a_pending_time_that_fell_due_by_an_earlier_spread_is_counted(registry):
    """The policies were changed while a ticker had it in hand, which then failed."""
    registry.put(hourly())
    claim = registry.win(T + HOUR, "a:1")
    registry.put(hourly(spread="59m"), T + HOUR)
    registry.release(T + HOUR, claim, backoff=SECOND, error="down")
    at = T + HOUR + SECOND
    assert hourly(spread="59m").due_ms(T + HOUR) > at
    assert ended(registry, at) == superseded(at, T + HOUR, T + HOUR, 1)


def test_what_is_backing_off_ends_too(registry):
    registry.put(hourly())
    registry.release(T + HOUR, registry.win(T + HOUR, "a:1"), backoff=MINUTE, error="down", lines=[])
    at = T + 2 * HOUR
    assert ended(registry, at) == superseded(at, T + HOUR, at, 2)


def test_it_is_counted_where_no_run_log_is_kept(registry):
    registry.put(hourly())
    none = Definitions(replace(registry.store, history=0))
    with clock.freeze(T + 3 * HOUR):
        none.upsert([(LATER, "code")])
    assert registry.runs("hourly") == []
    assert registry.record("hourly")["missed_count"] == "3"


def test_a_script_that_runs_twice_counts_once(registry):
    registry.put(hourly())
    tape = Tape(registry.store.scripts)
    with clock.freeze(T + 3 * HOUR):
        Definitions(replace(registry.store, scripts=tape)).upsert([(LATER, "code")])
        before = registry.everything()
        (again,) = [call for call in tape.calls if call[0] == "upsert"]
        assert registry.store.scripts.call(*again) == [b"exists"]
    assert registry.everything() == before


def test_years_are_counted_as_fast_as_minutes(registry):
    put(registry, T, every="1s", phase=0)
    at = T + 3_650 * DAY
    assert ended(registry, at) == superseded(at, T + SECOND, at, 3_650 * 86_400)


def test_of_many_each_has_its_own(registry):
    names = ["idle", "one", "three", "new"]
    for name, cron in zip(names[:3], ("0 12 * * *", "0 11 * * *", "*/20 * * * *"), strict=True):
        registry.put(hourly(name, cron=cron))
    at = T + HOUR
    with clock.freeze(at):
        answers = registry.definitions.upsert([(hourly(name, cron="5 5 * * *"), "code") for name in names])
    assert list(answers.values()) == ["updated"] * 3 + ["registered"]
    assert [registry.runs(name) for name in names] == [
        [], [superseded(at, at, at, 1)], [superseded(at, T + 20 * MINUTE, at, 3)], [],
    ]  # fmt: skip

"""Excluded times are no occurrences: not when a schedule is registered, nor when its exclusions change."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat import Schedule, clock
from tests.registry.support import DAY, HOUR, MINUTE, T, hourly


def interval(**fields: Any) -> Schedule:
    return Schedule(
        "hourly",
        **{
            "every": "1h",
            "task": "shop.tasks.count",
            **({"exclude_zone": "UTC"} if "exclude" in fields else {}),
            **fields,
        },
    )


@pytest.mark.parametrize("schedule, nominal", [
    (hourly(exclude=["* 11-12 * * *"]), T + 3 * HOUR),
    (hourly(exclude=["2026-06-03"]), T + 14 * HOUR),
    (hourly(exclude=["* 12 * * *"]), T + HOUR),
    (interval(exclude=["* 12 * * *"]), T),
    (interval(exclude=["* 10 * * *"]), T + HOUR),
    (interval(exclude=["* 10-11 * * *"], first_in="30m"), T + 150 * MINUTE),
    (interval(exclude=["* 10-11 * * *"], phase="30m"), T + 150 * MINUTE),
    (interval(exclude=["* 10-11 * * *"], start_at="2026-06-03T10:15:00Z"), T + 135 * MINUTE),
    (interval(exclude=["2026-06-03..2026-06-05"]), T + 62 * HOUR),
], ids=repr)  # fmt: skip
@pytest.mark.parametrize("way", ["register", "upsert"])
def test_a_first_registration_begins_with_a_time_that_is_not_excluded(registry, way, schedule, nominal):
    with clock.freeze(T):
        if way == "register":
            registry.definitions.register(schedule, "code")
        else:
            registry.definitions.upsert([(schedule, "code")])
    assert registry.record("hourly")["nominal"] == str(nominal)
    assert registry.score("hourly") == nominal


def test_the_exclusions_are_in_the_record_and_come_back(registry):
    wanted = interval(exclude=["2026-12-24..2026-12-26", "* 0-6 * * *"])
    registry.put(wanted)
    assert registry.put(wanted) == "exists"
    assert registry.reader.entries(["hourly"])[0].schedule == wanted
    assert (
        '"exclude":["2026-12-24..2026-12-26","* 0-6 * * *"],"exclude_zone":"UTC"'
        in registry.record("hourly")["policies"]
    )


def test_a_time_that_is_excluded_later_gives_way(registry):
    registry.put(hourly())
    assert registry.put(hourly(exclude=["* 11 * * *"])) == "updated"
    assert registry.record("hourly")["nominal"] == str(T + 2 * HOUR)


def test_what_is_excluded_no_more_comes_back(registry):
    registry.put(hourly(exclude=["2026-06-03"]))
    registry.put(hourly(exclude=["2026-06-05"]))
    assert registry.record("hourly")["nominal"] == str(T + 14 * HOUR), "a first run is never moved to an earlier time"
    registry.settle(T + 14 * HOUR, registry.win(T + 14 * HOUR, "a:1"), T + DAY + 14 * HOUR)
    registry.put(hourly(), T + 14 * HOUR + MINUTE)
    assert registry.record("hourly")["nominal"] == str(T + 15 * HOUR)


def test_an_interval_keeps_its_grid_over_what_is_excluded(registry):
    registry.put(interval(first_in="10m"))
    registry.settle(T + 10 * MINUTE, registry.win(T + 10 * MINUTE, "a:1"), T + 70 * MINUTE)
    registry.put(interval(first_in="10m", exclude=["* 11-12 * * *"]), T + 20 * MINUTE)
    assert registry.record("hourly")["nominal"] == str(T + 3 * HOUR + 10 * MINUTE)

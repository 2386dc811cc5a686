"""Recurrences with exclusions as values, and the zone that they take."""

import copy
import dataclasses
import pickle
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron, Every, Excluding, Exclusions
from tests.recurrence.test_dst import utc

BERLIN = "Europe/Berlin"
NIGHT = ["* 0-6 * * *"]


@pytest.mark.parametrize(
    "recurrence, zone, reason",
    [
        (Every("1h"), None, "no time zone of its own"),
        (Every("1h"), "Europe/Berlln", "unknown time zone"),
        (Cron("@daily", BERLIN), "UTC", "zone of the cron rule, 'Europe/Berlin'"),
        (Cron("@daily", BERLIN), "Europe/Berlln", "unknown time zone"),
        ("@daily", "UTC", "an Every or a Cron, not str"),
        (Excluding(Cron("@daily", BERLIN), []), None, "an Every or a Cron, not Excluding"),
    ],
)
def test_the_zone_is_that_of_the_rule_or_given(recurrence: Any, zone: str | None, reason: str) -> None:
    with pytest.raises(InvalidSchedule, match=reason):
        Excluding(recurrence, ["2026-12-24"], zone)


RULES = [
    Excluding(Cron("0 */3 * * *", BERLIN), [*NIGHT, "2026-12-24"]),
    Excluding(Cron("0 9,18 * * *", BERLIN), NIGHT, BERLIN),
    Excluding(Every("15m"), ["2026-12-24"], ZoneInfo(BERLIN)),
    Excluding(Every("15m", "5m"), [], "UTC"),
]


@pytest.mark.parametrize("value", RULES, ids=str)
def test_copies_are_equal_and_work(value: Excluding) -> None:
    moment = utc("2026-12-23T20:00")
    for each in (copy.copy(value), copy.deepcopy(value), dataclasses.replace(value), pickle.loads(pickle.dumps(value))):
        assert each == value
        assert hash(each) == hash(value)
        assert each.after(moment, anchor=moment) == value.after(moment, anchor=moment)
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        value.timezone = "UTC"  # type: ignore[misc]


def test_equality_is_by_what_was_said() -> None:
    assert len({*RULES, *(dataclasses.replace(rule) for rule in RULES)}) == 4
    cron = Cron("0 9,18 * * *", BERLIN)
    assert Excluding(cron, NIGHT) == Excluding(cron, Exclusions(NIGHT), ZoneInfo(BERLIN)) != cron
    assert Excluding(Every("15m"), [], "UTC") != Excluding(Every("15m"), [], BERLIN)
    changed = dataclasses.replace(RULES[0], exclusions=["* 3-23 * * *"])
    assert changed.after(utc("2026-06-01T12:00")) == utc("2026-06-01T22:00")
    with pytest.raises(InvalidSchedule):
        dataclasses.replace(RULES[0], exclusions=["* * * * *"])


def test_as_text() -> None:
    assert [str(rule) for rule in RULES] == [
        "0 */3 * * * Europe/Berlin except * 0-6 * * *, 2026-12-24",
        "0 9,18 * * * Europe/Berlin except * 0-6 * * *",
        "every 15m Europe/Berlin except 2026-12-24",
        "every 15m +5m UTC except nothing",
    ]


def test_an_interval_without_phase_still_needs_its_anchor() -> None:
    with pytest.raises(ValueError, match="anchor="):
        RULES[2].after(datetime(2026, 6, 1, tzinfo=UTC))
    with pytest.raises(TypeError, match="aware datetime"):
        RULES[0].after(date(2026, 6, 1))  # type: ignore[arg-type]

"""A second opinion: cronsim, and the list of where it differs."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron
from tests.recurrence.rules import Rule, rules
from tests.recurrence.test_brute_force import CHANGES, born

# Zones whose changes fall on whole hours and leave midnight alone: elsewhere cronsim errs (see the list below).
PLAIN = [
    (zone, text)
    for zone, text in CHANGES
    if zone
    in {
        "Africa/Casablanca",
        "Africa/Windhoek",
        "America/Juneau",
        "America/New_York",
        "America/Nuuk",
        "Antarctica/Troll",
        "Atlantic/Azores",
        "Europe/Berlin",
        "Europe/Dublin",
        "Europe/Moscow",
        "UTC",
    }
]


def agrees(rule: Rule, zone: str, moment: datetime) -> None:
    assume(not re.search(r"\b0?(\d+)-0?\1/", rule.text))
    cron = born(rule, zone)
    assume(cron is not None)
    assert cron is not None
    for _ in range(4):
        theirs = next(CronSim(rule.text, moment.astimezone(ZoneInfo(zone)))).astimezone(UTC)
        assume(theirs > moment)
        assert cron.after(moment) == theirs
        moment = theirs


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    rule=rules(),
    zone=st.sampled_from(sorted({zone for zone, _ in CHANGES})),
    moment=st.datetimes(datetime(1972, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
)
def test_agrees_on_any_day(rule: Rule, zone: str, moment: datetime) -> None:
    agrees(rule, zone, moment)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(rule=rules(open_days=9), change=st.sampled_from(PLAIN), offset=st.integers(-100_000, 100_000))
def test_agrees_around_plain_changes(rule: Rule, change: tuple[str, str], offset: int) -> None:
    zone, text = change
    agrees(rule, zone, datetime.fromisoformat(text).replace(tzinfo=UTC) + timedelta(seconds=offset))


DIFFERENCES = {
    "answers the past in a repeat": ("30 1 * * *", "America/New_York", "11-02T06:10", "11-02T05:30", "11-03T06:30"),
    "steps on from a range of one": ("5-5/10 * * * *", "UTC", "05-01T00:05", "05-01T00:15", "05-01T01:05"),
    "late after half an hour's gap": ("* 19 * * *", "Australia/Lord_Howe", "10-04T15:30", "10-05T08:30", "10-05T08:00"),
    "makes up a missing midnight": ("* 0 * * 0", "Asia/Beirut", "03-29T21:52", "03-29T22:00", "04-05T21:00"),
}


@pytest.mark.parametrize("text, zone, asked, theirs, ours", DIFFERENCES.values(), ids=DIFFERENCES)
def test_known_differences(text: str, zone: str, asked: str, theirs: str, ours: str) -> None:
    moment, other, expected = (datetime.fromisoformat(f"2025-{each}+00:00") for each in (asked, theirs, ours))
    assert Cron(text, zone).after(moment) == expected
    assert next(CronSim(text, moment.astimezone(ZoneInfo(zone)))).astimezone(UTC) == other


@pytest.mark.parametrize(
    "text", ["*/90 * * * *", "0 0 L * *", "0 0 * * 5#2", "5/15 * * * *", "0 0 12 * * *", "*,5 * * * *"]
)
def test_refuses_what_cronsim_takes(text: str) -> None:
    assert next(CronSim(text, datetime(2025, 1, 1, tzinfo=UTC)))
    with pytest.raises(InvalidSchedule):
        Cron(text, "UTC")

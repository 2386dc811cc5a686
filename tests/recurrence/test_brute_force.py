"""Agreement with a minute-by-minute walk, around the changes of many zones."""

from datetime import UTC, date, datetime, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron
from tests.recurrence.rules import Rule, rules, walk

CHANGES = [
    ("Africa/Cairo", "2025-04-24T22:00"),
    ("Africa/Casablanca", "2025-02-23T02:00"),
    ("Africa/Casablanca", "2025-04-06T02:00"),
    ("Africa/Windhoek", "2017-04-02T01:00"),
    ("America/Asuncion", "2024-10-06T04:00"),
    ("America/Caracas", "2007-12-09T07:00"),
    ("America/Havana", "2025-03-09T05:00"),
    ("America/Juneau", "1983-10-30T10:00"),
    ("America/New_York", "2025-03-09T07:00"),
    ("America/New_York", "2025-11-02T06:00"),
    ("America/New_York", "2500-03-14T07:00"),
    ("America/Nuuk", "2024-03-31T01:00"),
    ("America/Santiago", "2025-04-06T03:00"),
    ("America/Sao_Paulo", "2018-02-18T02:00"),
    ("America/Sao_Paulo", "2018-11-04T03:00"),
    ("America/St_Johns", "2006-10-29T02:31"),
    ("America/St_Johns", "1988-04-03T03:31"),
    ("Antarctica/Casey", "2018-03-10T17:00"),
    ("Antarctica/Troll", "2025-03-30T01:00"),
    ("Antarctica/Troll", "2025-10-26T01:00"),
    ("Asia/Beirut", "2025-03-29T22:00"),
    ("Asia/Gaza", "2040-10-27T00:00"),
    ("Asia/Kathmandu", "1985-12-31T18:30"),
    ("Asia/Pyongyang", "2018-05-04T15:00"),
    ("Asia/Tehran", "2021-03-21T20:30"),
    ("Atlantic/Azores", "2025-10-26T01:00"),
    ("Australia/Lord_Howe", "2025-10-04T15:30"),
    ("Australia/Lord_Howe", "2026-04-04T15:00"),
    ("Europe/Berlin", "2025-03-30T01:00"),
    ("Europe/Berlin", "2150-10-25T01:00"),
    ("Europe/Dublin", "2025-03-30T01:00"),
    ("Europe/Dublin", "2025-10-26T01:00"),
    ("Europe/Moscow", "2014-10-25T22:00"),
    ("Pacific/Apia", "2011-12-30T10:00"),
    ("Pacific/Chatham", "2025-09-27T14:00"),
    ("Pacific/Enderbury", "1994-12-31T11:00"),
    ("Pacific/Kwajalein", "1993-08-21T12:00"),
    ("Pacific/Norfolk", "2015-10-03T15:30"),
    ("UTC", "2024-02-29T00:00"),
]
WINDOW = timedelta(hours=30)
MINUTES = {"0": [0], "*/7": range(0, 60, 7), "0,1,30,31,59": [0, 1, 30, 31, 59], "30": [30]}
HOURS = {"*": range(24), "0-3": range(4), "2": [2], "23": [23]}


def born(rule: Rule, zone: str) -> Cron | None:
    try:
        return Cron(rule.text, zone)
    except InvalidSchedule:
        return None


def never(rule: Rule) -> bool:
    """Answer whether no day of 28 years, which show all kinds of year, matches."""
    return not any(rule.on(date(1972, 1, 1) + timedelta(days=day)) for day in range(28 * 365 + 7))


def instants(cron: Cron, start: datetime, end: datetime) -> list[datetime]:
    found: list[datetime] = []
    moment = cron.after(start)
    while moment is not None and moment <= end:
        found.append(moment)
        moment = cron.after(moment)
    return found


def agrees(rule: Rule, zone: str, middle: datetime, *probes: int) -> None:
    cron = born(rule, zone)
    if cron is None:
        assert never(rule)
        return
    start, end = middle - WINDOW, middle + WINDOW
    expected = walk(rule, ZoneInfo(zone), start, end)

    assert instants(cron, start, end) == expected
    for probe in (middle + timedelta(seconds=seconds) for seconds in probes):
        earlier = [instant for instant in expected if instant <= probe]
        assert cron.count(start, probe) == len(earlier)
        assert cron.count(probe, end) == len(expected) - len(earlier)
        if earlier:
            assert cron.before(probe) == earlier[-1]


@pytest.mark.parametrize("zone, text", CHANGES)
def test_agrees_at_each_change(zone: str, text: str) -> None:
    days, months, weekdays = frozenset(range(1, 32)), frozenset(range(1, 13)), frozenset(range(7))
    middle = datetime.fromisoformat(text).replace(tzinfo=UTC)
    for (minutes, at_minutes), (hours, at_hours) in product(MINUTES.items(), HOURS.items()):
        rule = Rule(f"{minutes} {hours} * * *", frozenset(at_minutes), frozenset(at_hours), days, months, weekdays)
        agrees(rule, zone, middle, -61, -1, 0, 1, 59, 60, 1799, 1800, 3599, 3600, 86_400)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(rule=rules(open_days=9), change=st.sampled_from(CHANGES), offset=st.integers(-100_000, 100_000))
def test_agrees_with_the_walk_around_a_change(rule: Rule, change: tuple[str, str], offset: int) -> None:
    zone, text = change
    agrees(rule, zone, datetime.fromisoformat(text).replace(tzinfo=UTC), offset)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    rule=rules(open_days=7),
    zone=st.sampled_from(sorted({zone for zone, _ in CHANGES})),
    middle=st.datetimes(datetime(1975, 1, 1), datetime(2400, 1, 1)),
    offset=st.integers(-100_000, 100_000),
)
def test_agrees_with_the_walk_on_any_day(rule: Rule, zone: str, middle: datetime, offset: int) -> None:
    agrees(rule, zone, middle.replace(second=0, microsecond=0, tzinfo=UTC), offset)

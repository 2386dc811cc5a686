"""Exclusions against a walk that looks at the wall clock at each nominal time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Every, Excluding
from tests.recurrence.rules import Rule, first_instant, real_minutes, rules, wall_times
from tests.recurrence.test_brute_force import CHANGES, born
from tests.recurrence.test_properties import RECENT, ZONES, one_story

WINDOW = timedelta(hours=30)
PERIODS = ["1s", "7s", "59999ms", "61s", "5m", "7m", "15m", "45m", "1h", "5h", "1d", "25h", "90061s"]


@dataclass(frozen=True)
class Gone:
    """Generated exclusions with their meaning."""

    rules: list[Rule]
    days: list[tuple[date, date]]

    @property
    def items(self) -> list[object]:
        return [*(rule.text for rule in self.rules), *self.days]

    def at(self, wall: datetime) -> bool:
        return any(rule.at(wall) for rule in self.rules) or any(one <= wall.date() <= two for one, two in self.days)


@st.composite
def exclusions(draw: st.DrawFn, middle: date) -> Gone:
    offsets = st.tuples(st.integers(-3, 3), st.integers(0, 2))
    drawn = draw(st.lists(offsets, max_size=2))
    days = [(middle + timedelta(days=start), middle + timedelta(days=start + more)) for start, more in drawn]
    listed = draw(st.lists(rules(open_days=8), max_size=3))
    assume(all(born(rule, "UTC") for rule in listed))
    return Gone(listed, days)


def agrees(recurrence: Excluding, expected: list[datetime], start: datetime, end: datetime, offset: int) -> None:
    anchor, found = start, []
    moment = recurrence.after(start, anchor=anchor)
    while moment is not None and moment <= end:
        found.append(moment)
        moment = recurrence.after(moment, anchor=anchor)
    assert found == expected
    for probe in (start, start + (end - start) / 2 + timedelta(seconds=offset), end):
        earlier = [instant for instant in expected if instant <= probe]
        assert recurrence.count(start, probe, anchor=anchor) == len(earlier)
        assert recurrence.count(probe, end, anchor=anchor) == len(expected) - len(earlier)
        before = recurrence.before(probe, anchor=anchor)
        assert before == earlier[-1] if earlier else before is None or before <= start


@settings(max_examples=250, deadline=None, derandomize=True)
@given(data=st.data(), change=st.sampled_from(CHANGES), offset=st.integers(-80_000, 80_000))
def test_a_rule_agrees_with_the_walk_around_a_change(data: st.DataObject, change: tuple[str, str], offset: int) -> None:
    zone, middle = ZoneInfo(change[0]), datetime.fromisoformat(change[1]).replace(tzinfo=UTC)
    start, end = middle - WINDOW, middle + WINDOW
    rule, gone = data.draw(rules(open_days=9)), data.draw(exclusions(middle.astimezone(zone).date()))
    cron = born(rule, change[0])
    assume(cron is not None)
    assert cron is not None
    if rule.wildcard:
        found = real_minutes(rule, zone, start, end)
    else:
        found = {first_instant(wall, zone) for wall in wall_times(rule, start, end) if not gone.at(wall)}
    expected = sorted(each for each in found if start < each <= end and not gone.at(each.astimezone(zone)))
    try:
        kept = Excluding(cron, gone.items)
    except InvalidSchedule:
        assert expected == []
    else:
        agrees(kept, expected, start, end, offset)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(
    data=st.data(),
    change=st.sampled_from(CHANGES),
    period=st.sampled_from(PERIODS),
    shift=st.just(0) | st.integers(0, 10**8),
    offset=st.integers(-80_000, 80_000),
)
def test_an_interval_agrees_with_the_walk_around_a_change(
    data: st.DataObject, change: tuple[str, str], period: str, shift: int, offset: int
) -> None:
    zone, middle = ZoneInfo(change[0]), datetime.fromisoformat(change[1]).replace(tzinfo=UTC)
    step = Every(period).period
    width = min(max(WINDOW, 3 * step), 1200 * step)
    start, end = middle - width + timedelta(milliseconds=shift) % step, middle + width
    gone = data.draw(exclusions(middle.astimezone(zone).date()))
    grid = (start + step * number for number in range(1, (end - start) // step + 1))
    expected = [instant for instant in grid if not gone.at(instant.astimezone(zone))]
    try:
        kept = Excluding(Every(period), gone.items, zone)
    except InvalidSchedule:
        assert expected == []
    else:
        agrees(kept, expected, start, end, offset % (width // timedelta(seconds=1) + 1))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data(), zone=st.sampled_from(ZONES), period=st.sampled_from(["11h", "1h", "47m", "15m", "13m"]))
@example(data=None, zone="Europe/Berlin", period="47m")
def test_a_long_count_is_that_of_the_walk(data: st.DataObject | None, zone: str, period: str) -> None:
    start, step = datetime(2024, 10, 1, 3, 7, 11, tzinfo=UTC), Every(period).period
    gone = data.draw(exclusions(date(2025, 3, 1))) if data else Gone([], [(date(2025, 1, 1), date(2025, 1, 9))])
    here, end = ZoneInfo(zone), start + timedelta(days=300)
    grid = (start + step * number for number in range(1, (end - start) // step + 1))
    expected = sum(not gone.at(instant.astimezone(here)) for instant in grid)
    try:
        kept = Excluding(Every(period), gone.items, zone)
    except InvalidSchedule:
        assert expected == 0
    else:
        assert kept.count(start, end, anchor=start) == expected


@settings(max_examples=120, deadline=None, derandomize=True)
@given(data=st.data(), zone=st.sampled_from(ZONES), moment=RECENT, grid=st.none() | st.sampled_from(PERIODS))
def test_the_verbs_tell_one_story(data: st.DataObject, zone: str, moment: datetime, grid: str | None) -> None:
    rule = data.draw(rules(open_days=7))
    recurrence = Every(grid) if grid else born(rule, zone)
    assume(recurrence is not None)
    assert recurrence is not None
    try:
        kept = Excluding(recurrence, data.draw(exclusions(moment.date())).items, zone)
    except InvalidSchedule:
        assume(False)
    one_story(kept, moment)

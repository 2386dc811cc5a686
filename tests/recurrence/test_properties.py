"""What holds for every recurrence: after, before and count tell one story."""

from datetime import UTC, datetime, timedelta

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from django_repeat.recurrence import Cron, Every
from django_repeat.recurrence.moments import Moments
from tests.recurrence.rules import Rule, rules
from tests.recurrence.test_brute_force import CHANGES, born

ZONES = sorted({zone for zone, _ in CHANGES})
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
RECENT = st.datetimes(datetime(1880, 1, 1), datetime(2600, 1, 1), timezones=st.just(UTC))
ANCHOR = datetime(2025, 1, 1, 0, 0, 0, 250_000, tzinfo=UTC)


def one_story(recurrence: Moments, moment: datetime, steps: int = 6) -> None:
    found = [moment]
    for _ in range(steps):
        following = recurrence.after(found[-1], anchor=ANCHOR)
        if following is None:
            break
        assert following > found[-1]
        assert recurrence.before(following, anchor=ANCHOR) == following
        assert recurrence.before(following - timedelta(milliseconds=1), anchor=ANCHOR) == (
            found[-1] if len(found) > 1 else recurrence.before(moment, anchor=ANCHOR)
        )
        found.append(following)
    for place, instant in enumerate(found):
        assert recurrence.count(moment, instant, anchor=ANCHOR) == place
        assert recurrence.count(instant, found[-1], anchor=ANCHOR) == len(found) - 1 - place
        assert recurrence.count(found[-1], instant, anchor=ANCHOR) == 0


@settings(max_examples=150, deadline=None, derandomize=True)
@given(rule=rules(open_days=5), zone=st.sampled_from(ZONES), moment=RECENT | MOMENTS)
def test_a_cron_rule_tells_one_story(rule: Rule, zone: str, moment: datetime) -> None:
    cron = born(rule, zone)
    assume(cron is not None)
    assert cron is not None
    one_story(cron, moment)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    period=st.integers(1, 10**6) | st.integers(1, 10**13),
    share=st.none() | st.floats(0, 0.999),
    moment=RECENT | MOMENTS,
)
def test_an_interval_tells_one_story(period: int, share: float | None, moment: datetime) -> None:
    phase = None if share is None else timedelta(milliseconds=int(period * share))
    one_story(Every(timedelta(milliseconds=period), phase), moment)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(rule=rules(open_days=7), zone=st.sampled_from(ZONES), start=RECENT, gaps=st.tuples(*[st.integers(0, 10**9)] * 2))
def test_counts_add_up(rule: Rule, zone: str, start: datetime, gaps: tuple[int, int]) -> None:
    cron = born(rule, zone)
    assume(cron is not None)
    assert cron is not None
    middle = start + timedelta(seconds=gaps[0])
    end = middle + timedelta(seconds=gaps[1])
    assert cron.count(start, middle) + cron.count(middle, end) == cron.count(start, end)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(rule=rules(open_days=7), zone=st.sampled_from(ZONES), one=RECENT, other=RECENT)
def test_later_asked_is_never_earlier_answered(rule: Rule, zone: str, one: datetime, other: datetime) -> None:
    cron = born(rule, zone)
    assume(cron is not None)
    assert cron is not None
    early, late = sorted((one, other))
    first, second = cron.after(early), cron.after(late)
    assert first is not None
    assert second is not None
    assert first <= second


def test_the_calendar_has_two_ends() -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    daily, minutely, phased = Cron("0 6 * * *", "America/New_York"), Cron("* * * * *", "Asia/Tokyo"), Every("1d", "6h")
    for recurrence in (daily, minutely, phased):
        assert recurrence.after(last) is None
        following, latest = recurrence.after(first), recurrence.before(last)
        assert following is not None
        assert latest is not None
        assert recurrence.before(following - timedelta(milliseconds=1)) in (None, first)
        assert recurrence.after(latest) is None
        assert recurrence.count(first, last) > 3_650_000
    assert phased.before(first) is None
    assert daily.before(first) is None
    assert minutely.before(last) == datetime(9999, 12, 31, 23, 59, tzinfo=UTC)


def test_far_counts_are_exact() -> None:
    cycle = timedelta(days=146_097)
    start = datetime(2500, 1, 1, tzinfo=UTC)
    for text in ("0 2 * * *", "30 2 * * *", "0 0 29 2 *"):
        assert Cron(text, "Europe/Berlin").count(start, start + cycle) == (97 if "29" in text else 146_097)
    assert Cron("* * * * *", "Europe/Berlin").count(start, start + cycle) == 146_097 * 1440

"""Durations: what is read, what is refused, and the shortest text."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule


@pytest.mark.parametrize(
    "value, ms",
    [
        (timedelta(minutes=15), 900_000),
        (timedelta(0), 0),
        (timedelta(milliseconds=1), 1),
        (90, 90_000),
        (0, 0),
        (1.5, 1500),
        (0.001, 1),
        (1.001, 1001),
        (0.07, 70),
        (1e3, 1_000_000),
        ("1500ms", 1500),
        ("90s", 90_000),
        ("15m", 900_000),
        ("2h", 7_200_000),
        ("1d", 86_400_000),
        ("1w", 604_800_000),
        ("007s", 7000),
        ("0s", 0),
        (durations.LONGEST_MS / 1000, durations.LONGEST_MS),
    ],
)
def test_reads(value: Any, ms: int) -> None:
    assert durations.parse(value) == ms
    assert type(durations.parse(value)) is int


NEITHER = [True, False, None, b"5s", [5], Decimal(5), Fraction(1), object(), datetime(2025, 1, 1, tzinfo=UTC)]
ENDLESS = [float("nan"), float("inf"), float("-inf")]
TEXTS = [
    "",
    "5",
    "s",
    "5 s",
    " 5s",
    "5s\n",
    "5S",
    "5min",
    "1.5s",
    "-5s",
    "+5s",
    "1_0s",
    "５s",
    "1h30m",
    "9" * 5000 + "s",
]
HUGE = pytest.param(10**5000, id="huge")


@pytest.mark.parametrize("value", [*NEITHER, *ENDLESS, *TEXTS])
def test_says_what_is_accepted(value: Any) -> None:
    with pytest.raises(InvalidSchedule, match=r"a timedelta, a number of seconds, or text like '90s'") as caught:
        durations.parse(value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("value", [timedelta(microseconds=1), timedelta(microseconds=1500), 0.0001, 1.0005, 5e-324])
def test_refuses_fractions_of_a_millisecond(value: Any) -> None:
    with pytest.raises(InvalidSchedule, match="millisecond"):
        durations.parse(value)


@pytest.mark.parametrize("value", [-1, -0.001, timedelta.min, pytest.param(-(10**5000), id="huge")])
def test_refuses_negative_ones(value: Any) -> None:
    with pytest.raises(InvalidSchedule, match="negative"):
        durations.parse(value)


@pytest.mark.parametrize("value", [timedelta.max, 10**12, HUGE, 1.7e308, "999999999999999999w"])
def test_refuses_what_no_datetime_can_hold(value: Any) -> None:
    with pytest.raises(InvalidSchedule, match="9999"):
        durations.parse(value)


@pytest.mark.parametrize(
    "ms, text",
    [
        (0, "0s"),
        (1, "1ms"),
        (1500, "1500ms"),
        (1000, "1s"),
        (90_000, "90s"),
        (60_000, "1m"),
        (900_000, "15m"),
        (5_400_000, "90m"),
        (3_600_000, "1h"),
        (86_400_000, "1d"),
        (604_800_000, "1w"),
        (864_000_000, "10d"),
        (3_024_000_000, "5w"),
    ],
)
def test_describes_shortly(ms: int, text: str) -> None:
    assert durations.describe(ms) == text


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(0, durations.LONGEST_MS))
def test_reads_back_what_it_describes(ms: int) -> None:
    assert durations.parse(durations.describe(ms)) == ms
    assert durations.parse(timedelta(milliseconds=ms)) == ms


@pytest.mark.parametrize(
    "ms, text",
    [
        (0, "0s"),
        (1, "1ms"),
        (90_000, "1m 30s"),
        (90_000_000, "1d 1h"),
        (604_800_000, "7d"),
        (86_399_999, "23h 59m 59s 999ms"),
    ],
)
def test_a_span_has_all_its_units(ms: int, text: str) -> None:
    assert durations.span(ms) == text

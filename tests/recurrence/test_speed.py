"""Speed that callers rely on; the best of several runs counts."""

import time
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from django_repeat.recurrence import Cron, Every, Excluding
from django_repeat.recurrence.moments import MAX_MS, MIN_MS

NOW = 1_764_547_200_123
YEARS = 3 * 365 * 86_400_000
HOLIDAYS = [date(2023, 1, 1) + timedelta(days=37 * step) for step in range(30)]


def best(call: Callable[[], object], times: int = 7) -> float:
    """Answer the shortest run in seconds."""
    runs = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        runs.append(time.perf_counter() - begin)
    return min(runs)


def best_each(call: Callable[[int], object]) -> float:
    """Answer the seconds of one call, from the best of runs of 200 calls."""
    return best(lambda: [call(NOW + step * 61_001) for step in range(200)]) / 200


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Africa/Casablanca"])
def test_every_minute_takes_microseconds(zone: str) -> None:
    assert best_each(Cron("* * * * *", zone).after_ms) < 15e-6


@pytest.mark.parametrize("text", ["0 6 * * *", "30 2 1 * *", "0 7 * * MON", "0 0 29 2 *", "* * 29 2 *", "0 0 29 2 */7"])
def test_rare_rules_take_microseconds(text: str) -> None:
    cron = Cron(text, "Europe/Berlin")
    assert best_each(cron.after_ms) < 60e-6
    assert best_each(cron.before_ms) < 60e-6


def test_a_known_text_is_born_in_microseconds() -> None:
    assert best(lambda: [Cron("*/5 8-18 * * MON-FRI", "Europe/Berlin") for _ in range(200)]) / 200 < 50e-6


@pytest.mark.parametrize("text", ["* * * * *", "*/7 * * * *", "0 6 * * *", "0-59 0-23 * * *"])
def test_three_missed_years_take_under_ten_milliseconds(text: str) -> None:
    cron = Cron(text, "Europe/Berlin")
    assert best(lambda: (cron.before_ms(NOW), cron.count_ms(NOW - YEARS, NOW))) < 0.010


def test_three_missed_years_of_an_interval_take_a_tenth_of_a_millisecond() -> None:
    every = Every("1s")
    assert best(lambda: (every.before_ms(NOW, 7), every.count_ms(NOW - YEARS, NOW, 7))) < 0.0001


@pytest.mark.parametrize("text", ["* * * * *", "30 2 * * *"])
def test_all_years_are_counted_without_hanging(text: str) -> None:
    cron = Cron(text, "Europe/Berlin")
    assert best(lambda: cron.count_ms(MIN_MS, MAX_MS), times=2) < 1


@pytest.mark.parametrize("rule", ["* 0-6 * * *", "*/2 * * * *", "* 0-6,19-23 * * 1-5"])
@pytest.mark.parametrize(
    "recurrence",
    [
        Cron("* * * * *", "Europe/Berlin"),
        Cron("0-59 0-23 * * *", "Europe/Berlin"),
        *map(Every, ("1s", "7001ms", "83000s")),
    ],
    ids=str,
)
def test_three_missed_years_with_exclusions_take_under_twenty_milliseconds(recurrence: Cron | Every, rule: str) -> None:
    kept = Excluding(recurrence, [rule, *HOLIDAYS], "Europe/Berlin")
    assert best(lambda: (kept.before_ms(NOW, 7), kept.count_ms(NOW - YEARS, NOW, 7))) < 0.020
    assert best_each(lambda ms: kept.after_ms(ms, 7)) < 100e-6


def test_exclusions_that_are_known_are_born_in_microseconds() -> None:
    cron, items = Cron("* * * * *", "Europe/Berlin"), ["* 0-6 * * *", *(day.isoformat() for day in HOLIDAYS)]
    assert best(lambda: [Excluding(cron, items) for _ in range(20)]) / 20 < 200e-6


@pytest.mark.parametrize("every, rule", [("1d", "* 3-5 * * *"), ("1h", "0 * * * *"), ("100h", "*/2 * * * *")])
def test_a_search_without_hope_takes_under_fifty_milliseconds(every: str, rule: str) -> None:
    kept, anchor = Excluding(Every(every), [rule], "Europe/Berlin"), 3 * 3_600_000
    assert best(lambda: kept.after_ms(NOW, anchor)) < 0.050
    assert kept.after_ms(NOW, anchor) is None
    assert best(lambda: kept.before_ms(NOW, anchor)) < 0.050

"""``repeat next`` around changes of the clocks, and what an operator took out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from django_repeat import clock, pause, service, skip
from django_repeat.instants import from_ms, to_ms
from tests.commands.running import NOW, SiteSettings, call, call_json

HOUR = 3_600_000
Declare = Callable[..., None]


def at(text: str) -> int:
    return to_ms(datetime.fromisoformat(text))


def column(text: str) -> list[str]:
    """Answer what stands in the last column, below its head."""
    head, *rows = text.splitlines()
    return [row[head.index("clocks") :].strip() for row in rows]


@pytest.mark.parametrize("cron, now, said", [
    ("30 2 * * *", "2030-03-29T12:00Z", ["", "+1h, for 02:30, which is left out", ""]),
    ("30 2 * * *", "2030-10-26T12:00Z", ["first of two", "-1h", ""]),
    ("0 * * * *", "2030-10-26T23:30Z", ["first of two", "-1h, second of two", ""]),
])  # fmt: skip
def test_a_change_of_the_clocks_is_marked(declare_only: Declare, cron: str, now: str, said: list[str]) -> None:
    declare_only({"a": {"command": "check", "cron": cron, "timezone": "Europe/Berlin"}})
    with clock.freeze(at(now)):
        service.sync()
        assert column(call("next", "a", "-n", "3")[0]) == said


def test_the_first_row_is_compared_with_the_last_run_and_not_before_there_is_one(declare_only: Declare) -> None:
    declare_only({"a": {"command": "check", "cron": "0 6 * * *", "timezone": "Europe/Berlin"}})
    with clock.freeze(at("2030-03-29T12:00Z")):
        service.sync()
    with clock.freeze(at("2030-03-30T12:00Z")):
        assert "clocks" not in call("next", "a", "-n", "1")[0]
        call("tick", "--once")
        assert column(call("next", "a", "-n", "1")[0]) == ["+1h"]


def test_an_interval_is_marked_on_the_clock_of_the_site(declare_only: Declare, settings: SiteSettings) -> None:
    declare_only({"a": {"command": "check", "every": "1h", "phase": "0s"}})
    with clock.freeze(at("2030-10-26T23:30Z")):
        assert "clocks" not in call("next", "a")[0]
        settings.TIME_ZONE = "Europe/Berlin"
        assert column(call("next", "a", "-n", "2")[0]) == ["first of two", "-1h, second of two"]


def test_json_has_the_marks(declare_only: Declare) -> None:
    declare_only(
        {
            "gap": {"command": "check", "cron": "30 2 31 3 *", "timezone": "Europe/Berlin"},
            "both": {"command": "check", "cron": "30 * 27 10 *", "timezone": "Europe/Berlin"},
        }
    )
    with clock.freeze(at("2030-03-01T00:00Z")):
        service.sync()
        (gap,) = call_json("next", "gap", "-n", "1")
        both = call_json("next", "both", "-n", "5")
    assert (gap["wall"], gap["left_out"], gap["side"]) == (
        "2030-03-31T03:00:00+02:00", "2030-03-31T02:30:00", "",
    )  # fmt: skip
    found = [(one["shift_ms"], one["side"], one["left_out"]) for one in both]
    assert found == [(0, "", None), (0, "", None), (0, "first", None), (-HOUR, "second", None), (0, "", None)]


def times(*args: str) -> list[str]:
    return [line.split()[-2][11:16] for line in call("next", *args)[0].splitlines()[1:]]


@pytest.fixture
def hourly(declare_only: Declare, frozen: int) -> None:
    declare_only({"a": {"command": "check", "cron": "@hourly"}})
    service.sync()


def test_what_an_operator_skips_is_left_out_and_said(hourly: None) -> None:
    skip("a", 2)
    assert times("a", "-n", "2") == ["03:00", "04:00"]
    said = "Schedule 'a': an operator skips 2030-01-01 01:00:00 UTC, 2030-01-01 02:00:00 UTC.\n"
    assert said in call("next", "a")[1]


def test_of_many_skips_some_are_said(hourly: None) -> None:
    skip("a", 9)
    assert "05:00:00 UTC, and 4 more.\n" in call("next", "a")[1]


@pytest.mark.parametrize("fields", [{}, {"max_runs": 2}])
def test_what_a_pause_takes_out_is_left_out_if_its_end_is_known(
    declare_only: Declare, frozen: int, fields: dict[str, Any]
) -> None:
    declare_only({"a": {"command": "check", "cron": "@hourly", **fields}})
    service.sync()
    pause("a", until=from_ms(NOW + 150 * 60_000))
    assert times("a", "-n", "2") == ["03:00", "04:00"]
    pause("a")
    assert times("a", "-n", "2") == ["01:00", "02:00"]

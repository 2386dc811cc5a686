"""``repeat skip``."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import CommandError

from django_repeat import clock, service
from tests.commands.running import NOW, call, call_json

Declare = Callable[..., None]
HOUR = 3_600_000


@pytest.fixture
def a(declare_only: Declare, frozen: int) -> None:
    service.register("a", command="check", cron="0 * * * *", timezone="Europe/Berlin")


def test_the_next_times_are_dropped_and_the_cadence_stays(a: None) -> None:
    out, err = call("skip", "a", "--count", "2")
    assert err == ""
    assert out == (
        "Skipped Tue 2030-01-01 02:00:00 CET of 'a' in queue 'default'.\n"
        "Skipped Tue 2030-01-01 03:00:00 CET of 'a' in queue 'default'.\n"
    )
    fired = ""
    for hour in range(1, 4):
        with clock.freeze(NOW + hour * HOUR):
            fired += call("tick", "--once")[0]
    assert fired == f"a@{NOW + 3 * HOUR}\n"


def test_one_is_skipped_unless_told_otherwise_and_the_next_call_skips_the_next(a: None) -> None:
    assert call_json("skip", "a") == {"queue": "default", "name": "a", "skipped": ["2030-01-01T01:00:00Z"]}
    assert call_json("skip", "a")["skipped"] == ["2030-01-01T02:00:00Z"]
    assert call_json("show", "a")["skips"] == ["2030-01-01T01:00:00Z", "2030-01-01T02:00:00Z"]


def test_what_is_skipped_ahead_is_shown(a: None) -> None:
    call("skip", "a", "--count", "7", "--by", "anna", "--reason", "inventory")
    out, _ = call("show", "a")
    hours = ", ".join(f"2030-01-01 0{hour}:00:00 UTC" for hour in range(1, 6))
    assert f"\nskips          {hours}, and 2 more\n" in out
    assert out.splitlines()[-1] == (
        "  at=2030-01-01T00:00:00Z  verb=skip  first=2030-01-01T01:00:00Z  nominal=2030-01-01T07:00:00Z  count=7  "
        'by="anna"  note="inventory"'
    )


def test_the_end_of_a_schedule_is_said(declare_only: Declare, frozen: int) -> None:
    service.register("a", command="check", every="1h", phase="0s", end_at="2030-01-01T02:00:00Z")
    out, err = call("skip", "a", "--count", "5")
    assert (out.count("Skipped"), err) == (2, "It has no further times.\n")
    with pytest.raises(CommandError, match="has no further times to skip") as caught:
        call("skip", "a")
    assert caught.value.returncode == 1


@pytest.mark.parametrize("count", ["0", "101", "-1", "two"])
def test_a_number_out_of_bounds_is_refused(a: None, count: str) -> None:
    with pytest.raises(CommandError, match="from 1 to 100"):
        call("skip", "a", f"--count={count}")
    assert service.get("a").skips == ()


def test_a_number_from_code_is_checked_too(a: None) -> None:
    with pytest.raises(CommandError, match="from 1 to 100") as caught:
        call("skip", "a", count=101)
    assert caught.value.returncode == 2

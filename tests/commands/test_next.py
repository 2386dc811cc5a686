"""``repeat next``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import redis
from django.core.management import CommandError

from django_repeat import clock, service
from django_repeat.instants import to_ms
from tests.commands.running import NOW, SiteSettings, call, call_json

HOUR = 3_600_000
DAY = 24 * HOUR


def nominal(*args: str) -> list[str]:
    return [one["nominal"] for one in call_json("next", *args)]


def shown(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.fixture
def registered(schedules: None, frozen: int) -> None:
    service.sync()


def test_times_are_shown_on_the_clock_of_the_schedule_s_zone(registered: None) -> None:
    out, err = call("next", "reports.daily", "-n", "2")
    assert err == ""
    assert shown(out) == [
        "wall time UTC after",
        "Tue 2030-01-01 06:00:00 CET 2030-01-01T05:00:00Z -",
        "Wed 2030-01-02 06:00:00 CET 2030-01-02T05:00:00Z 1d",
    ]


def test_an_interval_is_shown_on_the_clock_of_the_site(registered: None, settings: SiteSettings) -> None:
    settings.TIME_ZONE = "Asia/Shanghai"
    assert shown(call("next", "phased", count=1)[0])[1] == "Tue 2030-01-01 08:05:00 CST 2030-01-01T00:05:00Z -"


def test_the_gap_shows_a_change_of_the_clocks(schedules: None) -> None:
    with clock.freeze(NOW + 88 * DAY):  # 2030-03-30; clocks go forward on the 31st
        service.sync()
        times = call_json("next", "reports.daily", "-n", "3")
    assert [one["gap_ms"] for one in times] == [None, 23 * HOUR, 24 * HOUR]
    assert [one["wall"] for one in times[:2]] == ["2030-03-30T06:00:00+01:00", "2030-03-31T06:00:00+02:00"]
    assert times[0]["zone"] == "Europe/Berlin"


def test_the_first_gap_is_that_to_the_last_run_and_there_is_none_before_the_first(schedules: None) -> None:
    with clock.freeze(NOW):
        assert [one["gap_ms"] for one in json.loads(call("next", "pulse", "--json", count=2)[0])] == [None, 30_000]
        service.sync()
        assert [one["gap_ms"] for one in json.loads(call("next", "pulse", "--json", count=2)[0])] == [None, 30_000]
        call("tick", "--once")
        assert [one["gap_ms"] for one in call_json("next", "pulse", "-n", "2")] == [30_000, 30_000]
        assert shown(call("next", "pulse", count=1)[0])[1] == "Tue 2030-01-01 00:00:30 UTC 2030-01-01T00:00:30Z 30s"


def test_wall_times_have_an_offset_and_milliseconds_only_where_there_are_some(schedules: None) -> None:
    walls = []
    for after in (0, 7):
        with clock.freeze(NOW + after):
            service.sync()
            walls += [one["wall"] for one in json.loads(call("next", "pulse", "--json", count=1)[0])]
            service.cancel("pulse")
    assert walls == ["2030-01-01T00:00:30+00:00", "2030-01-01T00:00:30.007+00:00"]


def test_five_are_shown_unless_told_otherwise(registered: None) -> None:
    assert len(nominal("phased")) == 5
    assert len(nominal("phased", "-n", "7")) == 7


def test_an_interval_goes_on_from_its_own_last_time(schedules: None) -> None:
    with clock.freeze(NOW + 7_000):
        service.sync()
        call("tick", "--once")
    with clock.freeze(NOW + 20_000):
        assert nominal("pulse", "-n", "2") == ["2030-01-01T00:00:37Z", "2030-01-01T00:01:07Z"]


def test_a_first_time_that_waits_is_the_first(declare_only: Callable[..., None], frozen: int) -> None:
    service.register("a", command="check", every="15m", first_in="1h")
    assert nominal("a", "-n", "2") == ["2030-01-01T01:00:00Z", "2030-01-01T01:15:00Z"]


def test_what_is_due_is_no_next_time_but_is_said(schedules: None) -> None:
    with clock.freeze(NOW):
        service.sync()
    with clock.freeze(NOW + 45_000):
        out, err = call("next", "pulse", "-n", "1")
    assert "2030-01-01T00:01:00Z" in out
    assert err == "Schedule 'pulse' is due since 2030-01-01 00:00:00 UTC.\n"


@pytest.mark.parametrize("fields, times", [
    ({"every": "15m"}, ["2030-01-01T00:00:00Z", "2030-01-01T00:15:00Z"]),
    ({"every": "15m", "first_in": "7m"}, ["2030-01-01T00:07:00Z", "2030-01-01T00:22:00Z"]),
    ({"every": "15m", "phase": "5m", "first_in": "7m"}, ["2030-01-01T00:20:00Z", "2030-01-01T00:35:00Z"]),
    ({"cron": "0 0 * * *"}, ["2030-01-02T00:00:00Z", "2030-01-03T00:00:00Z"]),
    ({"cron": "0 0 * * *", "first_in": "24h"}, ["2030-01-03T00:00:00Z", "2030-01-04T00:00:00Z"]),
])  # fmt: skip
def test_a_declaration_answers_where_the_registry_has_no_entry(
    declare_only: Callable[..., None], frozen: int, fields: dict[str, Any], times: list[str]
) -> None:
    declare_only({"a": {"command": "check", **fields}})
    out, err = call("next", "a", "-n", "2")
    assert [line.split()[-2] for line in out.splitlines()[1:]] == times
    assert err == (
        "Schedule 'a' is not in the registry; these times are those of this code's declaration, as if it were "
        "registered now.\n"
    )
    service.sync()
    start = to_ms(service.get("a").next)  # type: ignore[arg-type]
    with clock.freeze(start - 1):
        assert nominal("a", "-n", "2") == times


@pytest.mark.parametrize("fields, times", [
    ({"every": "15m", "start_at": "2030-01-01T00:07:00Z", "max_runs": 2}, ["00:07:00", "00:22:00"]),
    ({"every": "15m", "end_at": "2030-01-01T00:29:00Z"}, ["00:00:00", "00:15:00"]),
    ({"cron": "*/20 * * * *", "start_at": "2030-01-01T01:00:00Z", "end_at": "2030-01-01T01:20:00Z"},
     ["01:00:00", "01:20:00"]),
    ({"cron": "@hourly", "end_at": "2029-01-01T00:00:00Z"}, []),
])  # fmt: skip
def test_the_times_keep_to_the_bounds(
    declare_only: Callable[..., None], frozen: int, fields: dict[str, Any], times: list[str]
) -> None:
    declare_only({"a": {"command": "check", **fields}})
    declared, _ = call("next", "a")
    assert [line.split()[-2][11:19] for line in declared.splitlines()[1:]] == times
    service.sync()
    with clock.freeze(NOW - 1):
        out, _ = call("next", "a")
    assert [line.split()[-2][11:19] for line in out.splitlines()[1:]] == times


def test_what_has_fired_counts_and_a_finished_schedule_has_no_times(schedules: None) -> None:
    with clock.freeze(NOW):
        service.register("a", command="check", every="15m", max_runs=3)
        assert "due since" in call("next", "a")[1]
        call("tick", "--once")
        assert nominal("a") == ["2030-01-01T00:15:00Z", "2030-01-01T00:30:00Z"]
    with clock.freeze(NOW + HOUR // 4):
        out, _ = call("next", "a")
        assert [line.split()[-2] for line in out.splitlines()[1:]] == ["2030-01-01T00:30:00Z"]
    for quarter in (1, 2):
        with clock.freeze(NOW + quarter * HOUR // 4):
            call("tick", "--once")
    assert call("next", "a") == ("", "Schedule 'a' has no further times.\n")


def test_a_spread_is_said_and_what_it_puts_off_is_still_to_come(schedules: None) -> None:
    with clock.freeze(NOW):
        service.register("a", command="check", cron="0 * * * *", timezone="UTC", spread="30m")
        offset = service.get("a").schedule.offset_ms  # type: ignore[union-attr]
    with clock.freeze(NOW + HOUR + offset - 1):
        out, err = call("next", "a", "-n", "1")
    assert "2030-01-01T01:00:00Z" in out
    assert err.startswith("Schedule 'a' falls due ")
    assert "due since" not in err
    with clock.freeze(NOW + HOUR + offset):
        out, err = call("next", "a", "-n", "1")
    assert "2030-01-01T02:00:00Z" in out
    assert "Schedule 'a' is due since" in err


def test_a_declaration_answers_where_redis_is_away(schedules: None, frozen: int, settings: SiteSettings) -> None:
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "REDIS": "redis://:hunter2@127.0.0.1:1/0"}
    out, err = call("next", "reports.daily", "-n", "1")
    assert "2030-01-01T05:00:00Z" in out
    assert err.startswith("The registry is unavailable: redis://127.0.0.1:1/0: ")
    assert "hunter2" not in err
    with pytest.raises(CommandError, match="The registry is unavailable"):
        call("next", "dynamic")


def test_a_damaged_entry_falls_back_to_its_declaration(registered: None, raw: redis.Redis) -> None:
    raw.hset("emq:{default}:repeat:reports.daily", "template", "?")
    out, err = call("next", "reports.daily", "-n", "1")
    assert "2030-01-01T05:00:00Z" in out
    assert err.startswith("Schedule 'reports.daily' is broken in the registry; ")


def test_an_entry_that_cannot_be_read_is_refused(registered: None, raw: redis.Redis) -> None:
    raw.zadd("emq:{default}:repeat", {"odd": NOW})
    with pytest.raises(CommandError, match=r"Schedule 'odd' is broken \(the record is missing\)"):
        call("next", "odd")


def test_a_disabled_schedule_says_that_it_will_not_fire(declare_only: Callable[..., None], frozen: int) -> None:
    declare_only({"a": {"command": "check", "cron": "@daily", "enabled": False}})
    out, err = call("next", "a", "-n", "1")
    assert "2030-01-02T00:00:00Z" in out
    assert "Schedule 'a' is disabled: it will not fire.\n" in err


def test_an_unknown_name_is_refused_with_the_near_one(registered: None) -> None:
    with pytest.raises(CommandError, match=r"No schedule 'report\.daily' .* Did you mean 'reports\.daily'\?"):
        call("next", "report.daily")


def test_a_name_that_is_declared_wrongly_is_said_to_be(declare_only: Callable[..., None], frozen: int) -> None:
    declare_only({"odd": {"command": "check", "cron": "0 0 12 * * *"}, "oddly": {"command": "check", "cron": "@daily"}})
    with pytest.raises(CommandError, match=r"No schedule 'odd' .* It is declared wrongly: Schedule 'odd': cron: .*six"):
        call("next", "odd")

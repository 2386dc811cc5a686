"""``repeat explain``."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis
from django.core.management import CommandError

from django_repeat import clock, pause, service
from tests.commands.running import NOW, SiteSettings, call

HOUR = 3_600_000


@pytest.fixture
def registered(schedules: None, frozen: int) -> None:
    service.sync()


def test_it_says_what_a_schedule_does_now(registered: None) -> None:
    assert call("explain", "reports.daily") == (
        "It fires next at 2030-01-01 06:00:00 CET, in 5h.\n", ""
    )  # fmt: skip


def test_it_says_why_a_schedule_ran_or_not_at_an_instant(schedules: None) -> None:
    with clock.freeze(NOW):
        service.sync()
    with clock.freeze(NOW + 6 * HOUR):
        call("tick", "--once")
        out, _ = call("explain", "reports.daily", "--at", "2030-01-01T06:00+01:00")
        assert out.startswith(
            "It fired for 2030-01-01 06:00:00 CET at 2030-01-01 07:00:00 CET, 1h after it fell due, by "
        )
        out, _ = call("explain", "reports.daily", "--at", "2030-01-02T05:00")
        assert out.startswith("It will fire at 2030-01-02 06:00:00 CET, in ")


def test_an_instant_without_offset_is_of_the_site_s_zone(registered: None, settings: SiteSettings) -> None:
    settings.TIME_ZONE = "America/New_York"
    assert "2030-01-01 06:00:00 CET" in call("explain", "reports.daily", "--at", "2030-01-01 00:00")[0]
    with pytest.raises(CommandError, match="comes twice in America/New_York; give its offset"):
        call("explain", "reports.daily", "--at", "2030-11-03 01:30")
    assert call("explain", "phased")[0].startswith("It fires next at 2029-12-31 19:05:00 EST")


def test_texts_of_operators_stay_on_their_line(registered: None) -> None:
    pause("phased", by="\x1b[2Janna", reason="a\nb")
    out, _ = call("explain", "phased")
    assert out.startswith("It is paused (by \\x1b[2Janna: 'a\\nb') since ")
    assert len(out.splitlines()) == 1


def test_damaged_records_are_explained(registered: None, raw: redis.Redis) -> None:
    raw.hset("emq:{default}:repeat:phased", "nominal", "soon")
    assert call("explain", "phased")[0] == "It cannot fire: nominal is no number.\n"
    raw.zadd("emq:{default}:repeat", {"odd": NOW})
    assert call("explain", "odd")[0] == "It cannot fire: the record is missing.\n"


def test_an_unknown_name_is_refused_with_what_helps(registered: None, declare_only: Callable[..., None]) -> None:
    with pytest.raises(CommandError, match=r"Did you mean 'reports\.daily'\?"):
        call("explain", "report.daily")
    declare_only({"new": {"command": "check", "cron": "@daily"}})
    with pytest.raises(CommandError, match="This code declares it, but it is not registered"):
        call("explain", "new")


def test_redis_away_is_one_line(schedules: None, settings: SiteSettings) -> None:
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "REDIS": "redis://127.0.0.1:1/0"}
    with pytest.raises(CommandError, match="The registry is unavailable"):
        call("explain", "phased")

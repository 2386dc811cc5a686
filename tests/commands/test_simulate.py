"""``repeat simulate``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError

from tests.commands.running import SiteSettings, call, call_json

Declare = Callable[..., None]
DAY = ("--from", "2030-01-01T00:00Z", "--to", "2030-01-01T23:59Z")


@pytest.fixture(autouse=True)
def no_redis(declare_only: Declare, settings: SiteSettings) -> None:
    """Nothing here asks the registry."""
    settings.DJANGO_REPEAT = {"REDIS": "redis://127.0.0.1:1/0", "SCHEDULES": {}}


def declare(settings: SiteSettings, schedules: dict[str, dict[str, Any]], **further: Any) -> None:
    schedules = {name: {"command": "check", **fields} for name, fields in schedules.items()}
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "SCHEDULES": schedules, **further}


def shown(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_all_schedules_in_the_order_of_time(settings: SiteSettings) -> None:
    declare(settings, {
        "tea": {"cron": "0 12 * * *", "timezone": "Europe/Berlin"},
        "pulse": {"every": "12h", "phase": "0s", "queue": "fast"},
    })  # fmt: skip
    out, err = call("simulate", *DAY)
    assert err == ""
    assert shown(out) == [
        "wall time UTC queue name",
        "Tue 2030-01-01 00:00:00 UTC 2030-01-01T00:00:00Z fast pulse",
        "Tue 2030-01-01 12:00:00 CET 2030-01-01T11:00:00Z default tea",
        "Tue 2030-01-01 12:00:00 UTC 2030-01-01T12:00:00Z fast pulse",
    ]


def names(*args: str) -> list[str]:
    return [f"{one['name']} {one['due'][11:16]}" for one in call_json("simulate", *DAY, *args)]


def test_queue_and_name_choose(settings: SiteSettings) -> None:
    declare(settings, {
        "a": {"cron": "0 6 * * *"}, "b": {"cron": "0 7 * * *"}, "café": {"cron": "0 8 * * *", "queue": "fast"},
    })  # fmt: skip
    assert names("--queue", "default") == ["a 06:00", "b 07:00"]
    assert names("--name", "b") == ["b 07:00"]
    assert names("--name", "cafe\u0301") == ["café 08:00"]
    with pytest.raises(CommandError, match=r"This code declares no schedule 'cafe'\. Did you mean 'café'\?"):
        call("simulate", *DAY, "--name", "cafe")
    with pytest.raises(CommandError, match=r"This code declares no schedule 'café'\.$"):
        call("simulate", *DAY, "--name", "café", "--queue", "default")


def test_the_policies_hold(settings: SiteSettings) -> None:
    declare(settings, {
        "few": {"cron": "0 * * * *", "max_runs": 2, "start_at": "2030-01-01T03:30Z"},
        "ends": {"cron": "30 */6 * * *", "end_at": "2030-01-01T06:30Z"},
        "shut": {"cron": "15 */12 * * *", "exclude": ["* 0-6 * * *"]},
    })  # fmt: skip
    assert names() == ["ends 00:30", "few 04:00", "few 05:00", "ends 06:30", "shut 12:15"]


def test_a_spread_is_shown_as_when_it_falls_due(settings: SiteSettings) -> None:
    declare(settings, {"a": {"cron": "0 6 * * *", "spread": "1h", "timezone": "Asia/Kathmandu"}})
    (one,) = call_json("simulate", *DAY)
    assert one["nominal"] == "2030-01-01T00:15:00Z"
    assert one["nominal"] < one["due"] < "2030-01-01T01:15:00Z"
    assert one["wall"].endswith("+05:45")
    assert (one["zone"], one["queue"]) == ("Asia/Kathmandu", "default")
    assert one["due"] in call("simulate", *DAY)[0]


def test_an_interval_without_phase_begins_with_the_span_and_that_is_said(settings: SiteSettings) -> None:
    declare(settings, {"a": {"every": "20h"}, "b": {"every": "20h", "phase": "1h"}})
    out, err = call("simulate", "--from", "2030-01-01T00:07Z", "--to", "2030-01-01T20:07Z")
    assert [line.split()[-3] for line in out.splitlines() if line.endswith(" a")] == [
        "2030-01-01T00:07:00Z", "2030-01-01T20:07:00Z",
    ]  # fmt: skip
    assert err == "As if their interval began at --from: 'a'.\n"


def test_what_fires_nothing_is_said(settings: SiteSettings) -> None:
    declare(settings, {"on": {"cron": "@daily"}, "off": {"cron": "@daily", "enabled": False}, "bad": {}}, ENABLED=False)
    out, err = call("simulate", *DAY)
    assert len(shown(out)) == 2
    assert err.splitlines() == [
        "Mistakes in declarations: 1, left out; `manage.py check` says what they are.",
        "DJANGO_REPEAT['ENABLED'] is False: this site fires none of these.",
        "Disabled, and left out: 'off'.",
    ]


def test_more_than_the_limit_is_counted_and_not_listed(settings: SiteSettings) -> None:
    declare(settings, {"a": {"every": "1ms", "phase": "0ms"}, "b": {"cron": "*/10 * * * *"}})
    out, err = call("simulate", *DAY, "--limit", "3")
    assert len(out.splitlines()) == 4
    assert err.startswith(f"{86_340_001 + 144 - 3:,} more are left out; ")
    assert len(call("simulate", *DAY, "--name", "b", "--limit", "144")[0].splitlines()) == 145
    assert call("simulate", *DAY, "--name", "b", "--limit", "144")[1] == ""


def test_nothing_in_the_span_is_said(settings: SiteSettings) -> None:
    declare(settings, {"a": {"cron": "0 0 1 2 *"}})
    assert call("simulate", *DAY) == ("", "Nothing falls due in that time.\n")
    assert call_json("simulate", *DAY) == []


def test_instants_without_offset_are_of_the_site_s_zone(settings: SiteSettings) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    declare(settings, {"a": {"cron": "0 6 * * *"}})
    (one,) = call_json("simulate", "--from", "2030-07-01 06:00", "--to", "2030-07-01 06:00")
    assert one["due"] == "2030-07-01T04:00:00Z"


@pytest.mark.parametrize("start, end, said", [
    ("2030-01-02T00:00Z", "2030-01-01T00:00Z", "--to lies before --from."),
    ("soon", "2030-01-01T00:00Z", "an instant such as"),
    ("2030-03-31T02:30", "2030-04-01T00:00Z", "give its offset"),
])  # fmt: skip
def test_wrong_spans_are_refused(settings: SiteSettings, start: str, end: str, said: str) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    with pytest.raises(CommandError, match=said):
        call("simulate", "--from", start, "--to", end)

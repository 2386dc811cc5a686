"""``repeat list``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import redis
from django.core.management import CommandError

from django_repeat import clock, service
from tests.commands.running import NOW, SiteSettings, call, call_json

Declare = Callable[..., None]


@pytest.fixture
def registered(schedules: None, frozen: int) -> None:
    service.sync()


def rows(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_it_shows_each_entry_with_its_times_and_state(registered: None) -> None:
    service.register("late", command="check", cron="0 0 * * *", timezone="Europe/Berlin")
    out, err = call("list")
    assert err == "Nothing fires what is due: no ticker serves queue 'default'. Start one: manage.py repeat tick\n"
    assert rows(out) == [
        "name recurrence next last state",
        "pulse every 30s due 2030-01-01 00:00:00 UTC - due",
        "phased every 15m +5m 2030-01-01 00:05:00 UTC - scheduled",
        "reports.daily 0 6 * * * Europe/Berlin 2030-01-01 05:00:00 UTC - scheduled",
        "late 0 0 * * * Europe/Berlin 2030-01-01 23:00:00 UTC - scheduled",
    ]


def test_times_are_those_of_the_site_s_zone(registered: None, settings: SiteSettings) -> None:
    settings.TIME_ZONE = "Asia/Shanghai"
    assert "2030-01-01 13:00:00 CST" in call("list")[0]


def test_an_entry_that_ran_shows_when(registered: None) -> None:
    call("tick", "--once")
    row = rows(call("list")[0])[1]
    assert row == "pulse every 30s 2030-01-01 00:00:30 UTC 2030-01-01 00:00:00 UTC scheduled"


def test_json_has_the_keys_of_an_entry_and_of_a_schedule(registered: None) -> None:
    entry = call_json("list")[2]
    assert list(entry)[:5] == ["name", "queue", "state", "schedule", "recurrence_text"]
    assert (entry["name"], entry["queue"], entry["state"], entry["next"], entry["last_fired"]) == (
        "reports.daily",
        "default",
        "scheduled",
        "2030-01-01T05:00:00Z",
        None,
    )
    assert entry["schedule"] == {
        "name": "reports.daily",
        "recurrence": {"cron": "0 6 * * *", "timezone": "Europe/Berlin"},
        "task": None,
        "command": "check",
        "args": [],
        "kwargs": {},
        "queue": "default",
        "options": {},
        "enabled": True,
        "first_in": "0s",
        "policies": {},
    }
    assert "raw" not in entry


def test_secrets_are_masked(registered: None) -> None:
    out, _ = call("list", "--json")
    assert "hunter2" not in out
    assert '"deep": false' in out


@pytest.mark.parametrize("args, names", [
    (["--limit", "2"], ["pulse", "phased"]),
    (["--limit", "2", "--offset", "2"], ["reports.daily", "x"]),
    (["--offset", "3"], ["x", "y"]),
    (["--offset", "4", "--limit", "9"], ["y"]),
    (["--queue", "other", "--offset", "1"], ["y"]),
])  # fmt: skip
def test_a_page_may_reach_over_queues(
    declare_only: Declare, schedules: None, settings: SiteSettings, frozen: int, args: list[str], names: list[str]
) -> None:
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "QUEUES": ["other"]}
    service.sync()
    service.register("y", queue="other", command="check", every="1h", first_in="2h")
    service.register("x", queue="other", command="check", every="1h", first_in="1h")
    assert [entry["name"] for entry in call_json("list", *args)] == names


def test_several_queues_get_a_column(declare_only: Declare, frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h", "queue": "one"}}, QUEUES=["two"])
    service.sync()
    head, row = rows(call("list")[0])
    assert head.startswith("queue name ")
    assert row.startswith("one a ")
    assert rows(call("list", queue="one")[0])[0].startswith("name ")


def test_an_empty_registry_is_said_and_what_fills_it(schedules: None) -> None:
    out, err = call("list")
    assert out == ""
    assert err == "No schedules in queue default. This code declares 3: `manage.py repeat sync` registers them.\n"
    assert call("list", "--json")[0] == "[]\n"
    assert "declares" not in call("list", "--queue", "nosuch")[1]


def test_a_page_past_the_end_is_no_empty_registry(registered: None) -> None:
    assert call("list", "--offset", "9") == ("", "No more schedules.\n")


@pytest.mark.parametrize("fields, state", [
    ({"every_ms": "5000", "template": "x"}, "foreign"),
    ({"v": "1", "every_ms": "5000", "nominal": "1"}, "broken (the record holds no template)"),
    (None, "broken (the record is missing)"),
])  # fmt: skip
def test_what_others_wrote_or_broke_is_listed_with_its_reason(
    declare_only: Declare, raw: redis.Redis, fields: dict[str, Any] | None, state: str
) -> None:
    raw.zadd("emq:{default}:repeat", {b"odd\n\xff": NOW})
    if fields:
        raw.hset(b"emq:{default}:repeat:odd\n\xff", mapping=fields)
    line = call("list")[0].splitlines()[1]
    assert line.startswith(r"odd\n\udcff ")
    assert line.endswith(state)
    assert call_json("list")[0]["name"] == "odd\n\udcff"


def test_a_failing_entry_is_listed_with_its_error(declare_only: Declare, raw: redis.Redis, frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h"}}, ENGINE="tests.commands.engines.Down")
    call("tick", "--once")
    assert rows(call("list")[0])[1] == (
        "a every 1h due 2030-01-01 00:00:00 UTC - failing (attempt 1: OSError: the broker is down)"
    )


def test_what_is_pending_is_due_also_while_it_is_broken(declare_only: Declare, frozen: int) -> None:
    service.register("gone", task="tests.nosuch.task", every="1h")
    call("tick", "--once")
    row = rows(call("list")[0])[1]
    assert row.startswith("gone every 1h due 2030-01-01 00:00:00 UTC - broken (task: tests.nosuch.task does not import")
    assert "\nnext           due 2030-01-01 00:00:00 UTC (2030-01-01T00:00:00Z)\n" in call("show", "gone")[0]


def test_a_redis_that_is_away_is_one_clear_error(settings: SiteSettings) -> None:
    settings.DJANGO_REPEAT = {"REDIS": "redis://user:hunter2@127.0.0.1:1/5"}
    with pytest.raises(CommandError, match=r"The registry is unavailable: redis://127\.0\.0\.1:1/5: ") as caught:
        call("list")
    assert "hunter2" not in str(caught.value)
    assert caught.value.returncode == 1


def test_wrong_settings_are_named(settings: SiteSettings) -> None:
    settings.DJANGO_REPEAT = {"REDDIS": "repeat"}
    with pytest.raises(CommandError, match=r"DJANGO_REPEAT\['REDDIS'\] is unknown\. Did you mean 'REDIS'\?"):
        call("list")


def test_the_order_is_that_of_time(declare_only: Declare) -> None:
    with clock.freeze(NOW):
        for name, first in (("c", "3h"), ("a", "1h"), ("b", "2h")):
            service.register(name, command="check", every="1h", first_in=first)
        assert [entry["name"] for entry in call_json("list")] == ["a", "b", "c"]

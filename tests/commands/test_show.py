"""``repeat show``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis
from django.core.management import CommandError
from django.db import connection

from django_repeat import service
from tests.commands.running import NOW, SiteSettings, call, call_json
from tests.engines.making import IDEMPOTENT, backend


@pytest.fixture
def database(settings: SiteSettings, db: None) -> Any:
    """Let tasks be rows of the test database; answer them."""
    settings.TASKS = backend("database", OPTIONS=IDEMPOTENT)
    from django_tasks_db.models import DBTaskResult

    return DBTaskResult.objects


@pytest.fixture
def registered(schedules: None, frozen: int) -> None:
    service.sync()


def fields(*args: str) -> dict[str, str]:
    """Answer what `show` printed, by label; the run log's lines are left out."""
    out, err = call("show", *args)
    assert err == ""
    return {line[:15].strip(): line[15:] for line in out.splitlines() if not line.startswith(("  ", "run log"))}


def test_it_shows_definition_and_state(registered: None) -> None:
    shown = fields("pulse")
    assert shown["name"] == "pulse"
    assert shown["state"] == "due"
    assert shown["recurrence"] == "every 30s"
    assert shown["task"] == "tests.commands.tasks.pulse"
    assert shown["kwargs"] == '{"deep":false,"password":"********"}'
    assert shown["next"] == "due 2030-01-01 00:00:00 UTC (2030-01-01T00:00:00Z)"
    assert shown["fired count"] == "0"
    assert shown["source"] == "settings"
    assert "last fired" not in shown
    assert fields("phased")["next"] == "2030-01-01 00:05:00 UTC (2030-01-01T00:05:00Z)"


def test_it_shows_the_policies(declare_only: Callable[..., None], frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h", "catch_up": "all", "window": 7200, "spread": "10m"}})
    service.sync()
    shown = fields("a")
    assert shown["policies"] == '{"catch_up":"all","spread":"10m","window":"2h"}'
    assert (shown["next"][:23], shown["due"][:14]) == ("2030-01-01 00:00:00 UTC", "2030-01-01 00:")
    assert call_json("show", "a")["schedule"]["policies"] == {"catch_up": "all", "window": "2h", "spread": "10m"}


def test_it_shows_what_ran(registered: None) -> None:
    call("tick", "--once")
    out, _ = call("show", "pulse")
    assert "last outcome   fired\n" in out
    assert "run log, newest first:\n  nominal=2030-01-01T00:00:00Z  at=2030-01-01T00:00:00Z  outcome=fired" in out
    (run,) = call_json("show", "pulse")["runs"]
    assert (run["nominal"], run["outcome"]) == ("2030-01-01T00:00:00Z", "fired")


def test_it_shows_what_became_of_the_task(declare_only: Callable[..., None], database: Any, frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h"}})
    call("tick", "--once")
    (run,) = call_json("show", "a")["runs"]
    assert (run["task"], "duration" in run) == ("waiting", False)
    start = datetime(2030, 1, 1, tzinfo=UTC)
    database.update(status="FAILED", started_at=start, finished_at=start + timedelta(seconds=90))
    (run,) = call_json("show", "a")["runs"]
    assert (run["outcome"], run["task"], run["duration"]) == ("fired", "failed", 90_000)
    assert "  task=failed  duration=90000ms\n" in call("show", "a")[0]
    database.all().delete()
    assert "task=" not in call("show", "a")[0]


def test_it_shows_the_run_log_also_where_the_results_cannot_be_read(
    declare_only: Callable[..., None], database: Any, frozen: int
) -> None:
    declare_only({"a": {"command": "check", "every": "1h"}})
    call("tick", "--once")
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {database.model._meta.db_table} RENAME TO gone")
    (run,) = call_json("show", "a")["runs"]
    assert (run["outcome"], "task" in run) == ("fired", False)


def test_it_shows_why_an_entry_fails(declare_only: Callable[..., None], frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h"}}, ENGINE="tests.commands.engines.Down")
    call("tick", "--once")
    assert fields("a")["error"] == "OSError: the broker is down"
    assert call_json("show", "a")["failures"] == 1


def test_secrets_are_masked_in_json_too(registered: None) -> None:
    assert call_json("show", "pulse")["schedule"]["kwargs"] == {"deep": False, "password": "********"}


def test_a_foreign_record_is_shown_as_it_is_but_for_secrets(
    raw: redis.Redis, declare_only: Callable[..., None]
) -> None:
    raw.zadd("emq:{default}:repeat", {"odd": NOW})
    raw.hset(
        "emq:{default}:repeat:odd", mapping={"every_ms": "5000", "template": '{"data":{"token":"x","n":1},"r":[NaN]}'}
    )
    shown = call_json("show", "odd")
    assert (shown["state"], shown["schedule"], shown["recurrence_text"]) == ("foreign", None, "every 5s")
    assert shown["raw"] == {"every_ms": "5000", "template": {"data": {"token": "********", "n": 1}, "r": ["nan"]}}
    assert '{"data":{"n":1,"token":"********"},"r":["nan"]}' in call("show", "odd")[0]


def test_a_template_that_cannot_be_searched_for_secrets_is_masked_whole(
    raw: redis.Redis, declare_only: Callable[..., None]
) -> None:
    raw.zadd("emq:{default}:repeat", {"odd": NOW})
    record = {"v": "1", "every_ms": "5000", "nominal": "1", "template": "{token: hunter2"}
    raw.hset("emq:{default}:repeat:odd", mapping=record)
    shown = call_json("show", "odd")
    assert shown["state"] == "broken"
    assert shown["broken_reason"].startswith("the template is no JSON")
    assert shown["raw"]["template"] == "********"
    assert "hunter2" not in call("show", "odd")[0]


def test_a_run_log_that_a_stranger_wrote_is_shown_as_it_is(registered: None, raw: redis.Redis) -> None:
    raw.rpush("emq:{default}:repeat.runs:pulse", "no json\n\x1b[2J", '{"nominal":"soon","at":1e400}', '{"at":true}')
    out, _ = call("show", "pulse")
    assert r"  unreadable=no json\n\x1b[2J" in out
    assert "  nominal=soon  at=inf" in out
    assert call_json("show", "pulse")["runs"][1:] == [{"nominal": "soon", "at": "inf"}, {"at": True}]


@pytest.mark.parametrize("name", ["-dash", "two words", "任务", "👩‍💻", "a:b/{c}*", "<b>'\"", "%s"])
def test_any_name_is_found(declare_only: Callable[..., None], name: str) -> None:
    service.register(name, command="check", every="1h")
    assert call_json("show", "--", name)["name"] == name
    assert fields("--", name)["name"] == name


def test_both_spellings_of_a_name_find_it(declare_only: Callable[..., None], raw: redis.Redis) -> None:
    service.register("café", command="check", every="1h")
    assert call_json("show", "cafe\u0301")["name"] == "caf\u00e9"
    raw.zadd("emq:{default}:repeat", {"cafe\u0301": NOW})
    assert call_json("show", "cafe\u0301")["name"] == "cafe\u0301"


@pytest.mark.parametrize("args, message", [
    (["pulze"], "No schedule 'pulze' in queue 'default'. Did you mean 'pulse'?"),
    (["zzz"], "No schedule 'zzz' in queue 'default'."),
    (["pulse", "--queue", "other"],
     "No schedule 'pulse' in queue 'other'. Queue 'default' has one of that name: add --queue default."),
    (["a\nb"], r"No schedule 'a\nb' in queue 'default'."),
])  # fmt: skip
def test_an_unknown_name_is_refused_with_what_helps(registered: None, args: list[str], message: str) -> None:
    with pytest.raises(CommandError) as caught:
        call("show", *args)
    assert str(caught.value) == message
    assert caught.value.returncode == 1


def test_a_name_that_waits_for_its_registration_is_said_so(schedules: None) -> None:
    with pytest.raises(CommandError, match="This code declares it, but it is not registered"):
        call("show", "pulse")

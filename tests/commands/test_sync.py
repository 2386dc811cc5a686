"""``repeat sync``."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
import redis
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError

from django_repeat import service
from tests.commands.conftest import SCHEDULES
from tests.commands.running import NOW, SiteSettings, call, call_json

Declare = Callable[..., None]


def test_what_changed_is_named_and_the_rest_counted(declare_only: Declare, schedules: None) -> None:
    out, err = call("sync")
    assert out.splitlines() == [
        "registered  reports.daily",
        "registered  pulse",
        "registered  phased",
        "3 declared: 3 registered.",
    ]
    assert err == ""
    assert call("sync") == ("3 declared: 3 exists.\n", "")
    declare_only({**SCHEDULES, "pulse": {"command": "check", "every": "45s"}})
    assert call("sync")[0] == "updated     pulse\n3 declared: 2 exists, 1 updated.\n"
    assert service.count() == 3


def test_json_holds_every_answer(schedules: None) -> None:
    assert call_json("sync")[1] == {"queue": "default", "name": "pulse", "answer": "registered"}
    assert {one["answer"] for one in call_json("sync")} == {"exists"}


def test_one_queue_can_be_chosen(declare_only: Declare) -> None:
    declare_only({name: {"command": "check", "every": "1h", "queue": name} for name in ("one", "two")})
    assert call("sync", "--queue", "two")[0] == "registered  two\n1 declared: 1 registered.\n"
    assert service.count(queue="one") == 0
    assert call("sync")[0].splitlines()[0] == "registered  one:one"


def test_a_queue_for_which_nothing_is_declared_is_refused(schedules: None) -> None:
    with pytest.raises(CommandError, match=r"Nothing is declared for queue 'defualt'\. Did you mean 'default'\?"):
        call("sync", "--queue", "defualt")


def test_nothing_declared_is_said(declare_only: Declare) -> None:
    assert call("sync") == ("Nothing is declared.\n", "")


def test_what_the_registry_refuses_is_named_and_fails(schedules: None, raw: redis.Redis) -> None:
    raw.zadd("emq:{default}:repeat", {"pulse": NOW})
    raw.hset("emq:{default}:repeat:pulse", mapping={"every_ms": "5000", "template": "x"})
    raw.zadd("emq:{default}:repeat", {"phased": NOW})
    raw.set("emq:{default}:repeat:phased", "text")
    out = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("repeat", "sync", stdout=out)
    assert str(caught.value) == (
        "Not in force: 'pulse' was registered by another program; 'phased' has a damaged record. "
        "`manage.py repeat cancel` frees a name."
    )
    assert caught.value.returncode == 1
    assert out.getvalue().splitlines()[-1] == "3 declared: 1 broken, 1 foreign, 1 registered."
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("repeat", "sync", json=True, stdout=out)
    assert [one["answer"] for one in json.loads(out.getvalue())] == ["exists", "foreign", "broken"]


def test_a_wrong_declaration_is_an_error_of_the_checks_and_nothing_is_registered(declare_only: Declare) -> None:
    declare_only({"good": {"command": "check", "every": "1h"}, "bad": {"command": "check", "cron": "61 * * * *"}})
    with pytest.raises(SystemCheckError, match="bad"):
        call("sync")
    assert service.count() == 0


def test_a_disabled_site_registers_nothing(declare_only: Declare) -> None:
    declare_only(SCHEDULES, ENABLED=False)
    out, err = call("sync")
    assert out.splitlines()[-1] == "3 declared: 3 disabled."
    assert err == "DJANGO_REPEAT['ENABLED'] is False: nothing is registered.\n"
    assert service.count() == 0


def test_a_redis_that_is_away_is_one_clear_error(schedules: None, settings: SiteSettings) -> None:
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "REDIS": "redis://127.0.0.1:1/0"}
    with pytest.raises(CommandError, match=r"The registry is unavailable: redis://127\.0\.0\.1:1/0"):
        call("sync")

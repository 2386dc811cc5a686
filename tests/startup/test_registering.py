"""When a process registers what it declares. Each test is the start of a process: a Registrar of its own."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from typing import Any

import pytest
import redis
from django.core.signals import request_started
from django.test import Client, override_settings

from django_repeat import conf, connection, declare, log, service, startup
from django_repeat.declarations import declarations
from django_repeat.process import Role
from django_repeat.startup import Registrar

ADD = "tests.engines.work.add"
AWAY = "redis://127.0.0.1:1/0"
KEY = "emq:{default}:repeat"


@pytest.fixture
def at(redis_url: str, raw: redis.Redis) -> Any:
    """Answer the settings of a site whose registry is the server of the tests, or where it is said to be."""

    def settings(url: str = redis_url, **more: Any) -> override_settings:
        schedules = {"in settings": {"task": ADD, "cron": "0 6 * * *"}}
        return override_settings(DJANGO_REPEAT={"REDIS": url, "SCHEDULES": schedules, **more})

    return settings


def names(raw: redis.Redis) -> list[str]:
    return sorted(name.decode() for name in raw.zrange(KEY, 0, -1))


def in_a_fork(call: Callable[[], Any]) -> None:
    pid = os.fork()
    if not pid:
        try:
            call()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.name == "django_repeat" and record.levelno >= logging.WARNING
    ]


def test_a_start_registers_what_is_declared(at: Any, raw: redis.Redis) -> None:
    declare("in code", task=ADD, every="5m")
    with at():
        Registrar().start()
    assert names(raw) == ["in code", "in settings"]
    assert raw.hget(f"{KEY}:in code", "source") == b"code"
    assert raw.hget(f"{KEY}:in settings", "source") == b"settings"


def test_bd03_a_second_start_changes_nothing(at: Any, raw: redis.Redis) -> None:
    registrar = Registrar()
    with at():
        registrar.start()
        before = raw.hgetall(f"{KEY}:in settings"), raw.zrange(KEY, 0, -1, withscores=True)
        registrar.start()
        Registrar().start()
    assert (raw.hgetall(f"{KEY}:in settings"), raw.zrange(KEY, 0, -1, withscores=True)) == before
    assert len(declarations.listeners) == len(set(declarations.listeners))


def test_a_late_declaration_registers_itself_and_nothing_else(at: Any, raw: redis.Redis) -> None:
    with at():
        Registrar().start()
        service.cancel("in settings")
        declare("late", task=ADD, every="5m")
        assert names(raw) == ["late"]
        assert raw.hget(f"{KEY}:late", "source") == b"code"


def test_a_late_declaration_that_the_settings_make_otherwise_is_left_out(at: Any, raw: redis.Redis) -> None:
    with at():
        Registrar().start()
        declare("in settings", task=ADD, every="5m")
        declare("wrong", task=ADD, every=0)
    assert names(raw) == ["in settings"]
    assert raw.hget(f"{KEY}:in settings", "cron") == b"0 6 * * *"


@pytest.mark.parametrize("more", [{"REGISTER": "ticker"}, {"REGISTER": "manual"}, {"ENABLED": False}], ids=str)
def test_a_site_may_leave_it_to_others_and_then_there_is_no_io(
    at: Any, raw: redis.Redis, more: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    with at(AWAY, **more):
        Registrar().start()
        declare("late", task=ADD, every="5m")
    with at(**more):
        Registrar().start()
    assert names(raw) == []
    assert lines(caplog) == []


def test_with_redis_away_the_first_request_tries_once_more(
    at: Any, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    registrar = Registrar()
    with at(AWAY):
        registrar.start()
    assert len(lines(caplog)) == 1
    assert lines(caplog)[0].startswith("schedules not synced: role=serving error='redis://127.0.0.1:1/0:")
    with at():
        Client().get("/nowhere/")
    assert names(raw) == ["in settings"]
    with at():
        service.cancel("in settings")
        Client().get("/nowhere/")
        assert names(raw) == []
        declare("late", task=ADD, every="5m")
    assert names(raw) == ["late"]


def test_after_the_first_request_failed_too_no_request_pays_again(
    at: Any, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    registrar = Registrar()
    with at(AWAY):
        registrar.start()
        for number in range(3):
            Client().get("/nowhere/")
            declare(f"late {number}", task=ADD, every="5m")
    assert len(lines(caplog)) == 2
    with at():
        Client().get("/nowhere/")
    assert names(raw) == []


def test_many_late_declarations_with_redis_away_pay_once(
    at: Any, black_hole: str, caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    registrar = Registrar()
    with at(black_hole, TIMEOUT="200ms"):
        begun = time.monotonic()
        registrar.start()
        for number in range(20):
            declare(f"late {number}", task=ADD, every="5m")
        assert 0.1 < time.monotonic() - begun < 0.9
    assert len(lines(caplog)) == 1


def test_what_was_declared_while_redis_was_away_comes_with_the_first_request(at: Any, raw: redis.Redis) -> None:
    registrar = Registrar()
    with at(AWAY):
        registrar.start()
        declare("late", task=ADD, every="5m")
    with at():
        request_started.send(sender=None)
    assert names(raw) == ["in settings", "late"]


def test_redis_lost_between_start_and_a_late_declaration_is_one_failure_more(
    at: Any, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    registrar = Registrar()
    with at():
        registrar.start()
    with at(AWAY):
        declare("late", task=ADD, every="5m")
        declare("later", task=ADD, every="5m")
    assert len(lines(caplog)) == 1
    with at():
        request_started.send(sender=None)
    assert names(raw) == ["in settings", "late", "later"]


def test_each_forked_worker_has_a_first_request_of_its_own(at: Any, raw: redis.Redis) -> None:
    registrar = Registrar()
    with at(AWAY):
        registrar.start()
    for _ in range(2):
        with at():
            in_a_fork(lambda: request_started.send(sender=None))
        assert names(raw) == ["in settings"]
        raw.flushdb()


def test_bd67_forked_workers_do_not_share_the_connection_of_their_parent(at: Any, raw: redis.Redis) -> None:
    def client_id() -> int:
        settings = conf.current()
        return int(connection.connect(settings.redis, settings.timeout).command("CLIENT", "ID"))

    reader, writer = os.pipe()
    with at():
        Registrar().start()
        ours = client_id()
        for _ in range(2):
            in_a_fork(lambda: os.write(writer, b"%d\n" % client_id()))
        assert client_id() == ours
    theirs = os.read(reader, 100).split()
    os.close(reader)
    os.close(writer)
    assert len({ours, *map(int, theirs)}) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"REDIS": "nowhere"},
        {"REDIS": "default"},
        {"REDIS": "tests.startup.test_registering.raising"},
        {"REDIS": "valkey://h/0"},
        {"PREFIXX": "a"},
        {"TIMEOUT": "long"},
        {"SCHEDULES": ["a"]},
    ],
    ids=str,
)
def test_wrong_settings_do_not_keep_a_process_from_starting(
    wrong: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    registrar = Registrar()
    with override_settings(DJANGO_REPEAT={"SCHEDULES": {"n": {"task": ADD, "every": 5}}, **wrong}):
        registrar.start()
        declare("late", task=ADD, every="5m")
    assert len(lines(caplog)) == 1


def raising() -> None:
    raise LookupError("no such host in the vault")


def test_only_a_serving_process_registers(at: Any, raw: redis.Redis) -> None:
    with at():
        for role in (Role.OTHER, Role.TICKER):
            startup.begin(role)
            declare("late", task=ADD, every="5m")
        assert names(raw) == []
        startup.begin(Role.SERVING)
    assert names(raw) == ["in settings", "late"]

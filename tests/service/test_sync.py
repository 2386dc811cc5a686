"""sync: everything that code declares, in a few round trips."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import redis
from django.conf import settings
from django.test import override_settings

from django_repeat import clock, declare, service, signals
from django_repeat.testing import freeze, recording, start_server, tick
from django_repeat.testing.server import default_binary

NOW = datetime(2026, 6, 3, 10, tzinfo=UTC)
HOURLY = {"cron": "0 * * * *", "timezone": "UTC", "task": "shop.tasks.count"}


def declared(**changes):
    """Override SCHEDULES."""
    return override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "SCHEDULES": changes})


@pytest.fixture
def counted():
    """A server of its own, whose counters nobody else moves."""
    with (
        start_server(default_binary()) as server,
        redis.Redis.from_url(server.url) as client,
        override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "REDIS": server.url}),
    ):
        yield client


def commands(client: redis.Redis) -> dict[str, int]:
    """Answer the calls since the last reset, those of scripts included."""
    found = {name.removeprefix("cmdstat_"): value["calls"] for name, value in client.info("commandstats").items()}
    client.config_resetstat()
    return found


def test_a_thousand_schedules_take_a_few_round_trips_and_a_repeat_writes_nothing(counted):
    many = {f"s{n:04}": HOURLY for n in range(1_050)}
    with declared(**many):
        commands(counted)
        assert set(service.sync().values()) == {"registered"}
        first = commands(counted)
        before = counted.zrange("emq:{default}:repeat", 0, -1, withscores=True)
        commands(counted)
        assert list(service.sync().values()) == ["exists"] * 1_050
        again = commands(counted)
    # two comparisons, five writes, and each of the two scripts loaded once
    assert first["evalsha"] <= 2 + 5 + 2
    assert again["evalsha"] == 2
    assert not {"hset", "zadd", "hincrby", "hdel", "lpush"} & set(again)
    assert counted.zcard("emq:{default}:repeat") == 1_050
    assert counted.zrange("emq:{default}:repeat", 0, -1, withscores=True) == before


def test_one_change_among_many_writes_one(counted):
    with declared(**{f"s{n}": HOURLY for n in range(300)}):
        service.sync()
    with declared(**{f"s{n}": HOURLY if n else {**HOURLY, "args": [1]} for n in range(300)}):
        commands(counted)
        answers = service.sync()
    assert answers.pop(("default", "s0")) == "updated"
    assert set(answers.values()) == {"exists"}
    assert commands(counted)["zadd"] == 1


@pytest.mark.usefixtures("repeat_registry")
def test_every_queue_is_answered_and_one_may_be_chosen():
    declare("a", **HOURLY)
    declare("a", **HOURLY, queue="mail")
    assert service.sync(queue="mail") == {("mail", "a"): "registered"}
    assert service.sync() == {("default", "a"): "registered", ("mail", "a"): "exists"}
    assert service.sync(queue="nosuch") == {}


@pytest.mark.usefixtures("repeat_registry")
def test_what_is_declared_wrongly_is_left_out():
    with declared(good=HOURLY, bad={**HOURLY, "cron": "*/0 * * * *"}, worse={"every": "1m"}):
        assert service.sync() == {("default", "good"): "registered"}


@pytest.mark.usefixtures("repeat_registry")
def test_starts_that_race_make_one_entry_each_and_one_of_them_registers():
    with freeze(NOW), declared(**{f"s{n}": HOURLY for n in range(20)}):
        with ThreadPoolExecutor(8) as pool:
            answers = [answer for part in pool.map(lambda _: service.sync(), range(8)) for answer in part.values()]
        assert (answers.count("registered"), answers.count("exists")) == (20, 140)
        assert service.count() == 20


@pytest.mark.usefixtures("repeat_registry")
def test_starts_never_move_a_run():
    """Five starts in turn and a tick between them: one entry, each nominal time once."""
    with declared(clean={**HOURLY, "cron": "*/10 * * * *"}), recording() as taken:
        for minute in range(1, 25):
            with freeze(NOW.replace(minute=minute)):
                service.sync()
                tick("default")
                assert service.count() == 1
    assert [occurrence.nominal.minute for occurrence in taken] == [10, 20]


@pytest.mark.usefixtures("repeat_registry")
def test_each_sync_says_what_came_of_it():
    heard = []

    def hear(*, answers, **_):
        heard.append(answers)

    signals.sync_completed.connect(hear)
    try:
        with declared(a=HOURLY):
            service.sync()
            service.sync()
    finally:
        signals.sync_completed.disconnect(hear)
    assert heard == [{("default", "a"): "registered"}, {("default", "a"): "exists"}]


@pytest.mark.usefixtures("repeat_registry")
def test_one_damaged_record_never_stops_the_others():
    with clock.freeze(1_780_480_800_000), declared(a=HOURLY, b=HOURLY, c=HOURLY):
        service.sync()
        store = service.store("default")
        store.scripts.call("heartbeat", [store.keys.tickers, store.keys.record("b")], ["x", 60_000, "nominal", "soon"])
    with declared(**{name: {**HOURLY, "cron": "5 * * * *"} for name in "abc"}):
        answers = service.sync()
    assert answers == {("default", "a"): "updated", ("default", "b"): "broken", ("default", "c"): "updated"}

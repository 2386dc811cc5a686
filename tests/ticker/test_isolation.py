"""One bad entry never stops the others; a storm of registrations stops nothing."""

from __future__ import annotations

import logging

import pytest
import redis

from django_repeat import get, register, service, upsert
from django_repeat.testing import freeze
from django_repeat.testing.plugin import RegistryForTest
from tests.ticker.support import Script, at, seconds, ticker

START = at("2026-03-01T12:00:00")


@pytest.fixture
def hashes(repeat_registry: RegistryForTest) -> redis.Redis:
    return redis.Redis.from_url(repeat_registry.url)


def record(place: RegistryForTest, name: str) -> str:
    return f"{place.prefix}:{{default}}:repeat:{name}"


def damage(hashes: redis.Redis, place: RegistryForTest) -> list[str]:
    hashes.hdel(record(place, "no cron"), "cron")
    hashes.hset(record(place, "step zero"), "cron", "*/0 * * * *")
    hashes.hset(record(place, "garbage"), "template", '{"task": ')
    hashes.delete(record(place, "a string"))
    hashes.set(record(place, "a string"), "x")
    hashes.delete(record(place, "missing"))
    hashes.hset(record(place, "no nominal"), "nominal", "soon")
    hashes.hset(record(place, "no zone"), "tz", "Mars/Phobos")
    hashes.hset(record(place, "deep"), "template", "[" * 100_000)
    return ["no cron", "step zero", "garbage", "a string", "missing", "no nominal", "no zone", "deep"]


def test_bad_entries_are_reported_once_an_interval_and_stop_nobody(
    repeat_registry: RegistryForTest, hashes: redis.Redis, script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    """BD58, BD56: 100 good ones and each kind of bad one, due together."""
    bad = ["no cron", "step zero", "garbage", "a string", "missing", "no nominal", "no zone", "deep"]
    with freeze(seconds(START, -60)):
        for name in [*(f"good{number}" for number in range(100)), *bad]:
            register(name, task="a.b", cron="*/30 * * * *", timezone="UTC")
    assert damage(hashes, repeat_registry) == bad
    one = ticker()
    with caplog.at_level(logging.ERROR, logger="django_repeat"):
        for second in range(10):
            with freeze(seconds(START, second)):
                one.tick()
    assert len(script.taken) == 100
    for name in bad:
        lines = [text for text in caplog.messages if f"name={name!r}" in text]
        assert 1 <= len(lines) <= 4, name
        entry = get(name)
        assert entry.state == "broken", name
        assert entry.broken_reason, name
    with freeze(seconds(START, 1800)):
        one.tick()
    assert len(script.taken) == 200


def test_a_bad_entry_that_is_mended_goes_on(
    repeat_registry: RegistryForTest, hashes: redis.Redis, script: Script
) -> None:
    with freeze(seconds(START, -60)):
        register("report", task="a.b", cron="*/30 * * * *", timezone="UTC")
    hashes.hset(record(repeat_registry, "report"), "cron", "*/0 * * * *")
    one = ticker()
    with freeze(START):
        one.tick()
    hashes.hset(record(repeat_registry, "report"), "cron", "*/30 * * * *")
    with freeze(seconds(START, 2)):
        one.tick()
    assert len(script.taken) == 1
    assert get("report").broken_reason == ""


def test_foreign_entries_are_left_alone_and_paged_past(
    repeat_registry: RegistryForTest, hashes: redis.Redis, script: Script
) -> None:
    registry = f"{repeat_registry.prefix}:{{default}}:repeat"
    for number in range(250):
        hashes.hset(record(repeat_registry, f"foreign{number}"), mapping={"every_ms": "5000", "template": "{}"})
        hashes.zadd(registry, {f"foreign{number}": 1000 + number})
    before = hashes.zrange(registry, 0, -1, withscores=True)
    with freeze(seconds(START, -60)):
        register("ours", task="a.b", cron="*/30 * * * *", timezone="UTC")
    one = ticker()
    for second in range(3):
        with freeze(seconds(START, second)):
            one.tick()
    assert script.ids[0].startswith("ours@")
    assert len(script.ids) == 1
    assert hashes.zrange(registry, 0, 249, withscores=True) == before
    assert get("foreign7").state == "foreign"


def test_registering_others_fifty_times_a_second_delays_nobody(script: Script) -> None:
    """BD59: nine are due at noon, while an unrelated one is registered again and again."""
    with freeze(seconds(START, -60)):
        for number in range(9):
            register(f"due{number}", task="a.b", cron="0 12 * * *", timezone="UTC")
    one = ticker()
    for step in range(-20, 20):
        with freeze(seconds(START, step / 10)):
            for turn in range(5):
                upsert("unrelated", task="a.b", cron="0 18 * * *", timezone="UTC", args=[step, turn])
            one.tick()
    assert sorted(script.ids) == sorted(f"due{number}@{int(START.timestamp() * 1000)}" for number in range(9))


def test_three_tickers_at_one_instant_fire_each_occurrence_once(script: Script) -> None:
    """BD01, second half: the boots before it are in the registry's tests."""
    with freeze(seconds(START, -60)):
        register("clean", task="a.b", cron="*/10 * * * *", timezone="UTC")
    with freeze(START):
        fired = [len(ticker().tick().fired) for _ in range(3)]
    assert sorted(fired) == [0, 0, 1]
    assert get("clean").next == seconds(START, 600)


def test_every_due_entry_is_fired_in_one_tick_whatever_the_batch(script: Script) -> None:
    with freeze(seconds(START, -60)):
        for number in range(57):
            register(f"s{number}", task="a.b", cron="0 12 * * *", timezone="UTC")
    with freeze(START):
        assert len(ticker(batch=10).tick().fired) == 57
    assert service.count() == 57

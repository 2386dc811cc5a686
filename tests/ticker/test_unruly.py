"""Engines and records that go wrong in unusual ways stop nobody."""

from __future__ import annotations

import asyncio

import pytest
import redis

from django_repeat import Answer, get, register, upsert
from django_repeat.testing import freeze
from django_repeat.testing.plugin import RegistryForTest
from tests.ticker.support import Script, at, raising, seconds, ticker

START = at("2026-03-01T12:00:00")


class Wordless(Exception):
    """An error whose text cannot be had."""

    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize("error", [asyncio.CancelledError, GeneratorExit, SystemExit, Wordless, MemoryError])
def test_any_error_of_an_engine_is_a_refusal(script: Script, error: type[BaseException]) -> None:
    with freeze(seconds(START, -60)):
        for name in ("a", "b"):
            register(name, task="x.y", cron="0 12 * * *", timezone="UTC")
    script.before = raising(error, times=1)
    one = ticker()
    for second in (0, 1):
        with freeze(seconds(START, second)):
            one.tick()
    assert sorted(occurrence.schedule.name for occurrence in script.taken) == ["a", "b"]


@pytest.mark.parametrize("field", ["rev", "fired_count", "missed_count", "failures", "nominal", "last_nominal"])
@pytest.mark.parametrize("value", ["01", "00", "1796074843951000", "²", "9" * 5_000])
def test_a_number_that_is_none_stops_nobody(
    repeat_registry: RegistryForTest, script: Script, field: str, value: str
) -> None:
    with freeze(seconds(START, -60)):
        for name in ("bad", "good"):
            register(name, task="x.y", cron="0 12 * * *", timezone="UTC")
    client = redis.Redis.from_url(repeat_registry.url)
    client.hset(f"{repeat_registry.prefix}:{{default}}:repeat:bad", field, value)
    client.close()
    with freeze(START):
        ticker().tick()
        assert [occurrence.schedule.name for occurrence in script.taken] == ["good"]
        assert get("good").fired_count == 1
        assert upsert("good", task="x.y", cron="0 12 * * *", timezone="UTC") == Answer.EXISTS

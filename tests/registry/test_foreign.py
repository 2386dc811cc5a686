"""Registrations by the origin itself, and by versions of ours still to come: shown, cancellable, never touched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from django_repeat import Schedule
from django_repeat.testing import freeze, recording, tick
from tests.registry.support import DAY, HOUR, T, hourly

NOW = datetime(2026, 6, 3, 11, tzinfo=UTC)


def origin(registry, name="echo", score=T - DAY, **fields):
    """Write what EchoMQ writes."""
    registry.set(name, every_ms=60000, template='{"queue":"mail","payload":{"a":1}}', **fields)
    registry.client.zadd(registry.keys.schedules, {name: score})


@pytest.mark.parametrize("score", [1, T - DAY, T + HOUR, "-inf"])
def test_an_overdue_stranger_is_refused_and_keeps_its_score(registry, score):
    origin(registry, score=score)
    before = registry.everything()
    assert [one.why for one in registry.claim(T + HOUR, "a:1")] == ["foreign"]
    assert registry.everything() == before


def test_a_newer_format_is_not_touched(registry):
    registry.put(hourly())
    registry.set("hourly", v=2, something="new")
    before = registry.everything()
    assert registry.refused(T + HOUR, "a:1") == "foreign"
    assert registry.put(hourly(args=[1])) == "foreign"
    assert registry.put(hourly(cron="* * * * *"), T + 2 * HOUR) == "foreign"
    assert registry.everything() == before
    (entry,) = registry.reader.entries(["hourly"])
    assert (entry.state, entry.raw["something"]) == ("foreign", "new")


def test_a_stranger_is_listed_and_cancelled(registry):
    origin(registry)
    (entry,) = registry.reader.page(0, 10)
    assert (entry.name, entry.state, entry.schedule, entry.recurrence_text) == ("echo", "foreign", None, "every 1m")
    assert entry.next == NOW - timedelta(hours=1, days=1)
    assert registry.cancel("echo") == "cancelled"
    assert registry.everything() == {}


@pytest.mark.usefixtures("repeat_registry")
def test_a_tick_pages_past_hundreds_of_strangers(registry):
    with registry.client.pipeline() as pipe:
        for number in range(250):
            key = registry.keys.record(f"echo{number}")
            pipe.hset(key, mapping={"every_ms": 60000, "template": "{}"})
            pipe.zadd(registry.keys.schedules, {f"echo{number}": T - DAY})
        pipe.execute()
    registry.put(Schedule("ours", task="shop.tasks.count", cron="0 * * * *", timezone="UTC"))
    before = registry.client.zrange(registry.keys.schedules, 0, 249, withscores=True)
    with freeze(NOW), recording() as taken:
        tick("default")
        tick("default")
    assert [occurrence.id for occurrence in taken] == [f"ours@{T + HOUR}"]
    assert registry.client.zrange(registry.keys.schedules, 0, 249, withscores=True) == before

"""Every server program behaves the same."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import override_settings

from django_repeat import Schedule, service
from django_repeat.registry import Heartbeats, Ticker
from django_repeat.testing import freeze, recording, tick


@pytest.fixture
def served(any_server):
    with override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "REDIS": any_server.url, "PREFIX": "versions"}):
        yield
        for name in service.names_of():
            service.cancel(name)


@pytest.mark.usefixtures("served")
def test_the_verbs_behave_the_same_on_every_server():
    daily = Schedule("daily", cron="0 6 * * *", timezone="Europe/Berlin", task="shop.tasks.count")
    with freeze("2026-06-03T03:00:00+00:00"):
        assert service.register(daily) == "registered"
        assert service.register(daily) == "exists"
        assert service.upsert("daily", cron="0 7 * * *", timezone="Europe/Berlin", task="shop.tasks.count") == "updated"
        assert service.upsert("pulse", every="90s", task="shop.tasks.count") == "registered"
    with freeze("2026-06-03T05:00:00.123+00:00"), recording() as taken:
        tick("default")
        tick("default")
    # 05:00:00.000Z is 07:00 in Berlin, and the 80th period of pulse, whose first 80 were missed
    assert sorted((one.schedule.name, one.nominal_ms, one.missed_count) for one in taken) == [
        ("daily", 1780462800000, 0),
        ("pulse", 1780462800000, 80),
    ]
    assert [entry.name for entry in service.entries()] == ["pulse", "daily"]
    assert service.get("daily").next.isoformat() == "2026-06-04T05:00:00+00:00"
    assert [one["outcome"] for one in service.runs("pulse")] == ["fired", "missed"]
    beats = Heartbeats(service.store("default"))
    assert beats.beat(Ticker(id="me", host="here", pid=1), 60_000) == 1
    assert service.tickers()[0]["pid"] == 1
    assert beats.end(Ticker(id="me", host="here", pid=1)) == 0
    assert service.cancel("daily") == "cancelled"
    assert service.count() == 1


@pytest.mark.usefixtures("served")
def test_the_clock_is_the_server_s():
    first, second = service.now(), service.now()
    assert first <= second
    assert (second - first).total_seconds() < 5
    assert service.upsert("later", every="1h", first_in="30m", task="shop.tasks.count") == "registered"
    wait = (service.get("later").next - second).total_seconds()
    assert 1_790 < wait <= 1_805

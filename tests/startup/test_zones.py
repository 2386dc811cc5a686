"""BD70: what is stored does not depend on how a site shows its times."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import redis
from django.test import override_settings

from django_repeat import clock, service
from django_repeat.startup import Registrar

ADD = "tests.engines.work.add"
ZONES = ["UTC", "Europe/London", "Europe/Moscow", "Asia/Shanghai", "America/Chicago"]
MATRIX = list(itertools.product([True, False], ZONES))

NOW = 1_724_828_460_000  # 2024-08-28T07:01Z
SCHEDULES = {
    "five minutes": {"task": ADD, "cron": "*/5 * * * *"},
    "daily there": {"task": ADD, "cron": "30 9 * * *", "timezone": "Europe/Berlin"},
    "on a grid": {"task": ADD, "every": "7m", "phase": "1m"},
    "at once": {"task": ADD, "every": "90s"},
    "soon": {"task": ADD, "every": "1h", "first_in": "2m"},
}
STORED = {
    "five minutes": 1_724_828_700_000,  # 07:05Z
    "daily there": 1_724_830_200_000,  # 09:30 in Berlin is 07:30Z
    "on a grid": (NOW - 60_000) // 420_000 * 420_000 + 480_000,
    "at once": NOW,
    "soon": NOW + 120_000,
}


def stored(raw: redis.Redis) -> dict[str, Any]:
    records = {}
    for name, score in raw.zrange("emq:{default}:repeat", 0, -1, withscores=True):
        records[name.decode()] = int(score), int(raw.hget(b"emq:{default}:repeat:" + name, "nominal"))
    return records


@pytest.mark.parametrize("use_tz, zone", MATRIX)
def test_the_stored_milliseconds_are_the_same_in_every_zone(
    redis_url: str, raw: redis.Redis, use_tz: bool, zone: str
) -> None:
    ours = {"REDIS": redis_url, "SCHEDULES": SCHEDULES}
    with override_settings(USE_TZ=use_tz, TIME_ZONE=zone, DJANGO_REPEAT=ours), clock.freeze(NOW):
        Registrar().start()
        assert stored(raw) == {name: (ms, ms) for name, ms in STORED.items()}
        # Another start in between changes nothing.
        Registrar().start()
        assert stored(raw) == {name: (ms, ms) for name, ms in STORED.items()}
        assert {entry.next.utcoffset().total_seconds() for entry in service.entries() if entry.next} == {0}  # type: ignore[union-attr]


@pytest.mark.parametrize("use_tz, zone", MATRIX)
def test_a_rule_without_a_zone_is_in_that_of_the_site(
    redis_url: str, raw: redis.Redis, use_tz: bool, zone: str
) -> None:
    ours = {"REDIS": redis_url, "SCHEDULES": {"n": {"task": ADD, "cron": "25 8 * * *"}}}
    with override_settings(USE_TZ=use_tz, TIME_ZONE=zone, DJANGO_REPEAT=ours), clock.freeze(NOW):
        Registrar().start()
    assert raw.hget("emq:{default}:repeat:n", "tz") == zone.encode()

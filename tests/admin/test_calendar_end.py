"""The last hours that a datetime can hold have pages as all others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import redis
from django.test import Client
from django.utils import timezone

from django_repeat import clock
from django_repeat.codec import line
from django_repeat.instants import to_ms
from django_repeat.keys import Keys
from tests.admin.conftest import LIST, add
from tests.admin.pages import read, result_rows

EVENING = to_ms(datetime(9999, 12, 31, 20, tzinfo=UTC))
LAST = 253_402_300_799_999
KEYS = Keys("emq", "default")


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/New_York"])
@pytest.mark.parametrize("now", [EVENING, LAST])
def test_list_and_detail(viewer: Client, registry: redis.Redis, zone: str, now: int) -> None:
    with clock.freeze(EVENING):
        add("nightly", cron="59 * * * *", timezone=zone)
    registry.hset(KEYS.record("nightly"), mapping={"last_nominal": LAST, "last_fired": LAST, "failures": 1})
    registry.rpush(KEYS.runs("nightly"), line(nominal=LAST, at=LAST, outcome="fired", first=LAST, last=LAST, count=2))
    with clock.freeze(now), timezone.override(zone):
        rows = result_rows(read(viewer.get(LIST)))
        page = viewer.get(f"{LIST}default_3Anightly/change/")
    shown = "9999-12-31 23:59:59.999 UTC" if zone == "Pacific/Kiritimati" else "9999-12-31 18:59:59.999 EST"
    assert rows["nightly"][3] == shown
    assert page.status_code == 200
    assert page.content.decode().count(f">{shown}</time>") == 3

"""The last hours that a datetime can hold: in a zone ahead of UTC they have no wall time, and still they are shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from django_repeat import clock, service
from django_repeat.instants import to_ms
from tests.commands.running import SiteSettings, call

EVENING = to_ms(datetime(9999, 12, 31, 20, tzinfo=UTC))
LAST = 253_402_300_799_999
KINDS: dict[str, dict[str, Any]] = {
    "interval": {"every": "1h"},
    "delayed": {"every": "1h", "first_in": "52w"},
    "rule": {"cron": "59 * * * *"},
    "bounded": {"every": "30m", "start_at": "9999-12-31T23:00:00Z", "end_at": "9999-12-31T23:59:59.999Z"},
    "spread": {"cron": "59 * * * *", "spread": "50m"},
}


@pytest.fixture(params=["Pacific/Kiritimati", "Asia/Shanghai", "America/New_York"])
def declared(request: pytest.FixtureRequest, settings: SiteSettings, redis_url: str) -> Iterator[str]:
    zone = request.param
    settings.TIME_ZONE = zone
    schedules = {name: {"command": "check", **fields} for name, fields in KINDS.items()}
    settings.DJANGO_REPEAT = {"REDIS": "repeat", "SCHEDULES": schedules}
    with clock.freeze(EVENING):
        yield zone


@pytest.mark.parametrize("now", [EVENING, LAST - 1, LAST])
@pytest.mark.parametrize("registered", [True, False])
def test_every_face_shows_them(declared: str, registered: bool, now: int, raw: Any) -> None:
    if registered:
        service.sync()
    with clock.freeze(now):
        for name in KINDS:
            call("next", name)
            for one in json.loads(call("next", name, "--json")[0]):
                assert datetime.fromisoformat(one["wall"]) == datetime.fromisoformat(one["nominal"])
                assert one["zone"] in (declared, "UTC")
        for name in KINDS if registered else ():
            call("show", name)
            call("show", name, "--json")
        call("list")
        call("list", "--json")


def test_where_the_zone_has_no_wall_time_it_is_that_of_utc(declared: str, raw: Any) -> None:
    with clock.freeze(EVENING):
        [first, *_, last] = json.loads(call("next", "rule", "--json")[0])
        assert call("next", "rule")[0].splitlines()[1].startswith("Fri 9999-12-31 ")
    ahead = declared != "America/New_York"
    assert (last["wall"], last["zone"]) == (
        ("9999-12-31T23:59:00+00:00", "UTC") if ahead else ("9999-12-31T18:59:00-05:00", declared)
    )
    assert first["nominal"] == "9999-12-31T20:59:00Z"

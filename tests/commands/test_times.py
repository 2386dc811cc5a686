"""Instants as text."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import override_settings

from django_repeat.management.times import utc, wall

MOMENT = datetime(2024, 6, 18, 2, 0, tzinfo=UTC)


def test_an_instant_is_shown_on_the_clock_of_its_zone() -> None:
    assert wall(MOMENT, ZoneInfo("Asia/Shanghai")) == "2024-06-18 10:00:00 CST"
    assert wall(MOMENT, ZoneInfo("America/New_York"), weekday=True) == "Mon 2024-06-17 22:00:00 EDT"


@pytest.mark.parametrize("use_tz", [True, False])
def test_without_a_zone_it_is_that_of_the_site(use_tz: bool) -> None:
    with override_settings(TIME_ZONE="Asia/Shanghai", USE_TZ=use_tz):
        assert wall(MOMENT) == "2024-06-18 10:00:00 CST"


def test_milliseconds_are_shown_where_there_are_some() -> None:
    moment = MOMENT.replace(microsecond=7_000)
    assert wall(moment, UTC) == "2024-06-18 02:00:00.007 UTC"
    assert utc(moment) == "2024-06-18T02:00:00.007Z"


def test_the_end_of_the_calendar_is_shown_in_utc() -> None:
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert wall(last, ZoneInfo("Asia/Shanghai")) == "9999-12-31 23:59:59 UTC"

"""Names of zones, and the tables of their offsets."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron, zones
from django_repeat.showing import shown

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NAMES = sorted(available_timezones() - {"Factory", "localtime"})


def refusal(zone: Any) -> str:
    with pytest.raises(InvalidSchedule) as caught:
        Cron("0 6 * * *", zone)
    return str(caught.value)


def true_offset(zone: str, second: int) -> int:
    return int((EPOCH + timedelta(seconds=second)).astimezone(ZoneInfo(zone)).utcoffset().total_seconds())  # type: ignore[union-attr]


def test_every_zone_is_known() -> None:
    assert len(NAMES) > 500
    assert [Cron("0 6 * * *", zone).timezone for zone in NAMES] == NAMES


PATHS = ["", ".", "..", "../etc/passwd", "/etc/localtime", "Europe/../UTC", "Europe//Berlin", "Europe/", "a/b/c/d"]
MACHINE = ["localtime", "posixrules", "Factory", "right/UTC", "posix/Europe/Berlin", "tzdata.zi", "zone.tab"]
ODD = [
    "Europe/Berlin ",
    "Europe/Berlin\n",
    "Europe/\0Berlin",
    "Europe\\Berlin",
    "Zürich",
    "\ud800",
    "+02:00",
    "<b>",
    "x" * 5000,
]


@pytest.mark.parametrize("zone", [*PATHS, *MACHINE, *ODD])
def test_what_is_no_name_is_refused(zone: str) -> None:
    message = refusal(zone)
    assert "time zone" in message
    assert len(message) < 700


@pytest.mark.parametrize("zone", ["Mars/Phobos", "Europe", "leapseconds", "CEST", "x" * 100])
def test_a_zone_without_data_is_refused(zone: str) -> None:
    assert "unknown time zone" in refusal(zone)


@pytest.mark.parametrize("zone", ["CEST", "EDT", "PST", "utc"])
def test_an_abbreviation_is_not_taken_for_another_one(zone: str) -> None:
    assert refusal(zone) == (
        f"unknown time zone {zone!r}; use one such as 'Europe/Berlin' or 'UTC', or install a newer tzdata package if "
        "the name is right"
    )


@pytest.mark.parametrize(
    "zone, near", [("Berlin", "Europe/Berlin"), ("Europe/Berln", "Europe/Berlin"), ("Asia/Calcuta", "Asia/Calcutta")]
)
def test_a_near_name_is_offered(zone: str, near: str) -> None:
    assert f"did you mean {near!r}?" in refusal(zone)


@pytest.mark.parametrize("zone", [None, True, 1, b"UTC", UTC, timedelta(0), ["UTC"]])
def test_a_zone_is_a_name_or_a_zoneinfo(zone: Any) -> None:
    assert refusal(zone).startswith(f"{shown(zone)} is no time zone; give a name")


def test_a_zoneinfo_counts_by_its_key() -> None:
    assert Cron("0 6 * * *", ZoneInfo("Asia/Tokyo")).timezone == "Asia/Tokyo"
    assert Cron("0 6 * * *", ZoneInfo.no_cache("Asia/Tokyo")) == Cron("0 6 * * *", "Asia/Tokyo")
    with (resources.files("tzdata") / "zoneinfo" / "Asia" / "Tokyo").open("rb") as file:
        assert "without key" in refusal(ZoneInfo.from_file(file))


def test_refusing_a_zone_is_quick() -> None:
    begin = time.perf_counter()
    refusal("Europe/Atlantis")
    assert time.perf_counter() - begin < 0.05


def test_without_zone_data_nothing_is_taken_for_utc() -> None:
    program = (
        "import sys; sys.modules['tzdata'] = None\n"
        "from django_repeat.exceptions import InvalidSchedule\n"
        "from django_repeat.recurrence import Cron\n"
        "for zone in 'US/Eastern', 'Europe/Berlin', 'UTC':\n"
        "    try: print(Cron('0 6 * * *', zone))\n"
        "    except InvalidSchedule as error: print(error)\n"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONTZPATH": "", "PYTHONPATH": str(root)}
    answer = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout.splitlines() == [
        f"unknown time zone {zone!r}; install the tzdata package if the name is right"
        for zone in ("US/Eastern", "Europe/Berlin", "UTC")
    ]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(zone=st.sampled_from(NAMES), second=st.integers(-4_200_000_000, 20_000_000_000))
def test_the_tables_agree_with_the_zone(zone: str, second: int) -> None:
    index = second // zones.SPAN
    table = zones.offsets(zone, index)
    assert table.starts[0] == index * zones.SPAN - zones.MARGIN
    assert table.ends[-1] == (index + 1) * zones.SPAN + zones.MARGIN
    for place, start in enumerate(table.starts):
        assert true_offset(zone, start) == table.offsets[place]
        assert true_offset(zone, table.ends[place] - 1) == table.offsets[place]
        if place:
            assert table.offsets[place] != table.offsets[place - 1]
    inside = next(place for place, end in enumerate(table.ends) if second < end)
    assert true_offset(zone, second) == table.offsets[inside]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(zone=st.sampled_from(NAMES), second=st.integers(-62_000_000_000, 253_000_000_000))
def test_the_tables_agree_at_the_ends_of_the_calendar(zone: str, second: int) -> None:
    table = zones.offsets(zone, second // zones.SPAN)
    inside = next(place for place, end in enumerate(table.ends) if second < end)
    assert true_offset(zone, second) == table.offsets[inside]


@pytest.mark.parametrize("zone", ["Africa/Casablanca", "Asia/Gaza", "America/New_York"])
def test_far_years_follow_the_last_rule_alone(zone: str) -> None:
    # the data list Morocco's and Gaza's changes year by year until 2087, which 400 years later must not come back
    for second in range(14_700_000_000, 16_500_000_000, 9 * 86_400):
        table = zones.offsets(zone, second // zones.SPAN)
        inside = next(place for place, end in enumerate(table.ends) if second < end)
        assert true_offset(zone, second) == table.offsets[inside]

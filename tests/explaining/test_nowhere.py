"""Instants without a nominal time, and nights on which the clocks change."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from django_repeat.recurrence import Cron
from tests.explaining.saying import at, line, ms, record
from tests.recurrence.test_cases import CASES

STATE = {"nominal": "06:00", "last_nominal": "05:00", "fired_count": 1}
BERLIN = {"cron": "30 2 * * *", "timezone": "Europe/Berlin"}


def test_the_nearest_ones_are_said() -> None:
    assert at("04:30", record(STATE), "05:30") == (
        "There is no nominal time at 2030-01-01 04:30:00 UTC; the one before is 2030-01-01 04:00:00 UTC, "
        "the one after is 2030-01-01 05:00:00 UTC."
    )


@pytest.mark.parametrize("instant, said", [
    ("02:15", "start_at is 2030-01-01 02:30:00 UTC."),
    ("07:45", "end_at is 2030-01-01 07:30:00 UTC."),
    ("02:45", "none comes before, the one after is 2030-01-01 03:00:00 UTC."),
    ("07:15", "the one before is 2030-01-01 07:00:00 UTC, none comes after."),
])  # fmt: skip
def test_the_bounds_of_a_schedule_are_said(instant: str, said: str) -> None:
    stored = record(STATE, start_at="2030-01-01T02:30Z", end_at="2030-01-01T07:30Z")
    assert at(instant, stored, "05:30").endswith(f"; {said}")


@pytest.mark.parametrize("instant, item", [
    ("2030-01-01 12:15", "* 12 * * *"),
    ("2030-01-02 09:15", "2030-01-02"),
    ("2030-01-05 09:15", "2030-01-04..2030-01-06"),
    ("2030-01-07 08:15:30", "15 8 * * MON"),
])  # fmt: skip
def test_what_is_excluded_is_said_with_the_item_that_names_it(instant: str, item: str) -> None:
    exclude = ["2029-12-24", "2030-01-02", "2030-01-04..2030-01-06", "* 12 * * *", "15 8 * * 1"]
    stored = record(STATE, cron="15 * * * *", timezone="UTC", exclude=exclude)
    text = at(instant, stored, "05:30").replace("15 8 * * 1", "15 8 * * MON")
    assert text.startswith(f"{instant[:16]}:00 UTC is left out: exclude ({item}) names its wall time; the one before ")


def test_exclusions_of_an_interval_are_of_their_own_zone() -> None:
    stored = record(STATE, every="1h", exclude=["* 5 * * *"], exclude_zone="Asia/Kathmandu")
    assert at("2030-01-02 00:00", stored, "05:30").startswith(
        "2030-01-02 00:00:00 UTC is left out: exclude (* 5 * * *) "
    )
    assert at("2030-01-02 01:00", stored, "05:30").startswith("It will fire ")


def test_a_wall_time_that_a_gap_moves_is_excluded_by_its_own_minute_too() -> None:
    stored = record({"nominal": ms("2030-03-01 01:30")}, **{**BERLIN, "exclude": ["* 3 * * *"]})
    assert at("2030-03-31 01:00", stored, "2030-03-02").startswith(
        "2030-03-31 03:00:00 CEST is left out: exclude (* 3 * * *)"
    )


def test_the_minute_that_a_gap_took_is_excluded_too() -> None:
    rule = {"cron": "30 2,5 * * *", "timezone": "Europe/Berlin", "exclude": ["0 4 * * *", "* 2 31 3 *"]}
    text = at("2030-03-31 01:00", record({"nominal": ms("2030-03-01 01:30")}, **rule), "2030-03-02")
    assert text.startswith("2030-03-31 03:00:00 CEST is left out: exclude (* 2 31 3 *) names its wall time; ")


GAP = "(for 02:30, which is left out: the clocks move by +1h)"


@pytest.mark.parametrize("instant, parts", [
    ("2030-03-31 01:00", [f"It will fire at 2030-03-31 03:00:00 CEST {GAP}, in "]),
    ("2030-03-31 01:30", [("There is no nominal time at 2030-03-31 03:30:00 CEST; the clocks move by +1h that night, "
     f"at 2030-03-31 03:00:00 CEST; the one before is 2030-03-31 03:00:00 CEST {GAP}, ")]),
    ("2030-03-31 00:30", ["no nominal time at 2030-03-31 01:30:00 CET; the clocks move by +1h that night, ",
     f"the one after is 2030-03-31 03:00:00 CEST {GAP}."]),
    ("2030-10-27 00:30", ["It will fire at 2030-10-27 02:30:00 CEST (first of two: the clocks move by -1h), in "]),
    ("2030-10-27 01:30", [("no nominal time at 2030-10-27 02:30:00 CET; the clocks move by -1h that night, and that "
     "wall time comes for the second time; the one before is 2030-10-27 02:30:00 CEST (first of two: ")]),
])  # fmt: skip
def test_a_night_on_which_the_clocks_change(instant: str, parts: list[str]) -> None:
    text = at(instant, record({"nominal": ms("2030-03-01 01:30")}, **BERLIN), "2030-03-01 00:00")
    assert [part for part in parts if part not in text] == [], text


def test_what_fired_in_such_a_night_says_it_too() -> None:
    log = [line(nominal="2030-03-31 01:00", at="2030-03-31 01:00", outcome="fired", ticker="t")]
    stored = record({"nominal": ms("2030-04-01 00:30"), "last_nominal": ms("2030-03-31 01:00")}, **BERLIN)
    assert at("2030-03-31 01:00", stored, "2030-03-31 08:00", log).startswith(
        f"It fired for 2030-03-31 03:00:00 CEST {GAP} at 2030-03-31 03:00:00 CEST, on time, by ticker t"
    )


NIGHTS = [case for case in CASES if case["id"][0] in "PQ" and "expect" in case]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in NIGHTS])
def test_the_second_pass_and_the_gap_of_every_case_are_explained(case: dict[str, Any]) -> None:
    rule, zone = Cron(case["expr"], case["tz"]), ZoneInfo(case["tz"])
    stored = record({"nominal": ms(case["expect"][0])}, cron=case["expr"], timezone=case["tz"])
    for text in case["expect"]:
        moment = datetime.fromisoformat(text).astimezone(zone)
        said = at(text, stored, case["after"])
        assert said.startswith(f"It will fire at {moment:%Y-%m-%d %H:%M:%S} {moment.tzname()}")
        twin = moment.replace(fold=1)
        if twin.utcoffset() != moment.utcoffset():
            assert "(first of two: the clocks move by -" in said
            second = at(twin.astimezone(ZoneInfo("UTC")).isoformat(), stored, case["after"])
            assert "comes for the second time; " in second
        named = rule.before(moment) == moment and rule.left_out_ms(ms(text)) is not None
        assert ("which is left out: the clocks move by +" in said) is named


def test_an_interval_knows_no_clocks() -> None:
    start = ms("2030-10-27 00:00")
    stored = record({"nominal": start}, every="1h")
    assert "clocks" not in at("2030-10-27 01:30", stored, "2030-10-26")
    assert "clocks" not in at("2030-10-27 01:00", stored, "2030-10-26", zone=ZoneInfo("Europe/Berlin"))


def test_an_interval_that_nothing_is_known_of_is_said_to_be() -> None:
    assert at("05:00", record(every="1h"), "05:30").endswith(
        "; an interval without phase starts with its first run, and none is known; "
        "the run log has no line of that minute."
    )


@pytest.mark.parametrize("instant", ["0001-01-01 00:00", "1970-01-01 00:00", "9999-12-31 23:59:59.999"])
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Apia", "Europe/Berlin"])
def test_the_ends_of_the_calendar_are_explained(instant: str, zone: str) -> None:
    stored = record({"nominal": "06:00"}, cron="0 6 * * *", timezone=zone, spread="2h")
    assert at(instant, stored, "05:30").endswith(".")

"""Lists of exclusions: what they may hold, how they are stored, what is refused and how."""

import copy
import dataclasses
import json
import pickle
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Exclusions
from django_repeat.recurrence.exclusions import LONGEST, MOST_RULES
from django_repeat.showing import shown

CHRISTMAS, EPIPHANY = date(2026, 12, 24), date(2027, 1, 6)
MIXED = ["* 0-6 * * *", "2026-12-24..2027-01-06", "2026-05-01", "@hourly"]


@pytest.mark.parametrize(
    "item, stored",
    [
        (CHRISTMAS, "2026-12-24"),
        ("2026-12-24", "2026-12-24"),
        (" 2026-12-24\t", "2026-12-24"),
        ("0900-02-28", "0900-02-28"),
        (date.min, "0001-01-01"),
        ("2024-02-29", "2024-02-29"),
        ("2026-12-24..2027-01-06", "2026-12-24..2027-01-06"),
        ("2026-12-24 .. 2027-01-06", "2026-12-24..2027-01-06"),
        ((CHRISTMAS, EPIPHANY), "2026-12-24..2027-01-06"),
        ([CHRISTMAS, "2027-01-06"], "2026-12-24..2027-01-06"),
        (["2026-12-24", "2027-01-06"], "2026-12-24..2027-01-06"),
        ((CHRISTMAS, CHRISTMAS), "2026-12-24"),
        ("2026-12-24..2026-12-24", "2026-12-24"),
        ((date.min, date.max), "0001-01-01..9999-12-31"),
        ("* 0-6 * * *", "* 0-6 * * *"),
        (" *\t0-6  * * MON ", "* 0-6 * * MON"),
        ("@Daily", "@Daily"),
    ],
)
def test_each_item_has_one_text(item: Any, stored: str) -> None:
    exclusions = Exclusions.read([item])
    assert exclusions.stored() == [stored]
    assert Exclusions.read(exclusions.stored()) == exclusions


def test_the_order_of_the_list_is_kept_and_copies_are_dropped() -> None:
    given = [*MIXED, date(2026, 5, 1), (CHRISTMAS, EPIPHANY), "*  0-6 * * *"]
    assert Exclusions.read(given).stored() == MIXED
    assert str(Exclusions(MIXED)) == "* 0-6 * * *, 2026-12-24..2027-01-06, 2026-05-01, @hourly"


def test_the_stored_form_is_json() -> None:
    exclusions = Exclusions.read(tuple(MIXED))
    assert Exclusions.read(json.loads(json.dumps(exclusions.stored()))) == exclusions
    assert Exclusions.read(exclusions) is exclusions
    assert Exclusions.read([]).stored() == []


def test_only_a_list_with_items_is_true() -> None:
    assert Exclusions.read(["2026-12-24"])
    assert not Exclusions.read([])


def test_days_of_all_items_are_merged() -> None:
    exclusions = Exclusions(["1970-01-05..1970-01-07", "1970-01-02", "1970-01-08", "* * * 1 *", "1970-01-06"])
    assert exclusions.days == ((1, 2), (4, 8))
    assert exclusions.rules == ("* * * 1 *",)
    assert Exclusions(["1969-12-31..1970-01-01"]).days == ((-1, 1),)


@pytest.mark.parametrize(
    "item, reason",
    [
        ("2026-12-32", "the calendar has no 2026-12-32"),
        ("2025-02-29", "the calendar has no 2025-02-29"),
        ("0000-01-01", "the calendar has no 0000-01-01"),
        ("2027-01-06..2026-12-24", "write '2026-12-24..2027-01-06'"),
        ((date(900, 1, 2), date(900, 1, 1)), "write '0900-01-01..0900-01-02'"),
        ("2026-12-24T00:00", "neither dates nor a cron text"),
        ("2026-12-24 00:00", "neither dates nor a cron text"),
        ("2026-12-24/2027-01-06", "write a date '2026-12-24', a range"),
        ("2026-12-24 - 2027-01-06", "write a date"),
        ("2026-12-24..", "write a date"),
        ("..2026-12-24", "write a date"),
        ("2026-12-24...2027-01-06", "write a date"),
        ("2026-12-24..2026-12-25..2026-12-26", "write a date"),
        ("20261224", "write a date"),
        ("2026-W52-4", "write a date"),
        ("24.12.2026", "write a date"),
        ("٢٠٢٦-١٢-٢٤", "write a date"),
        ("christmas", "write a date"),
        ("", "write a date"),
        ("*", "write a date"),
        ("* 24 * * *", "24 is out of range; the hour field takes 0-23"),
        ("0 0 30 2 *", "never matches"),
        ("* 0-6 * *", "has 4 fields; write five"),
        ("* 0-6 * * * *", "six fields"),
        ("@reboot", "many machines"),
        (datetime(2026, 12, 24, tzinfo=UTC), r"an instant is no date; give its date\(\)"),
        ((CHRISTMAS, datetime(2027, 1, 6, tzinfo=UTC)), "an instant is no date"),
        ((CHRISTMAS,), "a range has two dates, not 1"),
        ((CHRISTMAS, EPIPHANY, EPIPHANY), "a range has two dates, not 3"),
        ((CHRISTMAS, "* * * * *"), r"'\* \* \* \* \*' is no date"),
        ((CHRISTMAS, None), "None is no date"),
        (None, "None is no date"),
        (20261224, "20261224 is no date"),
        (True, "True is no date"),
        (time(3), "is no date"),
        (timedelta(1), "is no date"),
        (b"2026-12-24", "is no date"),
        ({"from": CHRISTMAS}, "is no date"),
    ],
)
def test_refuses_with_the_item_and_the_fix(item: Any, reason: str) -> None:
    with pytest.raises(InvalidSchedule, match=reason) as caught:
        Exclusions.read(["* 0-6 * * *", item])
    assert str(caught.value).startswith(f"exclusion 2 ({shown(item)}): ")


@pytest.mark.parametrize("items", ["2026-12-24", CHRISTMAS, None, {"2026-12-24"}, {"2026-12-24": 1}, iter(MIXED), 7])
def test_exclusions_come_in_a_list(items: Any) -> None:
    with pytest.raises(InvalidSchedule, match=r"is no list; write .* in a list"):
        Exclusions.read(items)


def test_a_list_has_an_end() -> None:
    dates = [CHRISTMAS + timedelta(days=2 * day) for day in range(LONGEST)]
    assert len(Exclusions(dates).days) == LONGEST
    with pytest.raises(InvalidSchedule, match="range"):
        Exclusions([*dates, "2020-01-01"])
    rules = [f"{minute} {hour} * * *" for hour in range(2) for minute in range(60)]
    assert Exclusions(rules[:MOST_RULES]).stored() == rules[:MOST_RULES]
    with pytest.raises(InvalidSchedule, match="cron texts at most"):
        Exclusions(rules[: MOST_RULES + 1])


def test_copies_are_equal() -> None:
    value = Exclusions(MIXED)
    for each in (copy.copy(value), copy.deepcopy(value), dataclasses.replace(value), pickle.loads(pickle.dumps(value))):
        assert each == value
        assert hash(each) == hash(value)
        assert (each.days, each.rules) == (value.days, value.rules)
    changed = dataclasses.replace(value, items=["2026-12-24"])
    assert changed == Exclusions([CHRISTMAS]) != value
    assert changed.rules == ()
    with pytest.raises(InvalidSchedule):
        dataclasses.replace(value, items=["2026-12-32"])
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        value.items = ()  # type: ignore[misc]


def test_a_subclass_of_text_is_stored_as_plain_text() -> None:
    class Text(str):
        __slots__ = ()

    stored = Exclusions([Text("@Daily"), Text("2026-12-24")]).stored()
    assert stored == ["@Daily", "2026-12-24"]
    assert {type(text) for text in stored} == {str}

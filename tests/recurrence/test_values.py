"""Recurrences as values, and the moments that their verbs take."""

import copy
import dataclasses
import pickle
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron, Every, Recurrence

VALUES: list[Recurrence] = [Cron("0 6 * * *", "Europe/Berlin"), Cron("@hourly", "UTC"), Every("15m"), Every(0.5, "1ms")]
MOMENT = datetime(2024, 8, 28, 7, 1, tzinfo=UTC)


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_copies_are_equal_and_work(value: Recurrence) -> None:
    copies = [copy.copy(value), copy.deepcopy(value), dataclasses.replace(value), pickle.loads(pickle.dumps(value))]
    for each in copies:
        assert each == value
        assert hash(each) == hash(value)
        assert str(each) == str(value)
        assert each.after(MOMENT, anchor=MOMENT) == value.after(MOMENT, anchor=MOMENT)


def test_replace_checks_again() -> None:
    cron, every = Cron("0 6 * * *", "Europe/Berlin"), Every("15m", "5m")
    assert dataclasses.replace(cron, timezone="UTC") == Cron("0 6 * * *", "UTC")
    assert dataclasses.replace(every, period="1h") == Every("1h", "5m")
    with pytest.raises(InvalidSchedule):
        dataclasses.replace(cron, text="0 0 30 2 *")
    with pytest.raises(InvalidSchedule):
        dataclasses.replace(every, period="5m")


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_nothing_can_be_set(value: Recurrence) -> None:
    for name in ("text", "period", "period_ms", "other"):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
            setattr(value, name, 1)


def test_equality_is_by_what_was_said() -> None:
    assert Cron(" 0\t6  * * * ", ZoneInfo("UTC")) == Cron("0 6 * * *", "UTC")
    assert Cron("0 6 * * *", "UTC") != Cron("0 6 * * *", "Europe/Berlin")
    assert Cron("@daily", "UTC") != Cron("0 0 * * *", "UTC")
    assert Every(900) == Every("15m") == Every(timedelta(minutes=15))
    assert Every("15m") != Every("15m", 0)
    assert len({Every(900), Every("15m"), Every("15m", 0), *VALUES}) == 5


def test_attributes_are_plain() -> None:
    class Text(str):
        __slots__ = ()

    cron = Cron(Text(" @Daily"), Text("UTC"))
    assert (cron.text, cron.timezone) == ("@Daily", "UTC")
    assert type(cron.text) is type(cron.timezone) is str
    assert (Every("15m", "5m").period_ms, Every("15m", "5m").phase_ms) == (900_000, 300_000)


@pytest.mark.parametrize(
    "value, text",
    [
        (Every("15m"), "every 15m"),
        (Every(900, 300), "every 15m +5m"),
        (Every("15m", 0), "every 15m +0s"),
        (Every(timedelta(milliseconds=1500)), "every 1500ms"),
        (Cron(" 0  6 * * *", "Europe/Berlin"), "0 6 * * * Europe/Berlin"),
        (Cron("@daily", "UTC"), "@daily UTC"),
    ],
)
def test_as_text(value: Recurrence, text: str) -> None:
    assert str(value) == text


class NoOffset(tzinfo):
    def utcoffset(self, dt: datetime | None) -> None:
        return None


@pytest.mark.parametrize("value", VALUES, ids=str)
@pytest.mark.parametrize("moment", [MOMENT.replace(tzinfo=None), MOMENT.replace(tzinfo=NoOffset())])
def test_a_naive_moment_is_refused(value: Recurrence, moment: datetime) -> None:
    calls: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
        (value.after, (moment,), {}),
        (value.before, (moment,), {}),
        (value.count, (moment, MOMENT), {}),
        (value.count, (MOMENT, moment), {}),
        (value.after, (MOMENT,), {"anchor": moment}),
    ]
    for verb, positional, named in calls:
        with pytest.raises(ValueError, match="naive"):
            verb(*positional, **{"anchor": MOMENT, **named})


@pytest.mark.parametrize("value", VALUES, ids=str)
@pytest.mark.parametrize("moment", [None, True, 0, 1.5, "2025-01-01", date(2025, 1, 1), timedelta(1)])
def test_only_a_datetime_is_a_moment(value: Recurrence, moment: Any) -> None:
    calls: list[tuple[Any, tuple[Any, ...]]] = [(value.after, (moment,)), (value.before, (moment,))]
    calls += [(value.count, (moment, MOMENT)), (value.count, (MOMENT, moment))]
    for verb, positional in calls:
        with pytest.raises(TypeError, match="aware datetime"):
            verb(*positional, anchor=MOMENT)


@pytest.mark.parametrize("zone", ["UTC", "Europe/London", "Europe/Moscow", "Asia/Shanghai", "America/Chicago"])
def test_an_instant_is_the_same_in_every_zone(zone: str) -> None:
    # the answer depends on the instant alone, whatever zone it is written in
    asked = MOMENT.astimezone(ZoneInfo(zone))
    found = Cron("*/5 * * * *", "UTC").after(asked)
    assert found == datetime(2024, 8, 28, 7, 5, tzinfo=UTC)
    assert found.tzinfo is UTC


def test_both_readings_of_a_repeated_hour_are_told_apart() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    hourly = Cron("@hourly", "Europe/Berlin")
    first, second = (datetime(2025, 10, 26, 2, 30, tzinfo=berlin, fold=fold) for fold in (0, 1))
    assert hourly.after(first) == datetime(2025, 10, 26, 1, tzinfo=UTC)
    assert hourly.after(second) == datetime(2025, 10, 26, 2, tzinfo=UTC)


def test_microseconds_and_odd_offsets_count() -> None:
    odd = timezone(timedelta(hours=5, minutes=45, seconds=7, microseconds=3))
    daily = Cron("0 3 * * *", "UTC")
    three = datetime(2020, 1, 1, 3, tzinfo=UTC)
    assert daily.after((three - timedelta(microseconds=1)).astimezone(odd)) == three
    assert daily.after(three.astimezone(odd)) == three + timedelta(days=1)
    assert daily.before(three - timedelta(microseconds=1)) == three - timedelta(days=1)
    assert daily.count(three - timedelta(microseconds=1), three) == 1
    assert daily.count(three, three + timedelta(microseconds=1)) == 0


def test_arguments_are_named_or_in_order() -> None:
    assert Cron(text="0 6 * * *", timezone="UTC") == Cron("0 6 * * *", "UTC")
    assert Every(period="15m", phase="5m") == Every("15m", "5m")
    with pytest.raises(TypeError):
        Cron("0 6 * * *")  # type: ignore[call-arg]

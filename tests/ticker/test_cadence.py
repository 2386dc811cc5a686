"""When entries fire: cadence, drift, edits, catch-up."""

from __future__ import annotations

import time

import pytest

from django_repeat import Schedule, cancel, get, register, upsert
from django_repeat.instants import to_ms
from django_repeat.testing import freeze
from tests.ticker import support
from tests.ticker.support import Script, at, seconds, ticker


def test_fires_on_the_grid_however_late_the_ticks_are(script: Script) -> None:
    """BD09: 60 runs, each looked at 0.4 to 0.9 seconds late, do not move the grid."""
    start = at("2021-07-02T02:02:00")
    with freeze(start):
        register("pulse", task="a.b", every=60)
    one = ticker()
    for number in range(60):
        with freeze(seconds(start, 60 * number + 0.4 + number % 6 / 10)):
            one.tick()
    assert len(script.taken) == 60
    assert script.ids[-1] == f"pulse@{to_ms(seconds(start, 59 * 60))}"
    assert to_ms(get("pulse").next) == 1625194920000  # type: ignore[arg-type]


def test_one_run_for_the_latest_of_many_missed(script: Script) -> None:
    """BD05: 48 occurrences missed, one enqueue, and no second one before the next minute."""
    with freeze(at("2026-03-01T11:59:30")):
        register("minutely", task="a.b", cron="* * * * *", timezone="UTC")
    one = ticker()
    for number in range(11):
        with freeze(seconds(at("2026-03-01T12:47:30"), number * 2)):
            one.tick()
    assert script.ids == [f"minutely@{to_ms(at('2026-03-01T12:47:00'))}"]
    assert script.taken[0].missed_count == 47
    entry = get("minutely")
    assert entry.next == at("2026-03-01T12:48:00")
    assert (entry.fired_count, entry.missed_count) == (1, 47)


@pytest.mark.parametrize(
    "fields, gap, missed, limit",
    [
        ({"cron": "* * * * *", "timezone": "UTC"}, 3 * 86_400, 3 * 1440 - 1, 0.05),
        ({"every": 1, "phase": 0}, 365 * 86_400, 365 * 86_400 - 1, 0.05),
    ],
)
def test_a_long_outage_is_answered_by_arithmetic(
    script: Script, fields: dict[str, object], gap: int, missed: int, limit: float
) -> None:
    """BD07: three days of minutes, a year of seconds."""
    start = at("2026-03-01T00:00:00")
    with freeze(start):
        register("often", task="a.b", **fields)
    one = ticker()
    with freeze(seconds(start, gap)):
        begin = time.perf_counter()
        one.tick()
        took = time.perf_counter() - begin
    assert len(script.taken) == 1
    assert script.taken[0].missed_count == missed
    assert took < limit


def test_registering_again_leaves_a_due_score(script: Script) -> None:
    """BD06: the old ticker ends at 15:59:58Z, the new process registers and ticks at 16:00:04Z."""
    noon = Schedule("noon", task="a.b", cron="0 12 * * *", timezone="America/New_York")
    with freeze(at("2024-09-11T10:00:00")):
        upsert(noon)
    with freeze(at("2024-09-11T16:00:04")):
        assert upsert(noon) == "exists"
        assert to_ms(get("noon").next) == 1726070400000  # type: ignore[arg-type]
        ticker().tick()
    assert script.ids == ["noon@1726070400000"]
    assert to_ms(get("noon").next) == 1726156800000  # type: ignore[arg-type]


def test_changed_arguments_leave_the_cadence(script: Script) -> None:
    """BD10, BD12: registered again five minutes before it is due, unchanged and with other arguments."""
    with freeze(at("2026-03-01T15:00:00")):
        upsert("hourly", task="a.b", every=3600, first_in=3600, args=[1])
    with freeze(at("2026-03-01T15:55:00")):
        assert upsert("hourly", task="a.b", every=3600, first_in=3600, args=[1]) == "exists"
        assert upsert("hourly", task="a.b", every=3600, first_in=3600, args=[5]) == "updated"
        assert get("hourly").next == at("2026-03-01T16:00:00")
    with freeze(at("2026-03-01T16:00:00")):
        ticker().tick()
    assert script.taken[0].schedule.args == (5,)


def test_a_changed_recurrence_moves_the_pending_run(script: Script) -> None:
    """BD11: 18:00 becomes 06:00 at noon; nothing runs at 18:00."""
    with freeze(at("2026-03-01T08:00:00")):
        upsert("daily", task="a.b", cron="0 18 * * *", timezone="UTC")
    with freeze(at("2026-03-01T12:00:00")):
        assert upsert("daily", task="a.b", cron="0 6 * * *", timezone="UTC") == "updated"
        assert get("daily").next == at("2026-03-02T06:00:00")
    with freeze(at("2026-03-01T18:00:00")):
        ticker().tick()
    assert script.ids == []


def test_a_shorter_interval_takes_effect_at_once(script: Script) -> None:
    with freeze(at("2026-03-01T08:00:00")):
        upsert("report", task="a.b", every="1d")
        ticker().tick()
        upsert("report", task="a.b", every="1m")
        assert get("report").next == at("2026-03-01T08:01:00")


def test_a_first_registration_never_looks_back(script: Script) -> None:
    """BD13: no last run is no debt."""
    with freeze(at("2020-03-20T23:55:00")):
        register("midnight", task="a.b", cron="0 0 * * *", timezone="UTC")
    one = ticker()
    for second in range(0, 300, 7):
        with freeze(seconds(at("2020-03-20T23:55:00"), second)):
            one.tick()
    assert script.ids == []
    with freeze(at("2020-03-21T00:00:00")):
        one.tick()
    assert len(script.ids) == 1
    assert to_ms(get("midnight").next) == 1584835200000  # type: ignore[arg-type]


def test_an_old_ticker_fires_by_the_stored_definition(script: Script) -> None:
    """BD04: a tick writes state only, and reads the recurrence that a newer process stored."""
    old = ticker()
    with freeze(at("2026-03-01T10:00:00")):
        upsert("report", task="a.b", cron="*/5 * * * *", timezone="UTC")
    with freeze(at("2026-03-01T10:05:00")):
        old.tick()
    with freeze(at("2026-03-01T10:05:30")):
        upsert("report", task="a.b", cron="*/1 * * * *", timezone="UTC")
    for minute in range(6, 16):
        with freeze(at(f"2026-03-01T10:{minute:02d}:00")):
            old.tick()
    assert len(script.ids) == 11
    assert get("report").raw["cron"] == "*/1 * * * *"


@pytest.mark.parametrize(
    "period, tick_every, ran",
    [
        # A period of a second, looked at every 1.3 seconds: each fires the latest.
        (1.0, 1.3, 47),
        (0.2, 1.0, 61),
    ],
)
def test_an_interval_shorter_than_the_tick_is_coalesced_and_counted(
    script: Script, period: float, tick_every: float, ran: int
) -> None:
    """BD54: nothing is lost without being counted."""
    start = at("2026-03-01T10:00:00")
    with freeze(start):
        register("fast", task="a.b", every=period)
    one = ticker()
    number = 0
    while number * tick_every <= 60:
        with freeze(seconds(start, round(number * tick_every, 3))):
            one.tick()
        number += 1
    entry = get("fast")
    assert len(script.taken) == entry.fired_count == ran
    last = to_ms(entry.last_nominal)  # type: ignore[arg-type]
    assert entry.fired_count + entry.missed_count == (last - to_ms(start)) // round(period * 1000) + 1


def test_schedules_that_do_not_run_in_the_gap_are_not_missed(script: Script) -> None:
    """BD50: 60 hourly schedules over the night that Berlin loses an hour: each has 23 runs, none is called missed."""
    start = at("2025-03-29T22:30:00")
    with freeze(start):
        for minute in range(60):
            upsert(f"m{minute}", task="a.b", cron=f"{minute} * * * *", timezone="Europe/Berlin")
    one = ticker()
    for minute in range(30, 30 + 24 * 60):
        with freeze(seconds(start, (minute - 30) * 60)):
            one.tick()
    day = [o for o in script.taken if at("2025-03-29T23:00:00") <= o.nominal < at("2025-03-30T22:00:00")]
    assert len(day) == 23 * 60
    assert sum(get(f"m{minute}").missed_count for minute in range(60)) == 0


def test_a_cancelled_schedule_does_not_fire(script: Script) -> None:
    with freeze(at("2026-03-01T10:00:00")):
        register("gone", task="a.b", every=5)
        cancel("gone")
        ticker().tick()
    assert script.ids == []


def test_a_disabled_schedule_rests_and_is_not_missed(script: Script) -> None:
    with freeze(at("2026-03-01T10:00:00")):
        upsert("report", task="a.b", every=60, phase=0)
        upsert("report", task="a.b", every=60, phase=0, enabled=False)
        assert get("report").state == "disabled"
    with freeze(at("2026-03-01T12:00:00")):
        ticker().tick()
        upsert("report", task="a.b", every=60, phase=0)
        assert get("report").next == at("2026-03-01T12:01:00")
    with freeze(at("2026-03-01T12:01:00")):
        ticker().tick()
    assert [one.missed_count for one in script.taken] == [0]


def test_occurrences_carry_a_stable_uuid_that_tells_queues_apart() -> None:
    occurrences = []
    for queue in ("a", "b"):
        with freeze(at("2026-03-01T10:00:00")):
            register("same", task="a.b", every=5, queue=queue)
            occurrences += ticker(queue).tick().fired
    assert occurrences[0].id == occurrences[1].id
    assert occurrences[0].uuid != occurrences[1].uuid
    assert support.SCRIPT.taken == occurrences

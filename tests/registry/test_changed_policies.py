"""What a changed policy does to a record: the definition always, the pending nominal time only where it must."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat import Schedule, clock
from django_repeat.instants import iso
from tests.registry.support import HOUR, MINUTE, SECOND, T, hourly
from tests.registry.test_upsert_races import meddled

DUE = T + HOUR


def lag(**fields: Any) -> int:
    return hourly(**fields).offset_ms


def interval(**fields: Any) -> Schedule:
    return Schedule("hourly", every="1h", task="shop.tasks.count", **fields)


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


def test_policies_are_one_field_and_absent_without(one):
    assert "policies" not in one.record("hourly")
    one.put(hourly(window="1h", catch_up="all"))
    assert one.record("hourly")["policies"] == '{"catch_up":"all","window":"1h"}'
    assert one.put(hourly(catch_up="all", window=3600)) == "exists"
    assert one.reader.entries(["hourly"])[0].schedule == hourly(window="1h", catch_up="all")
    one.put(hourly())
    assert "policies" not in one.record("hourly")


def test_a_claim_answers_the_policies_and_what_has_fired(registry):
    registry.put(hourly(window="1h"))
    registry.settle(DUE, registry.win(DUE, "a:1"), DUE + HOUR, fired=3)
    claim = registry.win(DUE + HOUR, "a:2")
    assert (claim.fields["policies"], claim.fired_count) == ('{"window":"1h"}', 3)


@pytest.mark.parametrize("way", ["register", "upsert"])
@pytest.mark.parametrize("schedule, nominal, at", [
    (hourly(start_at=iso(T + 90 * MINUTE)), T + 2 * HOUR, None),
    (hourly(start_at=iso(T - HOUR)), DUE, None),
    (hourly(end_at=iso(DUE)), DUE, None),
    (hourly(end_at=iso(DUE - 1)), None, None),
    (interval(start_at=iso(T + 90 * MINUTE)), T + 90 * MINUTE, None),
    (interval(start_at=iso(T - 90 * MINUTE)), T + 30 * MINUTE, None),
    (interval(start_at=iso(T - 90 * MINUTE), first_in="31m"), T + 90 * MINUTE, None),
    (interval(end_at=iso(T - 1)), None, None),
    (interval(first_in="2h", end_at=iso(T + HOUR)), None, None),
    (hourly(spread="20m"), DUE, DUE + lag(spread="20m")),
    (interval(spread="20m", first_in="5m"), T + 5 * MINUTE, T + 5 * MINUTE + lag(spread="20m")),
], ids=repr)  # fmt: skip
def test_a_first_registration_keeps_the_bounds(registry, way, schedule, nominal, at):
    with clock.freeze(T):
        if way == "register":
            registry.definitions.register(schedule, "code")
        else:
            registry.definitions.upsert([(schedule, "code")])
    record = registry.record("hourly")
    assert [record.get(field) for field in ("nominal", "at")] == [
        None if one is None else str(one) for one in (nominal, at)
    ]
    assert registry.score("hourly") == (at or nominal or float("inf"))
    assert (registry.reader.entries(["hourly"])[0].state == "finished") == (nominal is None)


def test_what_is_claimed_keeps_its_pending_time(one):
    claim = one.win(DUE, "a:1")
    assert one.put(hourly(start_at=iso(T + 5 * HOUR), spread="20m"), DUE + SECOND) == "updated"
    record = one.record("hourly")
    assert (record["fence"], record["nominal"], record["asof"], record.get("at")) == ("a:1", str(DUE), str(DUE), None)
    assert one.settle(DUE + SECOND, claim, DUE + HOUR) == "ok"


def test_what_is_due_is_left_to_the_plan(one):
    assert one.put(hourly(end_at=iso(T + 5 * HOUR), start_at=iso(T + 4 * HOUR)), DUE + MINUTE) == "updated"
    assert one.score("hourly") == DUE
    assert one.runs("hourly") == []


def test_what_backs_off_keeps_the_instant_of_its_first_claim(one):
    """It may have been enqueued: a changed policy is no reason to call it missed."""
    one.release(DUE, one.win(DUE, "a:1"), backoff=MINUTE, error="down")
    assert one.put(hourly(window="1m"), DUE + SECOND) == "updated"
    record = one.record("hourly")
    assert (record["asof"], record["nominal"], "retry" in record) == (str(DUE), str(DUE), False)


def test_the_entry_fired_between_looking_and_writing(one):
    def fires() -> None:
        one.settle(DUE, one.win(DUE, "a:1"), DUE + HOUR)

    definitions, between = meddled(one, fires)
    with clock.freeze(DUE - 1):
        assert definitions.upsert([(hourly(spread="20m"), "code")]) == {"hourly": "updated"}
    assert between.called == ["compare", "upsert"] * 2
    assert one.record("hourly")["nominal"] == str(DUE + HOUR)
    assert one.score("hourly") == DUE + HOUR + lag(spread="20m")


def test_other_work_needs_no_second_look_when_it_fired_meanwhile(one):
    one.put(hourly(window="1h"))
    definitions, between = meddled(one, lambda: one.settle(DUE, one.win(DUE, "a:1"), DUE + HOUR))
    with clock.freeze(DUE - 1):
        definitions.upsert([(hourly(window="1h", args=[1]), "code")])
    assert between.called == ["compare", "upsert"]


def test_the_new_pending_time_passed_between_looking_and_writing(registry):
    registry.put(hourly(start_at=iso(T + 9 * HOUR)))
    late = clock.freeze(DUE)
    definitions, between = meddled(registry, late.__enter__)
    try:
        with clock.freeze(DUE - 1):
            definitions.upsert([(hourly(), "code")])
    finally:
        late.__exit__(None, None, None)
    assert between.called == ["compare", "upsert"] * 2
    assert registry.score("hourly") == DUE + HOUR


def test_somebody_cancelled_it_between_looking_and_writing(one):
    definitions, between = meddled(one, lambda: one.cancel("hourly"))
    with clock.freeze(T + 2 * HOUR):
        assert definitions.upsert([(hourly(max_runs=1), "code")]) == {"hourly": "registered"}
    assert between.called == ["compare", "upsert"] * 2
    assert one.score("hourly") == T + 3 * HOUR


@pytest.mark.parametrize("damage", ["{", '{"jitter":1}', ""])
def test_policies_that_cannot_be_read_are_replaced(one, damage):
    one.set("hourly", policies=damage)
    assert one.reader.entries(["hourly"])[0].state == "broken"
    assert one.put(hourly()) == "exists", "the digest says so"
    assert one.put(hourly(window="1h")) == "updated"
    assert one.reader.entries(["hourly"])[0].schedule == hourly(window="1h")
    assert one.score("hourly") == DUE

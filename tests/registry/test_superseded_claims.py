"""A recurrence that changes while a ticker has the entry in hand: each nominal time has one line in the end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from django_repeat import Schedule
from django_repeat.codec import line
from django_repeat.registry import Ended
from tests.registry.support import HOUR, LEASE, MINUTE, SECOND, Box, T, hourly

DUE = T + HOUR
LATER = hourly(cron="0 5 * * *")
LATEST = hourly(cron="0 6 * * *")


def minutely(**fields: Any) -> Schedule:
    return hourly(cron="* * * * *", **fields)


def told(registry: Box) -> list[tuple[str, int, int]]:
    """Answer (outcome, first, last) of each run log line, oldest first."""
    lines = registry.runs("hourly")[::-1]
    return [(one["outcome"], one.get("first", one["nominal"]), one["nominal"]) for one in lines]


def missed(registry: Box) -> int:
    return int(registry.record("hourly").get("missed_count", 0))


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


def test_what_a_dead_ticker_had_in_hand_is_superseded(one):
    one.win(DUE, "a:1")
    one.put(LATER, DUE + SECOND)
    assert told(one) == [("superseded", DUE, DUE)]
    assert missed(one) == 1


@pytest.mark.parametrize("late", [SECOND, 10 * LEASE], ids=["in time", "after its lease"])
def test_what_fires_after_all_takes_the_line_s_place(one, late):
    claim = one.win(DUE, "a:1")
    one.put(LATER, DUE + SECOND)
    assert one.settle(DUE + SECOND + late, claim, DUE + HOUR) == "superseded"
    assert told(one) == [("fired", DUE, DUE)]
    assert missed(one) == 0
    assert not {"superseded", "superseded_count", "superseded_line"} & set(one.record("hourly"))


def test_what_was_missed_after_all_counts_once(registry):
    registry.put(minutely())
    claim = registry.win(T + 10 * MINUTE, "a:1")
    registry.put(LATER, T + 10 * MINUTE + SECOND)
    assert (told(registry), missed(registry)) == ([("superseded", T + MINUTE, T + 10 * MINUTE)], 10)
    lines = [
        line(nominal=T + 9 * MINUTE, outcome="missed", first=T + MINUTE, count=9),
        line(nominal=T + 10 * MINUTE, outcome="fired"),
    ]
    registry.settle(T + 11 * MINUTE, claim, T + 12 * MINUTE, missed=9, lines=lines, fired_nominal=T + 10 * MINUTE)
    assert told(registry) == [("missed", T + MINUTE, T + 9 * MINUTE), ("fired", T + 10 * MINUTE, T + 10 * MINUTE)]
    assert missed(registry) == 9


def test_what_passed_since_the_claim_is_nobody_s_and_keeps_its_line(registry):
    """The ticker plans by the instant of its claim; it knows nothing of what came after."""
    registry.put(minutely())
    claim = registry.win(T + 2 * MINUTE, "a:1")
    registry.put(LATER, T + 7 * MINUTE + SECOND)
    rest = ("superseded", T + 3 * MINUTE, T + 7 * MINUTE)
    assert told(registry) == [("superseded", T + MINUTE, T + 2 * MINUTE), rest]
    assert missed(registry) == 7
    registry.settle(T + 8 * MINUTE, claim, T + 3 * MINUTE, fired=2)
    assert told(registry) == [rest, ("fired", T + MINUTE, T + MINUTE)]
    assert missed(registry) == 5


def test_a_claim_after_a_death_has_in_hand_what_the_first_one_had(registry):
    registry.put(minutely())
    registry.win(T + MINUTE, "a:1")
    claim = registry.win(T + 5 * MINUTE, "b:1")
    registry.put(LATER, T + 5 * MINUTE)
    rest = ("superseded", T + 2 * MINUTE, T + 5 * MINUTE)
    assert told(registry) == [("superseded", T + MINUTE, T + MINUTE), rest]
    registry.settle(T + 5 * MINUTE, claim, T + 2 * MINUTE)
    assert told(registry) == [rest, ("fired", T + MINUTE, T + MINUTE)]


def test_max_runs_leaves_nothing_for_after_the_claim(registry):
    registry.put(minutely(max_runs=1))
    registry.win(T + MINUTE, "a:1")
    registry.put(LATER, T + 5 * MINUTE)
    assert told(registry) == [("superseded", T + MINUTE, T + MINUTE)]


def test_of_a_recurrence_that_cannot_be_read_the_one_in_hand_is_said(registry):
    registry.put(minutely())
    claim = registry.win(T + MINUTE, "a:1")
    registry.set("hourly", cron="no")
    registry.put(LATER, T + 5 * MINUTE)
    assert told(registry) == [("superseded", T + MINUTE, T + MINUTE)]
    registry.settle(T + 5 * MINUTE, claim, T + 2 * MINUTE)
    assert told(registry) == [("fired", T + MINUTE, T + MINUTE)]


@pytest.mark.parametrize("fields", [{"skipped": 1}, {"missed": 1}], ids=str)
def test_another_end_takes_its_place_too(one, fields):
    claim = one.win(DUE, "a:1")
    one.put(LATER, DUE + SECOND)
    fields = {"fired": 0, "fired_nominal": None, "fired_at": None, "lines": [line(nominal=DUE, outcome="x")], **fields}
    assert one.settle(DUE + SECOND, claim, DUE + HOUR, **fields) == "superseded"
    assert told(one) == [("x", DUE, DUE)]
    assert missed(one) == fields.get("missed", 0)


@pytest.mark.parametrize("fields", [{}, {"backoff": SECOND, "error": "down", "lines": ["{}"]}], ids=["back", "failed"])
def test_where_nothing_came_of_it_the_line_stays(one, fields):
    claim = one.win(DUE, "a:1")
    one.put(LATER, DUE + SECOND)
    assert one.release(DUE + SECOND, claim, **fields) == "lost"
    assert (told(one), missed(one)) == ([("superseded", DUE, DUE)], 1)


def test_a_settle_that_came_to_nothing_leaves_the_line(one):
    claim = one.win(DUE, "a:1")
    one.put(LATER, DUE + SECOND)
    none: dict[str, Any] = {"fired": 0, "fired_nominal": None, "fired_at": None, "lines": []}
    assert one.settle(DUE + SECOND, claim, DUE + HOUR, **none) == "superseded"
    assert (told(one), missed(one)) == ([("superseded", DUE, DUE)], 1)


def test_of_what_came_half_way_the_rest_is_superseded(registry):
    registry.put(minutely(catch_up="all"))
    claim = registry.win(T + 5 * MINUTE, "a:1")
    registry.put(LATER, T + 6 * MINUTE)
    left = Ended(count=3, line=line(nominal=T + 5 * MINUTE, outcome="superseded", first=T + 3 * MINUTE, count=3))
    half: dict[str, Any] = {
        "fired": 2, "fired_nominal": T + 2 * MINUTE, "fired_at": T + 5 * MINUTE, "rest": T + 3 * MINUTE, "left": left,
        "lines": [line(nominal=T + number * MINUTE, outcome="fired") for number in (1, 2)],
    }  # fmt: skip
    assert registry.release(T + 6 * MINUTE, claim, **half) == "superseded"
    assert told(registry) == [
        ("superseded", T + 6 * MINUTE, T + 6 * MINUTE),
        ("fired", T + MINUTE, T + MINUTE),
        ("fired", T + 2 * MINUTE, T + 2 * MINUTE),
        ("superseded", T + 3 * MINUTE, T + 5 * MINUTE),
    ]
    assert missed(registry) == 4
    before = registry.everything()
    assert registry.release(T + 6 * MINUTE, claim, **half) == "settled"
    assert registry.everything() == before


def test_what_is_left_is_not_said_where_the_recurrence_stayed(one):
    claim = one.win(DUE, "a:1")
    left = Ended(count=3, line=json.dumps({"outcome": "superseded"}))
    done: dict[str, Any] = {"fired": 1, "fired_nominal": DUE, "fired_at": DUE, "lines": ['{"outcome":"fired"}']}
    assert one.release(DUE, claim, rest=DUE + HOUR, left=left, **done) == "ok"
    assert one.outcomes("hourly") == ["fired"]
    assert missed(one) == 0


def test_what_changes_twice_under_one_claim_has_one_line(one):
    claim = one.win(DUE, "a:1")
    one.put(LATER, DUE + SECOND)
    one.put(LATEST, DUE + 2 * SECOND)
    assert told(one) == [("superseded", DUE, DUE)]
    one.settle(DUE + 3 * SECOND, claim, DUE + HOUR)
    assert (told(one), missed(one)) == ([("fired", DUE, DUE)], 0)


def test_what_was_changed_under_each_of_two_claims_has_a_line_each(one):
    late = one.win(DUE, "a:1")
    one.put(hourly(cron="*/10 * * * *"), DUE)
    claim = one.win(DUE + 10 * MINUTE, "b:1")
    one.put(LATER, DUE + 10 * MINUTE)
    assert one.settle(DUE + 11 * MINUTE, late, DUE + HOUR) == "lost"
    assert one.settle(DUE + 11 * MINUTE, claim, DUE + HOUR) == "superseded"
    assert told(one) == [("superseded", DUE, DUE), ("fired", DUE + 10 * MINUTE, DUE + 10 * MINUTE)]
    assert missed(one) == 1


def test_disabling_what_is_in_hand_lets_it_complete(one):
    claim = one.win(DUE, "a:1")
    one.put(hourly(enabled=False), DUE)
    assert (told(one), missed(one)) == ([("superseded", DUE, DUE)], 1)
    one.settle(DUE + SECOND, claim, DUE + HOUR)
    assert (told(one), missed(one)) == ([("fired", DUE, DUE)], 0)
    assert one.score("hourly") == float("inf")


def test_a_clock_that_went_back_does_not_lose_what_is_in_hand(one):
    claim = one.win(DUE, "a:1")
    one.put(hourly(cron="*/30 * * * *"), T + MINUTE)
    assert told(one) == [("superseded", DUE, DUE)]
    assert one.score("hourly") == DUE + 30 * MINUTE, "11:00 may have fired, and does not fire again"
    one.settle(T + MINUTE, claim, DUE + HOUR)
    assert told(one) == [("fired", DUE, DUE)]

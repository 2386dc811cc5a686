"""Nominal times that no line of the run log is about: behind, and ahead."""

from __future__ import annotations

from typing import Any

import pytest

from tests.explaining.saying import at, line, ms, record

STATE = {"nominal": "06:00", "last_nominal": "05:00", "last_fired": ms("05:00") + 4, "fired_count": 1}
FIRED = line(nominal="05:00", at="05:00", outcome="fired", late=4)
SIX = "It has not fired for 2030-01-01 06:00:00 UTC yet"
NO_SIX = "It does not fire for 2030-01-01 06:00:00 UTC"
SKIPPED = line(verb="skip", nominal="07:00", first="06:00", count=2, at="05:20", by="anna", note="holiday")


@pytest.mark.parametrize("state, now, said", [
    ({}, "06:00:30", f"{SIX}: no ticker has decided on it; tickers that serve queue default: 1."),
    ({"fence": "tick-1:7", "lease": "06:01", "asof": "06:00"}, "06:00:30",
     f"{SIX}: ticker tick-1 has claimed it, and what comes of it is not written yet."),
    ({"failures": 3, "error": "no broker", "retry": "06:01"}, "06:00:30",
     f"{SIX}: it has failed 3 times in a row: 'no broker'; the next try is at 2030-01-01 06:01:00 UTC."),
    ({"broken": "no such task"}, "06:00:30", f"{SIX}; it cannot be used as it is: no such task."),
    ({"enabled": "0"}, "06:00:30", f"{SIX}; it is disabled (enabled=False)."),
    ({"holes": f"s{ms('06:00')} s{ms('07:00')}"}, "06:00:30",
     f"{NO_SIX}; an operator skipped it (by anna: 'holiday')."),
    ({"paused": "05:10", "paused_by": "ben"}, "06:00:30",
     (f"{NO_SIX}; it is paused (by ben) since 2030-01-01 05:10:00 UTC until it is resumed; "
     "only a resume with replay would make it up.")),
    ({"paused": "05:10", "paused_until": "06:10"}, "06:30",
     f"{NO_SIX}; the schedule, or its queue, was paused then."),
    ({"paused": "06:00:10"}, "06:30", (f"{SIX}; it is paused since 2030-01-01 06:00:10 UTC until it is resumed; "
     "that was due before the pause, and its turn comes after it.")),
    ({"nominal": "07:00", "wait": "06:00"}, "06:30", f"{SIX}: that waits for a run to end (overlap)."),
    ({"nominal": "07:00", "last_nominal": "06:00", "last_fired": ms("06:00") + 61_000}, "06:30",
     ("It fired for 2030-01-01 06:00:00 UTC at 2030-01-01 06:01:01 UTC, 1m 1s after it fell due; "
     "the run log no longer has it.")),
    ({"nominal": "07:00", "missed": f"{ms('06:00')}-{ms('06:00')}-1"}, "06:30",
     "It missed 2030-01-01 06:00:00 UTC; the run log no longer says why."),
])  # fmt: skip
def test_what_the_record_says_of_a_time_behind(state: dict[str, Any], now: str, said: str) -> None:
    assert at("06:00", record({**STATE, **state}), now, [SKIPPED, FIRED]) == said


@pytest.mark.parametrize("catch_up, said", [
    ("latest", "of several that are due, catch_up makes up the latest alone."),
    ("all", "of several that are due, catch_up makes up all that limit allows."),
    ("none", "of several that are due, catch_up makes up none that is later than grace."),
])  # fmt: skip
def test_of_several_that_are_due_it_says_what_becomes(catch_up: str, said: str) -> None:
    assert at("07:00", record(STATE, catch_up=catch_up), "08:30", [FIRED], tickers=0).endswith(
        f"; no ticker serves queue default; {said}"
    )


def test_a_spread_puts_it_off() -> None:
    stored = record({**STATE, "at": "06:20"}, spread="50m")
    text = at("06:00", stored, "06:00:01", [FIRED])
    assert text.startswith(f"{SIX}: its spread lets it fall due at 2030-01-01 06:")


def test_after_the_end_it_says_what_ended_it() -> None:
    done = {"last_nominal": "05:00", "last_fired": "05:00", "fired_count": 1}
    assert at("06:00", record(done, max_runs=1), "06:30", [FIRED]) == (
        "It did not fire for 2030-01-01 06:00:00 UTC; 1 have fired, and max_runs is 1."
    )
    bounded = record(done, start_at="2030-01-01T02:30Z", end_at="2030-01-01T05:30Z")
    assert at("06:00", bounded, "06:30", [FIRED]).endswith("; end_at is 2030-01-01 05:30:00 UTC.")
    assert at("02:00", bounded, "06:30", [FIRED]).endswith("; start_at is 2030-01-01 02:30:00 UTC.")


@pytest.mark.parametrize("log, history, counts, why", [
    ([FIRED], 0, {}, "no run log is kept (HISTORY is 0)."),
    ([FIRED], 1, {}, "the run log is full (HISTORY: 1) and reaches back only to 2030-01-01 05:00:00 UTC."),
    ([], 20, {}, "the run log is empty."),
    ([line(verb="pause", at="05:00")], 1, {}, "the run log is full (HISTORY: 1) and has no decision any more."),
    ([FIRED], 20, {}, ("the schedule was not registered then, or not with these times: "
     "the first one known is 2030-01-01 05:00:00 UTC.")),
    ([FIRED], 20, {"fired_count": 2}, ("the run log reaches back so far and has no line on it: "
     "the schedule may have been another then.")),
    ([FIRED, line(nominal="04:30", at="04:40", outcome="superseded")], 20, {"missed_count": 1},
     "the schedule was not registered then, or not with these times: the first one known is 2030-01-01 04:30:00 UTC."),
    ([line(nominal="01:00", at="05:20", outcome="fired", trigger="backfill"), FIRED], 2, {},
     "the run log is full (HISTORY: 2) and reaches back only to 2030-01-01 05:00:00 UTC."),
    ([FIRED, line(nominal="03:00", at="03:00", outcome="fired")], 20, {"fired_count": 2},
     "the run log reaches back so far and has no line on it: the schedule may have been another then."),
])  # fmt: skip
def test_what_is_not_known_is_said_not_to_be_and_why(
    log: list[dict[str, Any]], history: int, counts: dict[str, Any], why: str
) -> None:
    text = at("04:00", record({**STATE, **counts}), "05:30", log, history=history)
    assert text == f"What became of 2030-01-01 04:00:00 UTC is not known; {why}"


def test_before_the_first_decision_only_the_pending_one_is_known() -> None:
    text = at("04:00", record({"nominal": "06:00"}), "05:30")
    assert text.endswith("not with these times: the first one known is 2030-01-01 06:00:00 UTC.")


WILL = "It will fire at 2030-01-01 08:00:00 UTC, in 2h 30m; that is if a ticker serves queue default then"
WONT = "It will not fire at 2030-01-01 08:00:00 UTC; "


@pytest.mark.parametrize("state, policies, said", [
    ({}, {}, f"{WILL}."),
    ({}, {"when": "a.b"}, f"{WILL}, and its condition (when) agrees."),
    ({}, {"overlap": "skip"}, f"{WILL}, and no run is on its way then."),
    ({}, {"overlap": "queue_one"}, f"{WILL}, and no run is on its way then, else it waits for its end."),
    ({"failures": 2, "retry": "06:01"}, {}, f"{WILL}; at present it fails, 2 times in a row."),
    ({"paused": "05:10", "paused_until": "07:30"}, {}, f"{WILL}."),
    ({"paused": "05:10", "paused_until": "08:30"}, {}, (f"{WONT}it is paused since 2030-01-01 05:10:00 UTC until "
     "2030-01-01 08:30:00 UTC.")),
    ({"paused": "05:10"}, {}, (f"{WONT}it is paused since 2030-01-01 05:10:00 UTC until it is resumed, so that it "
     "fires only if that is done before.")),
    ({"holes": f"s{ms('08:00')}"}, {}, f"{WONT}an operator skipped it."),
    ({"enabled": "0"}, {}, f"{WONT}it is disabled (enabled=False)."),
    ({"broken": "no such task"}, {}, f"{WONT}it cannot be used as it is: no such task."),
    ({}, {"max_runs": 4}, f"{WILL}."),
    ({}, {"max_runs": 3}, f"{WONT}the last of max_runs (3) comes before, if each one fires."),
    ({"holes": f"s{ms('07:00')}"}, {"max_runs": 3}, f"{WILL}."),
    ({"wait": "05:00"}, {"max_runs": 4}, f"{WONT}the last of max_runs (4) comes before, if each one fires."),
    ({}, {"end_at": "2030-01-01T07:30Z"}, f"{WONT}end_at is 2030-01-01 07:30:00 UTC."),
    ({}, {"start_at": "2030-01-01T09:30Z"}, f"{WONT}start_at is 2030-01-01 09:30:00 UTC."),
    ({"nominal": "09:00"}, {}, f"{WONT}the next one that is pending is 2030-01-01 09:00:00 UTC."),
])  # fmt: skip
def test_a_time_ahead_will_fire_or_not(state: dict[str, Any], policies: dict[str, Any], said: str) -> None:
    assert at("08:00", record({**STATE, **state}, **policies), "05:30", [FIRED]) == said


def test_a_queue_that_is_paused_for_longer_than_a_schedule_of_it_holds_it() -> None:
    switch = {"paused": str(ms("05:10")), "paused_until": str(ms("09:00"))}
    stored = record({**STATE, "paused": "05:10", "paused_until": "07:00"})
    assert at("08:00", stored, "05:30", [FIRED], switch=switch).startswith(
        f"{WONT}the schedule, or its queue, is paused"
    )


def test_a_spread_is_said_of_a_time_ahead() -> None:
    text = at("08:00", record(STATE, spread="50m"), "05:30", [FIRED])
    assert text.startswith(
        "It will fire at 2030-01-01 08:00:00 UTC, when its spread lets it fall due at 2030-01-01 08:"
    )


def test_a_site_that_is_not_enabled_fires_nothing() -> None:
    assert at("08:00", record(STATE), "05:30", [FIRED], enabled=False).startswith(f"{WONT}this site is not enabled")

"""What the run log says of a nominal time: for each reason its words."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat.explaining import REASONS
from django_repeat.reason import SKIPS, Reason
from tests.explaining.saying import at, line, ms, record

STATE = {"nominal": "06:00", "last_nominal": "05:00", "last_fired": ms("05:00") + 4, "fired_count": 1}
NOW = "05:30"
FIRED = line(nominal="05:00", at="05:00", outcome="fired", late=4, ticker="tick-1", result="r1", trigger="schedule")
FOUR = "2030-01-01 04:00:00 UTC"


def outcome(reason: Reason) -> str:
    if reason in SKIPS:
        return "skipped"
    special = {Reason.ENGINE_ERROR: "failed", Reason.BROKEN: "failed", Reason.RECURRENCE_CHANGED: "superseded"}
    return special.get(reason, "missed")


def test_every_reason_has_words_of_its_own() -> None:
    assert set(REASONS) == set(Reason)
    assert len(set(REASONS.values())) == len(Reason)


@pytest.mark.parametrize("reason", Reason)
def test_a_reason_is_said_in_words(reason: Reason) -> None:
    log = [line(nominal="04:00", at="05:00", outcome=outcome(reason), reason=str(reason))]
    text = at("04:00", record(STATE), NOW, log)
    assert REASONS[reason] in text
    assert FOUR in text
    what = {"missed": "It missed ", "skipped": "It skipped ", "failed": "It failed for ", "superseded": "It dropped "}
    assert text.startswith(what[outcome(reason)])


@pytest.mark.parametrize("instant", ["05:00", "05:00:20", "05:00:59.999"])
def test_what_fired_is_said_for_each_instant_of_its_minute(instant: str) -> None:
    assert at(instant, record(STATE), NOW, [FIRED]) == (
        "It fired for 2030-01-01 05:00:00 UTC at 2030-01-01 05:00:00 UTC, 4ms after it fell due, "
        "by ticker tick-1, as 'r1'."
    )


def test_what_fired_after_failures_says_both() -> None:
    failed = line(nominal="05:00", at="04:59", outcome="failed", reason="engine_error", error="no broker")
    text = at("05:00", record(STATE), NOW, [FIRED, failed])
    assert text.startswith("It fired for ")
    assert text.endswith("; at first the engine did not take it: 'no broker'.")


@pytest.mark.parametrize("state, said", [
    ({"nominal": "04:00", "failures": 3, "retry": "05:31"},
     "; it has failed 3 times in a row, and the next try is at 2030-01-01 05:31:00 UTC."),
    ({"last_nominal": "04:00"}, "; it fired after that."),
    ({}, "; what became of it then the run log does not say."),
])  # fmt: skip
def test_what_failed_says_what_came_of_it_as_far_as_that_is_known(state: dict[str, Any], said: str) -> None:
    failed = line(nominal="04:00", at="04:00", outcome="failed", reason="engine_error", error="no broker")
    assert at("04:00", record({**STATE, **state}), NOW, [failed]).endswith(
        f"the engine did not take it: 'no broker'{said}"
    )


def test_what_a_backfill_made_up_says_who_and_why_it_was_missed() -> None:
    made_up = line(
        nominal="04:00", at="05:20", outcome="fired", trigger="backfill", by="anna", note="outage", result="r2"
    )
    missed = line(nominal="04:00", first="02:00", count=3, at="05:00", outcome="missed", reason="window")
    text = at("04:00", record(STATE), NOW, [made_up, missed])
    assert text == (
        f"It fired for {FOUR} afterwards at 2030-01-01 05:20:00 UTC, by a backfill (by anna: 'outage'), as 'r2'; "
        f"before that it was missed: {REASONS[Reason.WINDOW]}."
    )


def test_what_was_fired_by_hand_is_found_in_its_minute() -> None:
    by_hand = line(nominal="05:17:23", at="05:17:23", outcome="fired", trigger="manual", by="anna", result="r3")
    assert at("05:17", record(STATE), NOW, [by_hand, FIRED]) == (
        "It was fired by hand at 2030-01-01 05:17:23 UTC (by anna), as 'r3'."
    )
    beside = line(nominal="05:00:23", at="05:00:23", outcome="fired", trigger="manual", by="anna")
    assert at("05:00", record(STATE), NOW, [beside, FIRED]).startswith("It fired for 2030-01-01 05:00:00 UTC ")


def test_one_of_several_is_said_to_be_and_which_one_fired_for_them() -> None:
    missed = line(nominal="04:00", first="02:00", count=3, at="05:00", outcome="missed", reason="coalesced")
    for instant in ("02:00", "03:00", "04:00"):
        assert at(instant, record(STATE), NOW, [FIRED, missed]) == (
            f"It missed 2030-01-01 {instant}:00 UTC, one of 3 in a row: a later nominal time fired for it, "
            "that of 2030-01-01 05:00:00 UTC."
        )


def test_what_a_backfill_made_up_of_others_did_not_fire_for_it() -> None:
    made_up = line(nominal="04:30", at="05:20", outcome="fired", trigger="backfill")
    missed = line(nominal="04:00", at="05:00", outcome="missed", reason="coalesced")
    assert at("04:00", record(STATE), NOW, [made_up, FIRED, missed]).endswith(", that of 2030-01-01 05:00:00 UTC.")


def test_a_row_of_another_definition_leaves_it_open() -> None:
    missed = line(nominal="04:00", first="02:00", count=5, at="05:00", outcome="missed", reason="window")
    assert at("03:00", record(STATE), NOW, [missed]).startswith(
        "Whether 2030-01-01 03:00:00 UTC was one of them is not known; the run log says 'missed' of 5 from "
    )
    assert at("04:00", record(STATE), NOW, [missed]).startswith("It missed ")


def test_a_row_with_a_skip_in_it_is_one_of_this_definition() -> None:
    missed = line(nominal="04:00", first="01:00", count=3, at="05:00", outcome="missed", reason="coalesced")
    skipped = line(nominal="03:00", first="03:00", count=1, at="05:00", outcome="skipped", reason="operator")
    for instant in ("01:00", "02:00", "04:00"):
        assert at(instant, record(STATE), NOW, [FIRED, missed, skipped]).startswith("It missed ")
    assert at("03:00", record(STATE), NOW, [FIRED, missed, skipped]).startswith("It skipped ")
    assert at("02:00", record(STATE), NOW, [FIRED, missed]).startswith("Whether ")


def test_of_rows_that_span_each_other_the_narrow_one_says_it() -> None:
    wide = line(nominal="05:00", first="01:00", count=5, at="05:00", outcome="missed", reason="window")
    narrow = line(nominal="04:00", first="02:00", count=3, at="05:00", outcome="skipped", reason="paused")
    assert at("03:00", record(STATE), NOW, [wide, narrow]).startswith("It skipped ")


@pytest.mark.parametrize("reason, verb", [
    ("operator", line(verb="skip", nominal="04:00", first="04:00", at="03:30", by="anna", note="holiday")),
    ("paused", line(verb="pause", at="03:30", by="anna", note="holiday")),
])  # fmt: skip
def test_who_took_it_out_is_said_where_the_run_log_has_that(reason: str, verb: dict[str, Any]) -> None:
    skipped = line(nominal="04:00", first="04:00", count=1, at="04:00", outcome="skipped", reason=reason)
    other = line(verb=verb["verb"], nominal="05:00", first="05:00", at="05:20", by="ben")
    text = at("04:00", record(STATE), NOW, [other, skipped, verb])
    assert text == f"It skipped {FOUR}: {REASONS[Reason(reason)]} (by anna: 'holiday')."


def test_a_reason_that_is_none_is_quoted() -> None:
    log = [line(nominal="04:00", outcome="missed", reason="moon\nphase"), line(nominal="03:00", outcome="eaten")]
    assert at("04:00", record(STATE), NOW, log) == f"It missed {FOUR}: the run log says 'moon\\nphase'."
    assert at("03:00", record(STATE), NOW, log) == "The run log says 'eaten' of 2030-01-01 03:00:00 UTC."


def test_the_run_log_speaks_where_the_definition_does_not() -> None:
    for lost in ({"template": "?"}, {"v": "9"}):
        stored = {**record(STATE), **lost}
        assert at("05:00", stored, NOW, [FIRED]).startswith("It fired for ")
        assert at("04:00", stored, NOW, [FIRED]).startswith(f"Whether it was to run at {FOUR} is not known; ")

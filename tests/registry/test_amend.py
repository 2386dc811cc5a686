"""What an operator decided about an entry: written once, and only if the record is as it was seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from django_repeat import clock
from django_repeat.codec import skip
from django_repeat.registry import AGAIN, Decision, Decisions, Outcome
from tests.registry.support import HOUR, MINUTE, SECOND, T, fired, hourly

DUE = T + HOUR


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


def amend(box: Any, at: int = T, **fields: Any) -> str:
    with clock.freeze(at):
        return Decisions(box.store).amend(Decision(name="hourly", **fields))


def test_fields_lines_letters_and_the_revision(one):
    rev = one.record("hourly")["rev"]
    assert amend(one, rev=rev, fields={"paused": T}, lines=['{"n":1}', '{"n":2}'], letters="sm", skipped=3) == "ok"
    record = one.record("hourly")
    assert (record["paused"], record["outcomes"], record["skipped_count"]) == (str(T), "sm", "3")
    assert int(record["rev"]) == int(rev) + 1
    assert [run["n"] for run in one.runs("hourly")] == [2, 1]
    assert one.score("hourly") == float("inf")


def test_a_field_without_value_goes(one):
    amend(one, fields={"paused": T, "paused_by": "anna"})
    amend(one, fields={"paused": "", "paused_by": "", "holes": ""})
    assert not {"paused", "paused_by", "holes"} & set(one.record("hourly"))
    assert one.score("hourly") == DUE


def test_written_twice_it_counts_once(one):
    given = {
        "rev": one.record("hourly")["rev"], "token": "t1", "fields": {"holes": f"s{DUE}"}, "lines": ['{"n":1}'],
        "letters": "s", "skipped": 2, "moves": True, "nominal": DUE + HOUR,
    }  # fmt: skip
    assert amend(one, **given) == "ok"
    before = one.everything()
    assert amend(one, T + SECOND, **given) == "ok"
    assert one.everything() == before


def test_and_also_after_a_ticker_wrote_in_between(one):
    given = {"rev": one.record("hourly")["rev"], "token": "t1", "letters": "s", "skipped": 2}
    amend(one, **given)
    claim = one.win(DUE, "a:1")
    one.settle(DUE, claim, DUE + HOUR)
    before = one.everything()
    assert amend(one, DUE + 1, **given) == "ok"
    assert one.everything() == before


def test_a_revision_that_has_passed_writes_nothing(one):
    rev = one.record("hourly")["rev"]
    amend(one, rev=rev, fields={"paused": T})
    before = one.everything()
    assert amend(one, rev=rev, fields={"paused": ""}, lines=["{}"], letters="x") == AGAIN
    assert one.everything() == before
    one.put(hourly(args=[1]))
    assert amend(one, rev=str(int(rev) + 1), fields={"paused": ""}) == AGAIN


@pytest.mark.parametrize("verb", ["claim", "settle", "release", "upsert"])
def test_every_verb_makes_an_older_look_stale(one, verb):
    rev = one.record("hourly")["rev"]
    if verb == "upsert":
        one.put(hourly(args=[1]))
    else:
        claim = one.win(DUE, "a:1")
        rev = rev if verb == "claim" else one.record("hourly")["rev"]
        if verb == "settle":
            one.settle(DUE, claim, DUE + HOUR)
        elif verb == "release":
            one.release(DUE, claim)
    assert amend(one, DUE, rev=rev, fields={"paused": DUE}) == AGAIN
    assert "paused" not in one.record("hourly")


def test_a_move_of_the_pending_time_ends_a_row_of_failures(one):
    one.release(DUE, one.win(DUE, "a:1"), backoff=SECOND, error="down", broken="no task")
    assert amend(one, DUE + 1, moves=True, nominal=DUE + HOUR, lag=5 * SECOND, fields={"asof": ""}) == "ok"
    record = one.record("hourly")
    assert (record["nominal"], record["at"]) == (str(DUE + HOUR), str(DUE + HOUR + 5 * SECOND))
    assert one.score("hourly") == DUE + HOUR + 5 * SECOND
    assert not {"retry", "failures", "error", "broken", "asof"} & set(record)


def test_a_move_to_nothing_finishes_it(one):
    assert amend(one, moves=True, nominal=None) == "ok"
    assert "nominal" not in one.record("hourly")
    assert one.score("hourly") == float("inf")


def test_outcomes_and_run_log_are_capped(one):
    for turn in range(30):
        amend(one, letters="sm"[turn % 2], lines=[f'{{"n":{turn}}}'])
    assert one.record("hourly")["outcomes"] == "ms" * 10
    assert [run["n"] for run in one.runs("hourly")] == list(range(29, 9, -1))


def test_equal_skips_in_a_row_are_one_line(one):
    for hour in range(3):
        at = DUE + hour * HOUR
        amend(one, at, lines=[skip("operator", at, 1, nominal=at, at=at)])
    amend(one, lines=[skip("paused", DUE, 1, nominal=DUE, at=DUE)])
    paused, operator = one.runs("hourly")
    assert (operator["first"], operator["count"], operator["nominal"], operator["at"]) == (
        DUE, 3, DUE + 2 * HOUR, DUE + 2 * HOUR,
    )  # fmt: skip
    assert (paused["reason"], paused["count"]) == ("paused", 1)


def test_what_is_claimed_keeps_its_lease_and_what_comes_of_it(one):
    claim = one.win(DUE, "a:1")
    assert amend(one, DUE + 1, fields={"paused": DUE + 1}) == "ok"
    assert one.score("hourly") == DUE + 30_000
    assert one.settle(DUE + 2, claim, DUE + HOUR) == Outcome.OK
    assert one.score("hourly") == float("inf")
    assert one.record("hourly")["fired_count"] == "1"


def test_a_settle_ends_no_pause_that_lasts(one):
    """Its end lies before the next nominal time, and yet a deploy may bring times before it."""
    claim = one.win(DUE, "a:1")
    amend(one, DUE + 1, fields={"paused": DUE + 1, "paused_until": DUE + 10 * MINUTE, "paused_by": "anna"})
    one.settle(DUE + 2, claim, DUE + HOUR)
    record = one.record("hourly")
    assert (record["paused_until"], record["paused_by"]) == (str(DUE + 10 * MINUTE), "anna")
    assert one.score("hourly") == DUE + HOUR
    one.put(hourly(cron="* * * * *"), DUE + MINUTE)
    assert one.score("hourly") == DUE + 10 * MINUTE


def test_a_settle_after_its_end_forgets_it(one):
    amend(one, T, fields={"paused": T, "paused_until": T + MINUTE, "paused_by": "anna", "paused_reason": "r"})
    claim = one.win(DUE, "a:1")
    one.settle(DUE, claim, DUE + HOUR)
    assert not {"paused", "paused_until", "paused_by", "paused_reason"} & set(one.record("hourly"))


def test_what_is_dealt_with_is_forgotten_and_what_is_to_come_is_not(one):
    amend(one, fields={"holes": f"p{T}-{T + MINUTE} p{DUE + 1}-{DUE + 2 * HOUR} s{DUE} s{DUE + HOUR}"})
    claim = one.win(DUE, "a:1")
    one.settle(DUE, claim, DUE + HOUR)
    assert one.record("hourly")["holes"] == f"p{DUE + 1}-{DUE + 2 * HOUR} s{DUE + HOUR}"
    claim = one.win(DUE + HOUR, "a:2")
    with clock.freeze(DUE + HOUR):
        one.claims.settle([fired(claim, None)])
    assert "holes" not in one.record("hourly")


def test_a_superseded_claim_that_leaves_one_waiting_is_looked_at_again(one):
    claim = one.win(DUE, "a:1")
    one.put(hourly(cron="0 0 1 1 *"), DUE + SECOND)
    waits = (("wait", DUE), ("poll", DUE + 2 * SECOND))
    with clock.freeze(DUE + SECOND):
        (outcome,) = one.claims.settle([fired(claim, DUE + HOUR, fired=0, fields=waits)])
    assert outcome == "superseded"
    assert one.score("hourly") == DUE + 2 * SECOND


def test_what_is_not_ours_is_left_alone(registry):
    assert amend(registry) == "absent"
    registry.client.zadd(registry.keys.schedules, {"hourly": 1})
    registry.set("hourly", every_ms=1000, template="{}")
    assert amend(registry, fields={"paused": T}) == "foreign"
    registry.set("hourly", v=1, nominal="soon")
    assert amend(registry, fields={"paused": T}) == "broken"
    assert "paused" not in registry.record("hourly")
    registry.client.delete(registry.keys.record("hourly"))
    registry.client.set(registry.keys.record("hourly"), "x")
    assert amend(registry) == "broken"


def test_a_member_that_is_gone_comes_back(one):
    one.client.zrem(one.keys.schedules, "hourly")
    assert amend(one) == "ok"
    assert one.score("hourly") == DUE


@pytest.mark.parametrize("log", ["string", "none kept"])
def test_where_no_log_can_be_kept_the_rest_is_written(one, log):
    if log == "string":
        one.client.set(one.keys.runs("hourly"), "x")
        assert amend(one, lines=["{}"], letters="s") == "ok"
    else:
        with clock.freeze(T):
            store = replace(one.store, history=0)
            assert Decisions(store).amend(Decision(name="hourly", lines=["{}"], letters="s")) == "ok"
        assert one.client.exists(one.keys.runs("hourly")) == 0
    assert one.record("hourly")["outcomes"] == "s"

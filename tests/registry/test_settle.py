"""settle and release: only the holder of the fence writes, and a call that is made twice counts once."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from django_repeat import clock
from django_repeat.registry import Claims, Outcome, Release
from tests.registry.support import HOUR, LEASE, MINUTE, SECOND, T, fired, hourly

DUE = T + HOUR


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


def test_a_settle_moves_on_and_records_what_fired(one):
    assert one.settle(DUE + 9, one.win(DUE + 5, "a:1"), DUE + HOUR, fired=1, missed=3, fired_at=DUE + 7) == "ok"
    record = one.record("hourly")
    assert one.score("hourly") == int(record["nominal"]) == DUE + HOUR
    assert {key: record[key] for key in ("fired_count", "missed_count", "last_outcome", "last_result")} == {
        "fired_count": "1", "missed_count": "3", "last_outcome": "fired", "last_result": f"result-{DUE}",
    }  # fmt: skip
    assert (record["last_nominal"], record["last_fired"]) == (str(DUE), str(DUE + 7))
    assert not {"fence", "lease", "asof", "retry", "failures", "error", "broken"} & set(record)


def test_a_settle_that_is_made_twice_counts_once(one):
    claim = one.win(DUE, "a:1")
    assert one.settle(DUE, claim, DUE + HOUR) == "ok"
    before = one.everything()
    assert one.settle(DUE + 1, claim, DUE + HOUR) == "settled"
    assert one.everything() == before


def test_a_release_that_is_made_twice_counts_once(one):
    claim = one.win(DUE, "a:1")
    assert one.release(DUE, claim, backoff=SECOND, error="down", lines=["{}"]) == "ok"
    before = one.everything()
    assert one.release(DUE + 5, claim, backoff=SECOND, error="down", lines=["{}"]) == "settled"
    assert one.settle(DUE + 5, claim, DUE + HOUR) == "settled"
    assert one.everything() == before


def test_who_lost_the_fence_writes_nothing(one):
    late = one.win(DUE, "a:1")
    one.win(DUE + LEASE, "b:1")
    before = one.everything()
    assert one.settle(DUE + LEASE, late, DUE + HOUR) == "lost"
    assert one.release(DUE + LEASE, late, backoff=SECOND, error="down", lines=["{}"], forget=True) == "lost"
    assert one.everything() == before


def test_a_lease_that_ended_with_nobody_else_there_still_settles(one):
    claim = one.win(DUE, "a:1")
    assert one.settle(DUE + 10 * LEASE, claim, DUE + HOUR) == "ok"


def test_another_nominal_time_than_was_claimed_is_refused(one):
    claim = one.win(DUE, "a:1")
    before = one.everything()
    assert one.settle(DUE, replace(claim, nominal=DUE + HOUR), DUE + 2 * HOUR) == "lost"
    assert one.everything() == before


def test_a_cancel_leaves_nothing_to_settle(one):
    claim = one.win(DUE, "a:1")
    one.cancel("hourly")
    assert one.settle(DUE, claim, DUE + HOUR) == "gone"
    assert one.release(DUE, claim, backoff=SECOND, error="x", lines=["{}"]) == "gone"
    assert one.everything() == {}


def test_an_old_claim_never_settles_a_later_incarnation(one):
    claim = one.win(DUE, "a:1")
    one.cancel("hourly")
    one.put(hourly(), T)
    before = one.everything()
    assert one.settle(DUE, claim, DUE + HOUR) == "lost"
    assert one.everything() == before


def test_what_only_missed_says_so(one):
    one.settle(DUE, one.win(DUE, "a:1"), DUE + HOUR, fired=0, missed=2, fired_nominal=None, result="")
    record = one.record("hourly")
    assert (record["last_outcome"], record["missed_count"]) == ("missed", "2")
    assert not {"last_nominal", "last_fired", "fired_count"} & set(record)


def test_nothing_comes_after_the_last(one):
    one.settle(DUE, one.win(DUE, "a:1"), None)
    assert one.score("hourly") == float("inf")
    assert "nominal" not in one.record("hourly")
    assert one.reader.count() == 1


def test_a_superseded_claim_is_recorded_once_and_never_behind_a_later_one(one):
    old = one.win(DUE, "a:1")
    one.put(hourly(cron="*/10 * * * *"), DUE + SECOND)
    new = one.win(DUE + 10 * MINUTE, "b:1")
    one.settle(DUE + 10 * MINUTE, new, DUE + 20 * MINUTE)
    assert one.settle(DUE + 11 * MINUTE, old, DUE + HOUR) == "superseded"
    record = one.record("hourly")
    assert (record["fired_count"], record["last_nominal"]) == ("2", str(DUE + 10 * MINUTE))
    assert record["last_result"] == f"result-{DUE + 10 * MINUTE}"
    assert one.score("hourly") == DUE + 20 * MINUTE
    before = one.everything()
    assert one.settle(DUE + 12 * MINUTE, old, DUE + HOUR) == "settled"
    assert one.everything() == before
    one.settle(DUE + 20 * MINUTE, one.win(DUE + 20 * MINUTE, "b:2"), DUE + 30 * MINUTE)
    before = one.everything()
    assert one.settle(DUE + 21 * MINUTE, old, DUE + HOUR) == "lost"
    assert one.everything() == before


def test_a_superseded_claim_that_is_released_moves_nothing(one):
    old = one.win(DUE, "a:1")
    one.put(hourly(cron="*/10 * * * *"), DUE + SECOND)
    before = one.everything()
    assert one.release(DUE + SECOND, old, backoff=SECOND, error="down", lines=["{}"]) == "lost"
    assert one.everything() == before


def test_an_untouched_release_is_due_at_once_and_plans_afresh_if_it_may(one):
    one.release(DUE, one.win(DUE, "a:1"), forget=True)
    assert one.score("hourly") == DUE
    assert one.win(DUE + 5, "b:1").as_of == DUE + 5
    one.release(DUE + 5, one.win(DUE + 5, "b:1"), forget=False)
    assert one.win(DUE + 9, "c:1").as_of == DUE + 5
    assert one.record("hourly").get("failures") is None


def test_a_release_with_backoff_waits_keeps_the_nominal_and_the_reason(one):
    one.release(DUE + 5, one.win(DUE, "a:1"), backoff=SECOND, error="engine down", lines=['{"outcome":"failed"}'])
    record = one.record("hourly")
    assert one.score("hourly") == int(record["retry"]) == DUE + 5 + SECOND
    assert (record["nominal"], record["asof"]) == (str(DUE), str(DUE))
    assert (record["failures"], record["error"], record["last_outcome"]) == ("1", "engine down", "failed")
    assert "broken" not in record
    claim = one.win(DUE + 5 + SECOND, "a:2")
    assert (claim.failures, claim.as_of, claim.nominal) == (1, DUE, DUE)
    one.release(DUE + 9 * SECOND, claim, backoff=2 * SECOND, error="still down", broken="no such task")
    record = one.record("hourly")
    assert (record["failures"], record["error"], record["broken"]) == ("2", "still down", "no such task")
    assert one.outcomes("hourly") == ["failed"]


def test_success_clears_what_failed(one):
    one.release(DUE, one.win(DUE, "a:1"), backoff=SECOND, error="down", broken="no task")
    one.settle(DUE + SECOND, one.win(DUE + SECOND, "a:2"), DUE + HOUR)
    assert not {"failures", "error", "broken", "retry"} & set(one.record("hourly"))
    assert one.score("hourly") == DUE + HOUR


def test_the_run_log_keeps_the_newest(registry):
    small = replace(registry.store, history=3)
    registry.put(hourly())
    for turn in range(5):
        claim = registry.win(DUE + turn * HOUR, f"a:{turn}")
        with clock.freeze(DUE + turn * HOUR):
            lines = [f'{{"n":{turn},"of":{part}}}' for part in (1, 2)]
            Claims(small).settle([fired(claim, DUE + (turn + 1) * HOUR, lines=lines)])
    assert [(one["n"], one["of"]) for one in registry.runs("hourly")] == [(4, 2), (4, 1), (3, 2)]


def test_without_history_no_run_log_is_written(registry):
    none = Claims(replace(registry.store, history=0))
    registry.put(hourly())
    with clock.freeze(DUE):
        none.settle([fired(registry.win(DUE, "a:1"), DUE + HOUR)])
        none.release([Release(name="hourly", token="a:1", nominal=DUE, lines=["{}"])])
    assert registry.score("hourly") == DUE + HOUR
    assert set(registry.everything()) == {registry.keys.schedules, registry.keys.record("hourly")}


def test_a_group_is_settled_one_by_one(registry):
    for name in ("a", "b", "c"):
        registry.put(hourly(name))
    claims = registry.claim(DUE, "x:1", "a", "b", "c")
    registry.cancel("b")
    registry.client.hset(registry.keys.record("c"), "fence", "y:1")
    with clock.freeze(DUE):
        outcomes = registry.claims.settle(
            [fired(claim, DUE + HOUR, lines=[json.dumps({"n": part}) for part in range(3)]) for claim in claims]
        )
    assert outcomes == [Outcome.OK, Outcome.GONE, Outcome.LOST]
    assert [len(registry.runs(name)) for name in ("a", "b", "c")] == [3, 0, 0]


@pytest.mark.parametrize("fields, score", [
    ({"lease": DUE + 9, "retry": DUE + 5}, DUE + 9),
    ({"lease": DUE + 9, "enabled": 0}, DUE + 9),
    ({"enabled": 0, "retry": DUE + 5}, float("inf")),
    ({"retry": DUE + 5}, DUE + 5),
    ({"retry": DUE - 5}, DUE),
    ({}, DUE),
])  # fmt: skip
def test_every_verb_scores_a_record_by_the_same_rule(one, fields, score):
    """A lost member is put back by an upsert, which asks the record alone."""
    enabled = fields.get("enabled") != 0
    one.put(hourly(enabled=enabled))
    one.set("hourly", nominal=DUE, **fields)
    one.client.zrem(one.keys.schedules, "hourly")
    assert one.put(hourly(enabled=enabled)) == "updated"
    assert one.score("hourly") == score

"""What came of a claim that was done in part, and a next nominal time that falls due later than it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from django_repeat import clock
from django_repeat.registry import Outcome, Release
from tests.registry.support import HOUR, MINUTE, SECOND, T, fired, hourly

DUE = T + HOUR
REST = DUE + 2 * HOUR
HALF: dict[str, Any] = {
    "rest": REST, "fired": 2, "missed": 3, "skipped": 1, "fired_nominal": DUE + HOUR, "fired_at": DUE + 3,
    "result": "r", "lines": ['{"n":1}', '{"n":2}'],
}  # fmt: skip


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


def test_a_release_records_how_far_it_came(one):
    assert one.release(DUE + 5, one.win(DUE, "a:1"), **HALF) == "ok"
    record = one.record("hourly")
    assert one.score("hourly") == int(record["nominal"]) == REST
    kept = ("fired_count", "missed_count", "skipped_count", "last_nominal", "last_fired", "last_outcome", "last_result")
    assert [record[key] for key in kept] == ["2", "3", "1", str(DUE + HOUR), str(DUE + 3), "fired", "r"]
    assert [run["n"] for run in one.runs("hourly")] == [2, 1]
    assert not {"fence", "lease", "failures", "retry", "error"} & set(record)
    assert (record["asof"], record["settled"]) == (str(DUE), "a:1")


def test_it_counts_once_however_often_it_is_made(one):
    claim = one.win(DUE, "a:1")
    one.release(DUE, claim, **HALF)
    before = one.everything()
    assert one.release(DUE + 1, claim, **HALF) == "settled"
    assert one.settle(DUE + 1, claim, DUE + HOUR) == "settled"
    assert one.everything() == before


def test_a_failure_after_some_fired_is_the_first_of_its_row(one):
    for turn, after in enumerate((0, 1, 3)):
        claim = one.win(DUE + after * SECOND, f"a:{turn}")
        one.release(DUE + after * SECOND, claim, backoff=SECOND * 2**turn, error="down", broken="no task")
    assert one.record("hourly")["failures"] == "3"
    claim = one.win(DUE + 7 * SECOND, "b:1")
    one.release(DUE + 7 * SECOND, claim, **{**HALF, "rest": DUE + 1}, backoff=SECOND, error="down again")
    record = one.record("hourly")
    assert (record["failures"], record["error"], record["last_outcome"]) == ("1", "down again", "failed")
    assert "broken" not in record
    assert one.score("hourly") == int(record["retry"]) == DUE + 8 * SECOND


def test_a_superseded_claim_that_came_half_way_is_recorded_and_moves_nothing(one):
    claim = one.win(DUE, "a:1")
    one.put(hourly(cron="*/10 * * * *"), DUE + SECOND)
    assert one.release(DUE + 2 * SECOND, claim, **HALF, backoff=SECOND, error="down") == "superseded"
    record = one.record("hourly")
    assert (record["fired_count"], record["missed_count"], record["last_nominal"]) == ("2", "3", str(DUE + HOUR))
    assert one.score("hourly") == int(record["nominal"]) == DUE + 10 * MINUTE
    assert not {"superseded", "retry", "failures", "error"} & set(record)
    before = one.everything()
    assert one.release(DUE + 3 * SECOND, claim, **HALF) == "settled"
    assert one.everything() == before


def test_who_lost_the_fence_records_no_progress(one):
    late = one.win(DUE, "a:1")
    one.win(DUE + MINUTE, "b:1")
    before = one.everything()
    assert one.release(DUE + MINUTE, late, **HALF) == "lost"
    assert one.everything() == before


def test_what_only_skipped_says_so(one):
    one.settle(DUE, one.win(DUE, "a:1"), DUE + HOUR, fired=0, skipped=2, missed=1, fired_nominal=None, result="")
    record = one.record("hourly")
    assert (record["last_outcome"], record["skipped_count"], record["missed_count"]) == ("skipped", "2", "1")
    assert not {"last_nominal", "fired_count"} & set(record)
    assert one.reader.entries(["hourly"])[0].skipped_count == 2


def test_entries_of_a_group_take_their_own_lines_and_run_logs(registry):
    for name in ("a", "b", "c"):
        registry.put(hourly(name))
    claims = registry.claim(DUE, "x:1", "a", "b", "c")
    lines = ([json.dumps({"n": 1})], [], [json.dumps({"n": 2}), json.dumps({"n": 3})])
    with clock.freeze(DUE):
        outcomes = registry.claims.release(
            [
                Release(name=claim.name, token=claim.token, nominal=claim.nominal, rest=REST, fired=1,
                        fired_nominal=DUE, lines=own)
                for claim, own in zip(claims, lines, strict=True)
            ]
        )  # fmt: skip
    assert outcomes == [Outcome.OK] * 3
    assert [[run["n"] for run in registry.runs(name)] for name in ("a", "b", "c")] == [[1], [], [3, 2]]


def test_no_more_lines_are_sent_than_the_run_log_keeps(one):
    claim = one.win(DUE, "a:1")
    one.settle(DUE, claim, DUE + HOUR, lines=[json.dumps({"n": number}) for number in range(500)])
    assert [run["n"] for run in one.runs("hourly")] == list(range(499, 479, -1))
    assert [one["n"] for one in map(json.loads, fired(claim, None, lines=['{"n":1}', '{"n":2}']).kept(1))] == [2]


# -- falling due


def test_a_lag_puts_off_the_score_and_leaves_the_nominal_time(one):
    one.settle(DUE, one.win(DUE, "a:1"), DUE + HOUR, lag=90 * SECOND)
    record = one.record("hourly")
    assert (record["nominal"], record["at"]) == (str(DUE + HOUR), str(DUE + HOUR + 90 * SECOND))
    assert one.score("hourly") == DUE + HOUR + 90 * SECOND
    assert one.refused(DUE + HOUR + 89 * SECOND, "a:2") == "lost"
    claim = one.win(DUE + HOUR + 90 * SECOND, "a:3")
    assert claim.nominal == DUE + HOUR
    one.release(DUE + HOUR + 90 * SECOND, claim)
    assert one.score("hourly") == DUE + HOUR + 90 * SECOND
    one.settle(DUE + HOUR + 91 * SECOND, one.win(DUE + HOUR + 91 * SECOND, "a:4"), DUE + 2 * HOUR)
    assert "at" not in one.record("hourly")
    assert one.score("hourly") == DUE + 2 * HOUR


@pytest.mark.parametrize("fields, score", [
    ({"at": DUE + 9}, DUE + 9),
    ({"at": DUE + 9, "retry": DUE + 5}, DUE + 9),
    ({"at": DUE + 9, "retry": DUE + 15}, DUE + 15),
    ({"at": DUE + 9, "lease": DUE + 5}, DUE + 5),
    ({"at": DUE + 9, "enabled": 0}, float("inf")),
])  # fmt: skip
def test_the_score_rule_knows_when_it_falls_due(one, fields, score):
    enabled = fields.get("enabled") != 0
    one.put(hourly(enabled=enabled))
    one.set("hourly", nominal=DUE, **fields)
    one.client.zrem(one.keys.schedules, "hourly")
    assert one.put(hourly(enabled=enabled)) == "updated"
    assert one.score("hourly") == score


def test_an_instant_that_is_no_number_is_broken(one):
    one.set("hourly", at="soon")
    assert one.refused(DUE, "a:1") == "broken"
    assert one.put(hourly(args=[1])) == "broken"


# -- the end


@pytest.mark.parametrize("changed, score", [
    (hourly(max_runs=2), DUE + HOUR), (hourly(max_runs=1), float("inf")), (hourly(), DUE + HOUR),
])  # fmt: skip
def test_the_end_of_another_definition_is_not_the_end(registry, changed, score):
    """The last run of the old definition is in hand while a new one is written, which may allow more."""
    registry.put(hourly(max_runs=1))
    claim = registry.win(DUE, "a:1")
    registry.put(changed, DUE + SECOND)
    registry.settle(DUE + 2 * SECOND, claim, None, digest=claim.digest, beyond=DUE + HOUR)
    assert registry.score("hourly") == score
    assert registry.record("hourly").get("nominal") == (None if score == float("inf") else str(DUE + HOUR))

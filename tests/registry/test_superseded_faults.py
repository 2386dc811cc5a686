"""A recurrence that changes while a ticker has the entry in hand, and what else may go wrong just then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from django_repeat import clock
from django_repeat.codec import line
from django_repeat.registry import Claims, Definitions, Settlement
from tests.registry.sent import Tape
from tests.registry.support import HOUR, MINUTE, hourly
from tests.registry.test_superseded_claims import DUE, LATER, missed
from tests.registry.test_upsert_races import meddled, put


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


@pytest.mark.parametrize("writer, ticker, lines", [(0, 20, ["fired"]), (20, 0, ["superseded"]), (0, 0, [])])
def test_with_and_without_a_run_log_the_counts_are_the_same(one, writer, ticker, lines):
    one.win(DUE, "a:1")
    with clock.freeze(DUE):
        Definitions(replace(one.store, history=writer)).upsert([(LATER, "code")])
        assert missed(one) == 1
        late = Claims(replace(one.store, history=ticker))
        fields = {"name": "hourly", "token": "a:1", "nominal": DUE, "next": DUE + HOUR, "fired": 1}
        settled = Settlement(**fields, fired_nominal=DUE, fired_at=DUE, lines=[line(nominal=DUE, outcome="fired")])
        assert late.settle([settled]) == ["superseded"]
    assert (one.outcomes("hourly"), missed(one)) == (lines, 0)


@pytest.mark.parametrize("meddle", [
    lambda box: box.client.delete(box.keys.runs("hourly")),
    lambda box: box.client.lpop(box.keys.runs("hourly")),
    lambda box: box.client.delete(box.keys.runs("hourly")) and box.client.set(box.keys.runs("hourly"), "text"),
    lambda box: box.client.hdel(box.keys.record("hourly"), "missed_count"),
    lambda box: box.client.hdel(box.keys.record("hourly"), "superseded_count", "superseded_line"),
], ids=["no log", "no line", "text", "no count", "no memory"])  # fmt: skip
def test_what_a_stranger_took_away_meanwhile_does_no_harm(one, meddle):
    claim = one.win(DUE, "a:1")
    one.put(LATER, DUE)
    meddle(one)
    assert one.settle(DUE, claim, DUE + HOUR) == "superseded"
    assert one.record("hourly")["fired_count"] == "1"
    assert missed(one) >= 0
    assert one.reader.entries(["hourly"])[0].broken_reason == ""


def test_an_upsert_that_runs_twice_counts_once(one):
    one.win(DUE, "a:1")
    tape = Tape(one.store.scripts)
    with clock.freeze(DUE):
        Definitions(replace(one.store, scripts=tape)).upsert([(LATER, "code")])
        before = one.everything()
        (again,) = [call for call in tape.calls if call[0] == "upsert"]
        assert one.store.scripts.call(*again) == [b"exists"]
    assert one.everything() == before


CLAIMS = {
    "claimed meanwhile": (lambda box: None, lambda box: box.win(DUE, "a:1"), ["superseded"]),
    "released meanwhile": (
        lambda box: box.win(DUE, "a:1"),
        lambda box: box.client.hdel(box.keys.record("hourly"), "fence", "lease", "asof"),
        ["superseded"],
    ),
    "claimed at another time": (
        lambda box: box.win(DUE, "a:1"), lambda box: box.set("hourly", asof=DUE + 5), ["superseded"],
    ),
    "claimed by another": (lambda box: box.win(DUE, "a:1"), lambda box: box.set("hourly", fence="b:1"), ["superseded"]),
}  # fmt: skip


@pytest.mark.parametrize("before, between, outcomes", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_between_looking_and_writing_is_planned_for(one, before, between, outcomes):
    before(one)
    definitions, calls = meddled(one, lambda: between(one))
    assert put(definitions, LATER, DUE + MINUTE) == "updated"
    assert calls.called == ["compare", "upsert"] * (1 if "b:1" in one.record("hourly").get("superseded", "") else 2)
    assert one.outcomes("hourly") == outcomes
    assert missed(one) == 1
